#include "post_step.h"

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
void PostStep::draw_map(Box& box) {
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

PostStep::Box PostStep::draw_box(const Extents& dims) {
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

void PostStep::draw_boxes(Post& post) {
  const Variable& variable = p_.model_.variable(post.variable);
  Extents dims = p_.model_.extents(variable);
  if (variable.record && !post.reading) dims[0] = std::min<int64_t>(dims[0], 20) + 3;
  const size_t n = post.kind == Kind::many ? 1 + p_.pick(4) : 1;
  std::set<int64_t> seen;
  for (size_t i = 0; i < n; ++i) {
    Box box = draw_box(dims);
    if (post.kind == Kind::many) box.stride.assign(dims.size(), 1);
    const bool takes_map = post.kind == Kind::one || post.kind == Kind::buffered;
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
      int64_t place = post.room + static_cast<int64_t>(e);
      if (mapped) {
        place = box.origin;
        auto left = static_cast<int64_t>(e);
        for (size_t d = dims.size(); d-- > 0; left /= box.count[d]) place += left % box.count[d] * box.map[d];
      }
      post.elements.emplace_back(elements[e], place);
    }
    post.room += mapped ? box.room : static_cast<int64_t>(elements.size());
    post.boxes.push_back(std::move(box));
  }
}

// Other ranks may hold the same elements: who posts writes all of its own.
void PostStep::draw_record(Post& post) {
  const Variable& variable = p_.model_.variable(post.variable);
  post.parts = &p_.random_parts(variable.slab_dims);
  post.record = p_.random_record(variable);
  if (post.reading && variable.record) post.record %= p_.model_.records();
  const std::vector<int64_t>& mine = post.parts->layout.of(post.rank);
  post.room = static_cast<int64_t>(mine.size());
  for (size_t i = 0; i < mine.size(); ++i) {
    if (mine[i] >= 0)
      post.elements.emplace_back(post.record * variable.slab + mine[i], static_cast<int64_t>(i));
  }
}

PostStep::Post PostStep::draw() {
  Post post;
  post.rank = static_cast<int>(p_.pick(static_cast<size_t>(p_.ranks_)));
  post.variable = p_.random_variable();
  const Variable& variable = p_.model_.variable(post.variable);
  post.kind = std::vector<Kind>{Kind::one, Kind::one, Kind::buffered, Kind::many, Kind::record}[p_.pick(5)];
  post.reading = variable.elements() > 0 && p_.one_in(4);
  if (post.reading && post.kind == Kind::buffered) post.kind = Kind::one;
  post.memory = post.reading ? variable.type.scorpio : p_.random_memory(variable.type);
  post.cancelled = p_.one_in(12);
  post.wait = static_cast<int>(p_.pick(3));
  post.call = ++p_.calls_;
  if (post.kind == Kind::record) {
    draw_record(post);
  } else {
    draw_boxes(post);
  }
  return post;
}

// False where another rank puts some of its elements. What grows the file must put something.
bool PostStep::claim(const Post& post) {
  if (post.elements.empty()) return false;
  if (post.reading || post.cancelled) return true;
  for (const auto& [element, place] : post.elements) {
    const auto at = claims_.find({post.variable, element});
    if (at != claims_.end() && at->second != post.rank) return false;
  }
  for (const auto& [element, place] : post.elements) claims_[{post.variable, element}] = post.rank;
  return true;
}

void PostStep::fill_buffer(Post& post) {
  if (post.reading) {
    post.data.assign(static_cast<size_t>(post.room) * bytes_of(post.memory), k_room_untouched);
    return;
  }
  for (int64_t i = 0; i < post.room; ++i) append(post.data, post.memory, number(post.rank, i, post.call));
}

int PostStep::start(Post& post) {
  scorpio_file* file = p_.file_;
  const auto let_go = [&post](int code) {
    std::fill(post.data.begin(), post.data.end(), k_room_untouched);  // it was copied
    return code;
  };
  scorpio_access access{};
  Extents starts, counts;
  if (post.kind == Kind::record) {
    access =
        scorpio_darray(post.variable, post.parts->decomp->get(), post.record, post.memory, post.data.data());
  } else if (post.kind == Kind::many) {
    for (const Box& box : post.boxes) {
      starts.insert(starts.end(), box.start.begin(), box.start.end());
      counts.insert(counts.end(), box.count.begin(), box.count.end());
    }
    access = api_test::hyperslabs(post.variable, static_cast<int64_t>(post.boxes.size()), starts.data(),
                                  counts.data(), post.memory, post.data.data());
  } else {
    const Box& box = post.boxes[0];
    std::byte* data = post.data.data() + box.origin * static_cast<int64_t>(bytes_of(post.memory));
    access = scorpio_hyperslab(post.variable, box.start.data(), box.count.data(), post.memory, data);
    if (std::any_of(box.stride.begin(), box.stride.end(), [](int64_t n) { return n != 1; }))
      access.stride = box.stride.data();
    if (!box.map.empty()) access.map = box.map.data();
  }
  if (post.reading) return scorpio_iget(file, &access, &post.request);
  const bool buffered = post.kind == Kind::buffered || (post.kind != Kind::one && post.call % 2 == 0);
  return buffered ? let_go(scorpio_bput(file, &access, &post.request))
                  : scorpio_iput(file, &access, &post.request);
}

void PostStep::start_and_check(Post& post) {
  fill_buffer(post);
  EXPECT_SUCCESS(start(post));
  if (!post.cancelled) return;
  EXPECT_SUCCESS(scorpio_cancel(p_.file_, 1, &post.request));
  EXPECT_EQ(SCORPIO_REQUEST_NULL, post.request);
}

// What the wait does, in the model: puts before gets.
void PostStep::carry_out(int wait) {
  for (const Post& post : posts_) {
    if (post.reading || post.cancelled || post.wait != wait) continue;
    std::vector<Change> changes;
    for (const auto& [element, place] : post.elements) {
      changes.emplace_back(element, number(post.rank, place, post.call));
    }
    p_.model_.put(post.variable, changes);
  }
  for (const Post& post : posts_) {
    if (post.reading && !post.cancelled && post.wait == wait && post.rank == p_.rank_) check(post);
  }
}

void PostStep::check(const Post& post) const {
  const Variable& variable = p_.model_.variable(post.variable);
  const size_t width = variable.type.bytes;
  Bytes expected(post.data.size(), k_room_untouched);
  for (const auto& [element, place] : post.elements) {
    const std::byte* from = variable.known[static_cast<size_t>(element)] != 0
                                ? p_.model_.element(post.variable, element)
                                : post.data.data() + static_cast<size_t>(place) * width;
    std::memcpy(expected.data() + static_cast<size_t>(place) * width, from, width);
  }
  const auto wrong = std::mismatch(expected.begin(), expected.end(), post.data.begin());
  if (wrong.first == expected.end()) return;
  ADD_FAILURE() << "posted get of " << variable.name << ", kind " << static_cast<int>(post.kind) << ": byte "
                << wrong.first - expected.begin() << " of " << expected.size() << " is "
                << std::to_integer<int>(*wrong.second) << ", not " << std::to_integer<int>(*wrong.first);
}

// The last wait may be for all, or a sync.
void PostStep::wait(int wait, bool last) {
  const size_t how = last ? p_.pick(3) : 2;
  if (how == 0) {
    EXPECT_SUCCESS(scorpio_wait(p_.file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  } else if (how == 1) {
    EXPECT_SUCCESS(scorpio_file_sync(p_.file_));
  } else {
    std::vector<scorpio_request> requests;
    for (const Post& post : posts_) {
      if (post.rank == p_.rank_ && !post.cancelled && post.wait == wait) requests.push_back(post.request);
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

void PostStep::post_all() {
  const size_t most = 1 + p_.pick(12);
  for (size_t i = 0; i < most; ++i) {
    Post post = draw();
    if (claim(post)) posts_.push_back(std::move(post));
  }
  EXPECT_SUCCESS(scorpio_buffer_attach(p_.file_, 1 << 20));
  for (Post& post : posts_) {
    if (post.rank == p_.rank_) start_and_check(post);
  }
}

void PostStep::wait_all() {
  const auto waits = static_cast<int>(1 + p_.pick(3));
  for (Post& post : posts_) post.wait %= waits;
  for (int i = 0; i < waits; ++i) wait(i, i == waits - 1);
  EXPECT_SUCCESS(scorpio_buffer_detach(p_.file_));
}

void PostStep::run() {
  post_all();
  wait_all();
}

void Program::post() { PostStep(*this).run(); }

// Requests made between definitions. The first call that carries out some of them may end define mode.
void Program::post_and_define() {
  PostStep requests(*this);
  requests.post_all();
  define_more();
  if (one_in(2)) {
    EXPECT_SUCCESS(scorpio_define_end(file_));
  }
  model_.end_definitions();
  requests.wait_all();
}

}  // namespace scorpio::classic_test
