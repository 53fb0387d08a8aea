#include "exchange/memory_messages.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "exchange/interleaving.h"
#include "support/allocations.h"

namespace scorpio::test {

using comm::Transfer;

namespace {

constexpr int k_collective_tag = -1;
// MPI sends less than this at once, whatever the receiver does.
constexpr size_t k_small = 256;
constexpr uint64_t k_most_looks = 4;

}  // namespace

Post::Post(int ranks, Sending sending, uint64_t seed) : sending_(sending) {
  for (int rank = 0; rank < ranks; ++rank) {
    boxes_.push_back(std::make_unique<Box>());
    boxes_.back()->random = mixed(seed + static_cast<uint64_t>(rank));
  }
}

bool Post::empty() {
  return std::all_of(boxes_.begin(), boxes_.end(), [](const std::unique_ptr<Box>& box) {
    const std::lock_guard lock(box->mutex);
    return box->letters.empty();
  });
}

size_t Post::waiting(int rank) {
  Box& box = *boxes_[static_cast<size_t>(rank)];
  const std::lock_guard lock(box.mutex);
  return box.letters.size();
}

size_t MemoryMessages::receives() const {
  return static_cast<size_t>(
      std::ranges::count_if(under_way_, [](const auto& one) { return one.second.receiving; }));
}

void MemoryMessages::put_into(int to, int tag, std::span<const std::byte> bytes, bool at_once,
                              std::shared_ptr<Post::Receipt>& receipt) const {
  shared_access();
  Post::Box& box = *post_.boxes_[static_cast<size_t>(to)];
  const std::lock_guard lock(box.mutex);
  box.random = mixed(box.random + 1);
  Post::Letter letter{rank_, tag, {}, bytes, nullptr, box.random % k_most_looks};
  const bool drawn_at_once = post_.sending_ == Post::Sending::drawn && (box.random >> 32) % 2 == 0;
  if (at_once || drawn_at_once) {
    letter.copy.assign(bytes.begin(), bytes.end());
    letter.bytes = letter.copy;
  } else {
    letter.receipt = receipt = std::make_shared<Post::Receipt>();
  }
  box.letters.push_back(std::move(letter));
}

// Of the first message that fits, if it has arrived.
std::optional<size_t> MemoryMessages::take(std::span<std::byte> bytes, int from, int tag) const {
  Post::Box& box = *post_.boxes_[static_cast<size_t>(rank_)];
  const std::lock_guard lock(box.mutex);
  const auto at = std::find_if(box.letters.begin(), box.letters.end(), [&](const Post::Letter& letter) {
    return letter.from == from && letter.tag == tag;
  });
  if (at == box.letters.end()) return std::nullopt;
  if (at->looks_left > 0) {
    --at->looks_left;
    return std::nullopt;
  }
  const size_t length = std::min(bytes.size(), at->bytes.size());
  if (length > 0) std::memcpy(bytes.data(), at->bytes.data(), length);
  if (at->receipt != nullptr) at->receipt->given.store(true, std::memory_order_release);
  box.letters.erase(at);
  return length;
}

Transfer MemoryMessages::begin(Operation operation) {
  under_way_.emplace(++begun_, std::move(operation));
  return started(begun_);
}

Transfer MemoryMessages::send(std::span<const std::byte> bytes, int to, int tag) {
  const UncountedAllocations uncounted;
  Operation operation;
  const bool small = post_.sending_ == Post::Sending::drawn && bytes.size() < k_small;
  const bool at_once = post_.sending_ == Post::Sending::at_once || small;
  put_into(to, tag, bytes, at_once, operation.receipt);
  return begin(std::move(operation));
}

Transfer MemoryMessages::receive(std::span<std::byte> bytes, int from, int tag) {
  const UncountedAllocations uncounted;
  return begin({nullptr, true, bytes, from, tag});
}

// Receives of one source and tag get their messages in the order in which they were started.
bool MemoryMessages::is_first(Operations::const_iterator of) const {
  return std::none_of(under_way_.begin(), of, [&](const auto& earlier) {
    const Operation& other = earlier.second;
    return other.receiving && other.from == of->second.from && other.tag == of->second.tag;
  });
}

Result<bool> MemoryMessages::test(Transfer& transfer, size_t* length) {
  const UncountedAllocations uncounted;
  if (length != nullptr) *length = 0;
  if (!transfer.under_way()) return true;
  shared_access();
  ++looks_;
  const auto at = under_way_.find(request_of(transfer));
  const Operation& operation = at->second;
  if (operation.receiving) {
    if (!is_first(at)) return false;
    const std::optional<size_t> came = take(operation.bytes, operation.from, operation.tag);
    if (!came) return false;
    if (length != nullptr) *length = *came;
  } else if (operation.receipt != nullptr && !operation.receipt->given.load(std::memory_order_acquire)) {
    return false;
  }
  under_way_.erase(at);
  complete(transfer);
  --looks_;
  return true;
}

void MemoryMessages::wait(Transfer& transfer) {
  for (;;) {
    const Result<bool> done = test(transfer);
    if (!done.ok() || *done) return;
    step_aside();
  }
}

bool MemoryMessages::cancel(Transfer& transfer) {
  if (!transfer.under_way()) return false;
  under_way_.erase(request_of(transfer));
  complete(transfer);
  return false;
}

void MemoryMessages::release(uint64_t request) { under_way_.erase(request); }

Status MemoryMessages::receive_now(std::span<std::byte> bytes, int from, int tag) {
  const UncountedAllocations uncounted;
  while (!take(bytes, from, tag)) step_aside();
  return {};
}

std::optional<comm::Messages::Envelope> MemoryMessages::probe(int tag) {
  shared_access();
  ++looks_;
  Post::Box& box = *post_.boxes_[static_cast<size_t>(rank_)];
  const std::lock_guard lock(box.mutex);
  for (const Post::Letter& letter : box.letters) {
    if (letter.tag == tag) return Envelope{letter.from, letter.bytes.size()};
  }
  return std::nullopt;
}

Result<std::vector<std::vector<int64_t>>> MemoryMessages::all_to_all(
    const std::vector<std::vector<int64_t>>& parts) const {
  const UncountedAllocations uncounted;
  for (int to = 0; to < size(); ++to) {
    std::shared_ptr<Post::Receipt> none;
    put_into(to, k_collective_tag, std::as_bytes(std::span(parts[static_cast<size_t>(to)])), true, none);
  }
  std::vector<std::vector<int64_t>> received;
  std::vector<std::byte> bytes(4096);
  for (int from = 0; from < size(); ++from) {
    std::optional<size_t> length;
    while (!(length = take(bytes, from, k_collective_tag))) {
      if (work_) work_();
      step_aside();
    }
    std::vector<int64_t>& words = received.emplace_back(*length / sizeof(int64_t));
    if (*length > 0) std::memcpy(words.data(), bytes.data(), *length);
  }
  return received;
}

Status MemoryLeaders::all_max(std::span<uint64_t> values, size_t sums) {
  const UncountedAllocations uncounted;
  const std::vector<int64_t> mine(values.begin(), values.end());
  const auto received =
      messages_.all_to_all(std::vector(static_cast<size_t>(messages_.size()), mine)).value();
  std::fill(values.begin(), values.end(), 0);
  for (const std::vector<int64_t>& theirs : received) {
    for (size_t i = 0; i < values.size(); ++i) {
      const auto other = static_cast<uint64_t>(theirs[i]);
      values[i] = i + sums < values.size() ? std::max(values[i], other) : values[i] + other;
    }
  }
  return {};
}

}  // namespace scorpio::test
