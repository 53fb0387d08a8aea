#include "comm/shared_tasks.h"

#include <algorithm>
#include <array>

#include "base/guarded.h"
#include "comm/futex.h"

namespace scorpio::comm {

namespace {

constexpr size_t k_line_bytes = 64;
// The rank that carries out a task wakes the owner; it may die before.
constexpr std::chrono::microseconds k_longest_nap{1000};

// Of a task. Threads of the owner change k_free and k_filled; they or a rank that helps change k_offered.
enum : uint32_t { k_free, k_filled, k_offered, k_taken, k_done, k_failed };

}  // namespace

// The other members are written before the state, by the rank that the state before gives the task to.
struct alignas(k_line_bytes) SharedTasks::Task {
  Shared<uint32_t> state;
  uint32_t flags;
  uint64_t at;     // of its bytes, in the shared memory
  uint64_t bytes;  // of them, and then of the result
  std::array<double, 2> figures;
  uint32_t recipe_bytes;
  std::array<std::byte, k_recipe_bytes> recipe;
  uint32_t tail_bytes;
  std::array<std::byte, k_tail_bytes> tail;
};

struct alignas(k_line_bytes) SharedTasks::Board {
  Shared<uint32_t> offered;  // number of tasks that no rank has begun; at least that of the states
};

struct alignas(k_line_bytes) SharedTasks::NodeBoard {
  Shared<uint32_t> helping;  // number of ranks that carry out tasks
  Shared<uint64_t> longest;  // the most bytes that a task had
};

namespace {

constexpr size_t bytes_of_owner(size_t board, size_t task) { return board + SharedTasks::k_tasks * task; }

}  // namespace

size_t SharedTasks::bytes(int owners) {
  return sizeof(NodeBoard) + static_cast<size_t>(owners) * bytes_of_owner(sizeof(Board), sizeof(Task));
}

SharedTasks::NodeBoard& SharedTasks::node() const { return *reinterpret_cast<NodeBoard*>(place_.memory); }

SharedTasks::Board& SharedTasks::board(int owner) const {
  return *reinterpret_cast<Board*>(place_.memory + sizeof(NodeBoard) +
                                   static_cast<size_t>(owner) * bytes_of_owner(sizeof(Board), sizeof(Task)));
}

SharedTasks::Task& SharedTasks::task(int owner, int number) const {
  return reinterpret_cast<Task*>(&board(owner) + 1)[number];
}

uint32_t SharedTasks::helpers_with(uint64_t bytes) const {
  const uint64_t ranks = bytes == 0 ? UINT64_MAX : place_.shared.size() / bytes / 2;
  const auto owners = static_cast<uint64_t>(place_.owners);
  if (owners == 0) return 0;
  return static_cast<uint32_t>(std::min<uint64_t>(place_.helpers, ranks > owners ? ranks - owners : 0));
}

uint32_t SharedTasks::helpers() const { return helpers_with(node().longest.load(std::memory_order_relaxed)); }

// Before such a task is on offer.
void SharedTasks::note_length(uint64_t bytes) {
  Shared<uint64_t>& longest = node().longest;
  uint64_t known = longest.load(std::memory_order_relaxed);
  while (known < bytes && !longest.compare_exchange_weak(known, bytes)) {
  }
}

std::optional<int> SharedTasks::offer(std::span<const std::byte> recipe, std::span<std::byte> bytes) {
  const bool inside =
      bytes.data() >= place_.shared.data() && bytes.size() <= place_.shared.size() &&
      static_cast<size_t>(bytes.data() - place_.shared.data()) <= place_.shared.size() - bytes.size();
  if (recipe.size() > k_recipe_bytes || !inside) return std::nullopt;
  note_length(bytes.size());
  for (int number = 0; number < k_tasks; ++number) {
    Task& free = task(place_.mine, number);
    uint32_t expected = k_free;
    if (!free.state.compare_exchange_strong(expected, k_filled)) continue;
    free.at = static_cast<uint64_t>(bytes.data() - place_.shared.data());
    free.bytes = bytes.size();
    free.recipe_bytes = static_cast<uint32_t>(recipe.size());
    std::ranges::copy(recipe, free.recipe.begin());
    board(place_.mine).offered.fetch_add(1);
    free.state.store(k_offered, std::memory_order_release);
    return number;
  }
  return std::nullopt;
}

bool SharedTasks::take_back(int number) {
  uint32_t expected = k_offered;
  if (!task(place_.mine, number).state.compare_exchange_strong(expected, k_free)) return false;
  board(place_.mine).offered.fetch_sub(1);
  return true;
}

SharedTasks::Progress SharedTasks::progress(int number, Outcome& outcome) {
  Task& mine = task(place_.mine, number);
  const uint32_t state = mine.state.load(std::memory_order_acquire);
  if (state == k_taken) return Progress::under_way;
  if (state == k_done)
    outcome = {
        mine.bytes, mine.flags, mine.figures, {mine.tail.begin(), mine.tail.begin() + mine.tail_bytes}};
  mine.state.store(k_free, std::memory_order_release);
  return state == k_done ? Progress::done : Progress::failed;
}

void SharedTasks::nap(int number) const {
  Shared<uint32_t>& state = task(place_.mine, number).state;
  if (state.load() == k_taken) futex_wait(state, k_taken, k_longest_nap);
}

// Ranks that wait ask again and again: without a task on offer none of them writes to shared memory.
bool SharedTasks::help() {
  Shared<uint32_t>& helping = node().helping;
  if (!has_offers()) return false;
  const uint32_t most = helpers();
  if (helping.load(std::memory_order_relaxed) >= most) return false;
  const bool may = helping.fetch_add(1) < most;
  const bool helped = may && help_any();
  helping.fetch_sub(1);
  return helped;
}

bool SharedTasks::has_offers(int owner) const {
  return owner != place_.mine && board(owner).offered.load(std::memory_order_relaxed) > 0;
}

bool SharedTasks::has_offers() const {
  for (int owner = 0; owner < place_.owners; ++owner) {
    if (has_offers(owner)) return true;
  }
  return false;
}

// Ranks look at the boards of the other owners first: an owner takes its own tasks back.
bool SharedTasks::help_any() {
  for (int i = 1; i <= place_.owners; ++i) {
    const int owner = (std::max(place_.mine, 0) + i) % place_.owners;
    if (has_offers(owner) && help(owner)) return true;
  }
  return false;
}

bool SharedTasks::help(int owner) {
  for (int number = 0; number < k_tasks; ++number) {
    Task& found = task(owner, number);
    uint32_t expected = k_offered;
    if (found.state.load(std::memory_order_relaxed) != k_offered ||
        !found.state.compare_exchange_strong(expected, k_taken)) {
      continue;
    }
    board(owner).offered.fetch_sub(1);
    const Status done = guarded([&]() -> Status {
      SCORPIO_ASSIGN(const Outcome outcome, body_(std::span(found.recipe).first(found.recipe_bytes),
                                                  place_.shared.subspan(found.at, found.bytes)));
      found.bytes = outcome.bytes;
      found.flags = outcome.flags;
      found.figures = outcome.figures;
      found.tail_bytes = static_cast<uint32_t>(outcome.tail.size());
      std::ranges::copy(outcome.tail, found.tail.begin());
      return {};
    });
    found.state.store(done.ok() ? k_done : k_failed, std::memory_order_release);
    futex_wake_all(found.state);
    return true;
  }
  return false;
}

}  // namespace scorpio::comm
