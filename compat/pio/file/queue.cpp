#include "pio/file/queue.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "common/fingerprint.h"
#include "common/limited_waits.h"
#include "pio/base/failure.h"
#include "pio/base/guarded.h"
#include "pio/file/part_of_array.h"
#include "pio/file/string_elements.h"
#include "scorpio/codes.h"
#include "scorpio/data.h"

namespace scorpio_pio {

using scorpio_compat::Fingerprint;

namespace {

scorpio_access access_of(const Write& write, int root) {
  if (write.layout != nullptr) {
    scorpio_access access =
        scorpio_darray(write.variable, write.layout->native, write.record, write.type, write.values());
    access.fill = write.fill.data();
    return access;
  }
  scorpio_access access =
      scorpio_hyperslab(write.variable, write.start.data(), write.count.data(), write.type, write.values());
  if (!write.stride.empty()) access.stride = write.stride.data();
  access.sharing = SCORPIO_ALL_RANKS;
  access.root = root;
  return access;
}

int put(scorpio_file* file, std::span<const scorpio_access> accesses) {
  const int code = scorpio_put_n(file, static_cast<int>(accesses.size()), accesses.data());
  if (code == SCORPIO_ERR_RANGE) return PIO_NOERR;
  if (code != SCORPIO_ERR_UNSUPPORTED || accesses.size() < 2) return natively(code, k_of_storage);
  // Nothing was put, on any rank, because one of the variables cannot be written.
  int first = PIO_NOERR;
  for (const scorpio_access& access : accesses) first = first_of(first, put(file, std::span(&access, 1)));
  return first;
}

void prepare_part(Write& write) {
  if (!write.array.empty() && write.part == nullptr) write.part = std::make_shared<PutOfPart>(write);
}

// A write that consists of other calls than the rest.
int put_alone(scorpio_file* file, const IoSystem& system, const Write& write) {
  if (write.part != nullptr) return write.part->carry_out(file, system, write);
  return natively(put_strings(file, write, system.root()), {PIO_ENOTVAR, PIO_EINVAL, PIO_EEDGE});
}

// Calls add(number) with the properties of a write without its data.
template <typename Add>
void describe(const Write& write, Add&& add) {
  const auto add_all = [&](const auto& values, size_t numbers) {
    add(static_cast<int64_t>(values.size() * numbers));
    for (const auto& value : values) {
      if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Growth>) {
        add(int64_t{value.dimension});
        add(value.length);
      } else {
        add(static_cast<int64_t>(value));
      }
    }
  };
  add(int64_t{write.variable});
  add(static_cast<int64_t>(write.type));
  add(static_cast<int64_t>(write.element_bytes));
  add(int64_t{write.layout == nullptr ? -1 : write.layout->number});
  add(write.record);
  add(static_cast<int64_t>(write.ndims));
  add_all(write.array, 1);
  add_all(write.start, 1);
  add_all(write.count, 1);
  add_all(write.stride, 1);
  add_all(write.fill, 1);
  add_all(write.growth, 2);
}

std::vector<int64_t> described(const Write& write) {
  std::vector<int64_t> facts;
  describe(write, [&](int64_t fact) { facts.push_back(fact); });
  return facts;
}

// The write that `facts` describe from `at` on, without data; elements without data get the fill value.
class Rebuilt {
 public:
  explicit Rebuilt(const std::vector<int64_t>& facts) : facts_(facts) {}

  Write next(const IoSystem& system, bool& possible) {
    Write write;
    write.variable = static_cast<int>(number());
    write.type = static_cast<scorpio_type>(number());
    write.element_bytes = static_cast<size_t>(number());
    const int64_t layout = number();
    write.record = number();
    write.ndims = static_cast<size_t>(number());
    write.array = list();
    write.start = list();
    write.count = list();
    write.stride = list();
    for (const int64_t byte : list()) write.fill.push_back(static_cast<std::byte>(byte));
    const std::vector<int64_t> growth = list();
    for (size_t i = 0; i + 1 < growth.size(); i += 2)
      write.growth.push_back({static_cast<int>(growth[i]), growth[i + 1]});
    if (layout >= 0) write.layout = layout_of(system, layout);
    possible = layout < 0 || write.layout != nullptr;
    return write;
  }

  // The data of a write that this rank does not have: fill values.
  static void fill_all(Write& write) {
    const auto n = static_cast<size_t>(write.layout->elements);
    write.data.capacity = n * write.element_bytes;
    write.data.bytes = std::make_unique_for_overwrite<std::byte[]>(write.data.capacity);
    for (size_t i = 0; i < n; ++i)
      std::copy(write.fill.begin(), write.fill.end(), write.data.get() + i * write.element_bytes);
  }

 private:
  int64_t number() { return facts_[at_++]; }
  std::vector<int64_t> list() {
    const auto n = static_cast<std::ptrdiff_t>(number());
    const auto begin = facts_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += static_cast<size_t>(n);
    return {begin, begin + n};
  }
  static std::shared_ptr<Layout> layout_of(const IoSystem& system, int64_t number) {
    const auto at = system.layouts.find(static_cast<int>(number));
    return at == system.layouts.end() ? nullptr : at->second.lock();
  }

  const std::vector<int64_t>& facts_;
  size_t at_ = 0;
};

struct WriteList {
  size_t writes = 0;
  std::vector<int64_t> facts;  // of all writes
};

// Collective: the descriptions of the lowest rank among those with most writes.
WriteList longest_list(const IoSystem& system, const std::vector<Write>& mine) {
  std::array<int, 2> most{static_cast<int>(mine.size()), system.rank()};
  scorpio_compat::all_reduce(most.data(), 1, MPI_2INT, MPI_MAXLOC, system.comm());
  WriteList list{static_cast<size_t>(most[0]), {}};
  if (most[1] == system.rank()) {
    for (const Write& write : mine) {
      const std::vector<int64_t> more = described(write);
      list.facts.insert(list.facts.end(), more.begin(), more.end());
    }
  }
  auto length = static_cast<int64_t>(list.facts.size());
  scorpio_compat::broadcast(&length, 1, MPI_INT64_T, most[1], system.comm());
  list.facts.resize(static_cast<size_t>(length));
  scorpio_compat::broadcast(list.facts.data(), static_cast<int>(length), MPI_INT64_T, most[1], system.comm());
  return list;
}

// The writes of the list, with the data of this rank or with fill values. possible[i]: whether this rank can
// take part in write i. Returns whether each write of this rank is in the list, and what it did not write is
// explained.
bool match(const WriteList& list, std::vector<Write>& mine, const IoSystem& system, bool failed,
           std::vector<Write>& agreed, std::vector<int>& possible) {
  const bool is_root = system.rank() == system.root();
  bool explained = true;
  size_t next = 0, found = 0;
  Rebuilt rebuilt(list.facts);
  for (size_t i = 0; i < list.writes; ++i) {
    bool have = true;
    Write write = rebuilt.next(system, have);
    const std::vector<int64_t> wanted = described(write);
    const auto at = std::find_if(mine.begin() + static_cast<std::ptrdiff_t>(next), mine.end(),
                                 [&](const Write& own) { return described(own) == wanted; });
    if (at != mine.end()) {
      next = static_cast<size_t>(at - mine.begin()) + 1;
      write = std::move(*at);
      ++found;
    } else {
      const bool put_of_root = write.layout == nullptr && is_root;
      have = have && !put_of_root;
      explained = explained && put_of_root && failed;
      if (have && write.layout != nullptr) Rebuilt::fill_all(write);
    }
    agreed[i] = std::move(write);
    possible[i] = have ? 1 : 0;
  }
  return explained && found == mine.size();
}

}  // namespace

bool Queue::Operation::takes(const Write& write) {
  if (layout_ != write.layout.get()) {
    layout_ = write.layout.get();
    taken_.clear();
  }
  if (layout_ == nullptr) return true;
  const Taken one{write.variable, write.record};
  const auto at = std::ranges::lower_bound(taken_, one);  // most variables follow in the order of their ids
  if (at != taken_.end() && *at == one) return false;
  taken_.insert(at, one);
  return true;
}

void Queue::Operation::restart() {
  layout_ = nullptr;
  taken_.clear();
}

void Queue::count_records(const Write& write) {
  for (const Growth& one : write.growth) {
    const auto at = std::ranges::find(records_, one.dimension, &Growth::dimension);
    if (at == records_.end()) {
      records_.push_back(one);
    } else {
      at->length = std::max(at->length, one.length);
    }
  }
}

// Without memory for it, the queue stays as it was.
void Queue::push(Write write, int64_t counted) {
  records_.reserve(records_.size() + write.growth.size());
  write.counted = counted;
  writes_.push_back(std::move(write));
  const Write& pushed = writes_.back();
  count_records(pushed);
  counted_ += counted;
  if (pushed.borrowed != nullptr) ++borrowed_;
  if (pushed.refused) ++refused_;
}

int64_t Queue::records(int dimension) const {
  const auto at = std::ranges::find(records_, dimension, &Growth::dimension);
  return at == records_.end() ? 0 : at->length;
}

void Queue::clear(IoSystem& system) {
  for (Write& write : writes_) system.give_back(std::move(write.data));
  writes_.clear();
  borrowed_ = 0;
  refused_ = 0;
  counted_ = 0;
  records_.clear();
}

void Queue::discard(Write& write, IoSystem& system) {
  counted_ -= write.counted;
  system.held_bytes -= write.counted;
  if (write.borrowed != nullptr) --borrowed_;
  if (write.refused) --refused_;
  system.give_back(std::move(write.data));
}

void Queue::keep_first(size_t writes, IoSystem& system) {
  while (writes_.size() > writes) {
    discard(writes_.back(), system);
    writes_.pop_back();
  }
  records_.clear();
  for (const Write& write : writes_) count_records(write);
}

void Queue::drop_refused(IoSystem& system) {
  if (refused_ == 0) return;
  for (Write& write : writes_) {
    if (write.refused) discard(write, system);
  }
  std::erase_if(writes_, [](const Write& write) { return write.refused; });
  refused_ = 0;
  keep_first(writes_.size(), system);
}

// They are the last ones, because each call copies those that it leaves.
int Queue::copy_borrowed(IoSystem& system) {
  while (borrowed_ > 0) {
    const size_t at = writes_.size() - borrowed_;
    Write& write = writes_[at];
    const int code = guarded([&] {
      write.data = system.take_buffer(write.bytes);
      return PIO_NOERR;
    });
    if (code != PIO_NOERR) {
      keep_first(at, system);
      return code;
    }
    std::memcpy(write.data.get(), write.borrowed, write.bytes);
    write.borrowed = nullptr;
    --borrowed_;
  }
  return PIO_NOERR;
}

uint64_t Queue::fingerprint(bool with_refused) const {
  Fingerprint print;
  for (const Write& write : writes_) {
    if (with_refused || !write.refused) describe(write, [&](int64_t fact) { print.add(fact); });
  }
  return print.value();
}

void Queue::prepare() {
  accesses_.reserve(writes_.size());
  operation_.reserve(writes_.size());
  for (Write& write : writes_) prepare_part(write);
}

int Queue::flush(scorpio_file* file, IoSystem& system) {
  prepare();
  operation_.restart();
  int code = PIO_NOERR;
  const auto put_all = [&] {
    if (!accesses_.empty()) code = first_of(code, put(file, accesses_));
    accesses_.clear();
  };
  for (const Write& write : writes_) {
    if (is_of_strings(write) || write.part != nullptr) {
      put_all();
      operation_.restart();
      code = first_of(code, put_alone(file, system, write));
      continue;
    }
    if (!operation_.takes(write)) {
      put_all();
      operation_.restart();
      (void)operation_.takes(write);
    }
    accesses_.push_back(access_of(write, system.root()));
  }
  put_all();
  clear(system);
  return code;
}

int Queue::reconcile(IoSystem& system, bool failed) {
  const WriteList longest = longest_list(system, writes_);
  std::vector<Write> mine = std::move(writes_);
  clear(system);
  std::vector<Write> agreed(longest.writes);
  std::vector<int> possible(longest.writes + 1, 0);
  (void)guarded([&] {
    possible.back() = match(longest, mine, system, failed, agreed, possible) ? 1 : 0;
    return PIO_NOERR;
  });
  scorpio_compat::all_reduce(possible.data(), static_cast<int>(possible.size()), MPI_INT, MPI_MIN,
                             system.comm());
  for (size_t i = 0; i < agreed.size(); ++i) {
    if (possible[i] != 0) push(std::move(agreed[i]), 0);
  }
  if (possible.back() != 0) return PIO_NOERR;
  return fail(PIO_EINVAL,
              "the ranks have written different variables, parts or records since the last sync; "
              "what a rank did not write has its fill value");
}

}  // namespace scorpio_pio
