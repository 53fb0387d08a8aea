#include "request_step.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include "api/accesses.h"
#include "api/reference.h"

namespace scorpio::classic_test {

namespace {

constexpr std::byte k_room_untouched{0x5a};

int number(int rank, int64_t place, uint64_t call) { return api_test::datum<int>(rank, place, call); }

}  // namespace

// Where the elements lie in the buffer: dimensions in any order, gaps, backwards.
void RequestStep::draw_map(Box& box) {
  std::vector<size_t> order(box.count.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::shuffle(order.begin(), order.end(), p_.random_);
  box.map.assign(box.count.size(), 0);
  int64_t distance = 1 + static_cast<int64_t>(p_.pick(2));
  for (const size_t d : order) {
    box.map[d] = distance;
    distance *= std::max<int64_t>(box.count[d], 1) + static_cast<int64_t>(p_.pick(2));
    if (!p_.one_in(4)) continue;
    box.origin += (box.count[d] - 1) * box.map[d];
    box.map[d] = -box.map[d];
  }
  box.room = distance;
}

RequestStep::Box RequestStep::draw_box(const Extents& dims) {
  Box box;
  const bool strided = p_.one_in(3);
  for (const int64_t n : dims) {
    const auto start = static_cast<int64_t>(p_.pick(static_cast<size_t>(n)));
    const int64_t stride = strided ? 1 + static_cast<int64_t>(p_.pick(3)) : 1;
    const int64_t most = std::min<int64_t>((n - start - 1) / stride + 1, 8);
    box.start.push_back(start);
    box.stride.push_back(stride);
    box.count.push_back(1 + static_cast<int64_t>(p_.pick(static_cast<size_t>(most))));
  }
  return box;
}

void RequestStep::draw_boxes(Request& request) {
  const Variable& variable = p_.model_.variable(request.variable);
  Extents dims = p_.model_.extents(variable);
  if (variable.record && !request.reading) dims[0] = std::min<int64_t>(dims[0], 20) + 3;
  const size_t n = request.kind == Kind::many ? 1 + p_.pick(4) : 1;
  std::set<int64_t> seen;
  for (size_t i = 0; i < n; ++i) {
    Box box = draw_box(dims);
    if (request.kind == Kind::many) box.stride.assign(dims.size(), 1);
    const bool takes_map = request.kind == Kind::one || request.kind == Kind::buffered;
    const bool mapped = takes_map && !dims.empty() && p_.one_in(3);
    if (mapped) draw_map(box);
    const Extents ones(dims.size(), 1);
    const std::vector<int64_t> elements =
        api_test::slab_elements(dims, {box.start, box.stride, box.count, ones});
    const bool again = std::any_of(elements.begin(), elements.end(),
                                   [&](int64_t element) { return seen.contains(element); });
    if (again) continue;  // parts of one request that overlap have no order
    seen.insert(elements.begin(), elements.end());
    for (size_t e = 0; e < elements.size(); ++e) {
      int64_t place = request.room + static_cast<int64_t>(e);
      if (mapped) {
        place = box.origin;
        auto left = static_cast<int64_t>(e);
        for (size_t d = dims.size(); d-- > 0; left /= box.count[d]) place += left % box.count[d] * box.map[d];
      }
      request.elements.emplace_back(elements[e], place);
    }
    request.room += mapped ? box.room : static_cast<int64_t>(elements.size());
    request.boxes.push_back(std::move(box));
  }
}

// Other ranks may hold the same elements: who posts writes all of its own.
void RequestStep::draw_record(Request& request) {
  const Variable& variable = p_.model_.variable(request.variable);
  request.parts = &p_.random_parts(variable.slab_dims);
  request.record = p_.random_record(variable);
  if (request.reading && variable.record) request.record %= p_.model_.records();
  const std::vector<int64_t>& mine = request.parts->layout.of(request.rank);
  request.room = static_cast<int64_t>(mine.size());
  for (size_t i = 0; i < mine.size(); ++i) {
    if (mine[i] >= 0)
      request.elements.emplace_back(request.record * variable.slab + mine[i], static_cast<int64_t>(i));
  }
}

RequestStep::Request RequestStep::draw() {
  Request request;
  request.rank = static_cast<int>(p_.pick(static_cast<size_t>(p_.ranks_)));
  request.variable = p_.random_variable();
  const Variable& variable = p_.model_.variable(request.variable);
  request.kind =
      std::vector<Kind>{Kind::one, Kind::one, Kind::buffered, Kind::many, Kind::record}[p_.pick(5)];
  request.reading = variable.elements() > 0 && p_.one_in(4);
  if (request.reading && request.kind == Kind::buffered) request.kind = Kind::one;
  request.memory = request.reading ? variable.type.scorpio : p_.random_memory(variable.type);
  request.cancelled = p_.one_in(12);
  request.wait = static_cast<int>(p_.pick(3));
  request.call = ++p_.calls_;
  if (request.kind == Kind::record) {
    draw_record(request);
  } else {
    draw_boxes(request);
  }
  return request;
}

// False where another rank puts some of its elements. What grows the file must put something.
bool RequestStep::claim(const Request& request) {
  if (request.elements.empty()) return false;
  if (request.reading || request.cancelled) return true;
  for (const auto& [element, place] : request.elements) {
    const auto at = claims_.find({request.variable, element});
    if (at != claims_.end() && at->second != request.rank) return false;
  }
  for (const auto& [element, place] : request.elements) claims_[{request.variable, element}] = request.rank;
  return true;
}

void RequestStep::fill_buffer(Request& request) {
  if (request.reading) {
    request.data.assign(static_cast<size_t>(request.room) * bytes_of(request.memory), k_room_untouched);
    return;
  }
  for (int64_t i = 0; i < request.room; ++i)
    append(request.data, request.memory, number(request.rank, i, request.call));
}

int RequestStep::start(Request& request) {
  scorpio_file* file = p_.file_;
  const auto let_go = [&request](int code) {
    std::fill(request.data.begin(), request.data.end(), k_room_untouched);  // it was copied
    return code;
  };
  scorpio_access access{};
  Extents starts, counts;
  if (request.kind == Kind::record) {
    access = scorpio_darray(request.variable, request.parts->decomp->get(), request.record, request.memory,
                            request.data.data());
  } else if (request.kind == Kind::many) {
    for (const Box& box : request.boxes) {
      starts.insert(starts.end(), box.start.begin(), box.start.end());
      counts.insert(counts.end(), box.count.begin(), box.count.end());
    }
    access = api_test::hyperslabs(request.variable, static_cast<int64_t>(request.boxes.size()), starts.data(),
                                  counts.data(), request.memory, request.data.data());
  } else {
    const Box& box = request.boxes[0];
    std::byte* data = request.data.data() + box.origin * static_cast<int64_t>(bytes_of(request.memory));
    access = scorpio_hyperslab(request.variable, box.start.data(), box.count.data(), request.memory, data);
    if (std::any_of(box.stride.begin(), box.stride.end(), [](int64_t n) { return n != 1; }))
      access.stride = box.stride.data();
    if (!box.map.empty()) access.map = box.map.data();
  }
  if (request.reading) return scorpio_iget(file, &access, &request.request);
  const bool buffered =
      request.kind == Kind::buffered || (request.kind != Kind::one && request.call % 2 == 0);
  return buffered ? let_go(scorpio_bput(file, &access, &request.request))
                  : scorpio_iput(file, &access, &request.request);
}

void RequestStep::start_and_check(Request& request) {
  fill_buffer(request);
  EXPECT_SUCCESS(start(request));
  if (!request.cancelled) return;
  EXPECT_SUCCESS(scorpio_cancel(p_.file_, 1, &request.request));
  EXPECT_EQ(SCORPIO_REQUEST_NULL, request.request);
}

// What the wait does, in the model: puts before gets.
void RequestStep::carry_out(int wait) {
  for (const Request& request : requests_) {
    if (request.reading || request.cancelled || request.wait != wait) continue;
    std::vector<Change> changes;
    for (const auto& [element, place] : request.elements) {
      changes.emplace_back(element, number(request.rank, place, request.call));
    }
    p_.model_.put(request.variable, changes);
  }
  for (const Request& request : requests_) {
    if (request.reading && !request.cancelled && request.wait == wait && request.rank == p_.rank_)
      check(request);
  }
}

void RequestStep::check(const Request& request) const {
  const Variable& variable = p_.model_.variable(request.variable);
  const size_t width = variable.type.bytes;
  Bytes expected(request.data.size(), k_room_untouched);
  for (const auto& [element, place] : request.elements) {
    const std::byte* from = variable.known[static_cast<size_t>(element)] != 0
                                ? p_.model_.element(request.variable, element)
                                : request.data.data() + static_cast<size_t>(place) * width;
    std::memcpy(expected.data() + static_cast<size_t>(place) * width, from, width);
  }
  const auto wrong = std::mismatch(expected.begin(), expected.end(), request.data.begin());
  if (wrong.first == expected.end()) return;
  ADD_FAILURE() << "posted get of " << variable.name << ", kind " << static_cast<int>(request.kind)
                << ": byte " << wrong.first - expected.begin() << " of " << expected.size() << " is "
                << std::to_integer<int>(*wrong.second) << ", not " << std::to_integer<int>(*wrong.first);
}

// The last wait may be for all, or a sync.
void RequestStep::wait(int wait, bool last) {
  const size_t how = last ? p_.pick(3) : 2;
  if (how == 0) {
    EXPECT_SUCCESS(scorpio_wait(p_.file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  } else if (how == 1) {
    EXPECT_SUCCESS(scorpio_file_sync(p_.file_));
  } else {
    std::vector<scorpio_request> requests;
    for (const Request& request : requests_) {
      if (request.rank == p_.rank_ && !request.cancelled && request.wait == wait)
        requests.push_back(request.request);
    }
    std::vector<int> statuses(requests.size(), -99);
    if (wait % 2 == 1) std::reverse(requests.begin(), requests.end());
    EXPECT_SUCCESS(
        scorpio_wait(p_.file_, static_cast<int>(requests.size()), requests.data(), statuses.data()));
    EXPECT_EQ(std::vector<int>(statuses.size(), SCORPIO_OK), statuses);
    EXPECT_EQ(std::vector<scorpio_request>(requests.size(), SCORPIO_REQUEST_NULL), requests);
  }
  carry_out(wait);
}

void RequestStep::post_all() {
  const size_t most = 1 + p_.pick(12);
  for (size_t i = 0; i < most; ++i) {
    Request request = draw();
    if (claim(request)) requests_.push_back(std::move(request));
  }
  EXPECT_SUCCESS(scorpio_buffer_attach(p_.file_, 1 << 20));
  for (Request& request : requests_) {
    if (request.rank == p_.rank_) start_and_check(request);
  }
}

void RequestStep::wait_all() {
  const auto waits = static_cast<int>(1 + p_.pick(3));
  for (Request& request : requests_) request.wait %= waits;
  for (int i = 0; i < waits; ++i) wait(i, i == waits - 1);
  EXPECT_SUCCESS(scorpio_buffer_detach(p_.file_));
}

void RequestStep::run() {
  post_all();
  wait_all();
}

void Program::post() { RequestStep(*this).run(); }

// Requests made between definitions. The first call that carries out some of them may end define mode.
void Program::post_and_define() {
  RequestStep requests(*this);
  requests.post_all();
  define_more();
  if (one_in(2)) {
    EXPECT_SUCCESS(scorpio_define_end(file_));
  }
  model_.end_definitions();
  requests.wait_all();
}

}  // namespace scorpio::classic_test
