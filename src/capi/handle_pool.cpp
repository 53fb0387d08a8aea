#include "capi/handle_pool.h"

#include <new>

namespace scorpio::capi {

HandlePool::HandlePool(size_t bytes, size_t resting)
    : stride_((sizeof(Place) + bytes + alignof(Place) - 1) / alignof(Place) * alignof(Place)),
      resting_most_(resting) {}

HandlePool::~HandlePool() {
  for (const auto& block : blocks_) ::operator delete(block.load());
}

std::byte* HandlePool::place_at(size_t block, size_t index) const {
  return blocks_[block].load(std::memory_order_acquire) + index * stride_;
}

// The head of the place whose handle would have this address.
HandlePool::Place* HandlePool::find(const void* handle) const {
  const auto address = reinterpret_cast<uintptr_t>(handle);
  for (size_t block = 0; block < k_blocks; ++block) {
    std::byte* const begin = blocks_[block].load(std::memory_order_acquire);
    if (begin == nullptr) return nullptr;
    const auto first = reinterpret_cast<uintptr_t>(begin) + sizeof(Place);
    if (address < first || address >= first + places_in(block) * stride_) continue;
    const size_t distance = address - first;
    if (distance % stride_ != 0) return nullptr;
    return reinterpret_cast<Place*>(begin + distance);
  }
  return nullptr;
}

bool HandlePool::lives(const void* handle) const {
  const Place* place = find(handle);
  return place != nullptr && place->lives.load(std::memory_order_acquire);
}

HandlePool::Place* HandlePool::unused() {
  if (blocks_[block_].load() != nullptr && used_ == places_in(block_)) {
    if (block_ + 1 == k_blocks) throw std::bad_alloc();
    ++block_;
    used_ = 0;
  }
  if (blocks_[block_].load() == nullptr) {
    auto* const begin = static_cast<std::byte*>(::operator new(places_in(block_) * stride_));
    for (size_t i = 0; i < places_in(block_); ++i) new (begin + i * stride_) Place();
    blocks_[block_].store(begin, std::memory_order_release);
  }
  return reinterpret_cast<Place*>(place_at(block_, used_++));
}

void* HandlePool::take() {
  const MutexLock lock(mutex_);
  Place* place = oldest_;
  if (resting_ > resting_most_) {
    oldest_ = place->next;
    --resting_;
  } else {
    place = unused();
  }
  place->lives.store(true, std::memory_order_release);
  return place + 1;
}

void HandlePool::give_back(void* handle) {
  const MutexLock lock(mutex_);
  Place* const place = find(handle);
  if (place == nullptr || !place->lives.exchange(false)) return;
  place->next = nullptr;
  (resting_ == 0 ? oldest_ : youngest_->next) = place;
  youngest_ = place;
  ++resting_;
}

}  // namespace scorpio::capi
