#include "capi/handle_pool.h"

#include <new>

namespace scorpio::capi {

namespace {

constexpr size_t aligned(size_t bytes) {
  return (bytes + HandlePool::k_alignment - 1) / HandlePool::k_alignment * HandlePool::k_alignment;
}

}  // namespace

HandlePool::HandlePool(size_t bytes, size_t resting)
    : stride_(aligned(sizeof(Place)) + aligned(bytes)),
      page_bytes_(AddressRange::page_bytes()),
      places_in_page_((page_bytes_ - sizeof(Page)) / stride_),
      first_((resting + places_in_page_ - 1) / places_in_page_ + 2) {}

HandlePool::~HandlePool() {
  for (const auto& block : blocks_) delete block.load();
}

std::byte* HandlePool::page_at(size_t number) const {
  size_t block = 0;
  while (number >= pages_before(block + 1)) ++block;
  return blocks_[block].load(std::memory_order_acquire)->data() +
         (number - pages_before(block)) * page_bytes_;
}

// The place whose handle would have this address.
HandlePool::Found HandlePool::find(const void* handle) const {
  constexpr size_t k_head = aligned(sizeof(Place));
  const auto address = reinterpret_cast<uintptr_t>(handle);
  for (size_t block = 0; block < k_blocks; ++block) {
    const AddressRange* const range = blocks_[block].load(std::memory_order_acquire);
    if (range == nullptr) return {};
    const auto begin = reinterpret_cast<uintptr_t>(range->data());
    if (address < begin || address >= begin + range->size()) continue;
    const size_t in_page = (address - begin) % page_bytes_;
    if (in_page < sizeof(Page) + k_head) return {};
    const size_t in_places = in_page - sizeof(Page) - k_head;
    if (in_places % stride_ != 0 || in_places / stride_ >= places_in_page_) return {};
    return {reinterpret_cast<Place*>(range->data() + (address - begin) - k_head),
            pages_before(block) + (address - begin) / page_bytes_};
  }
  return {};
}

bool HandlePool::lives(const void* handle) const {
  const Place* place = find(handle).place;
  return place != nullptr && place->lives.load(std::memory_order_acquire);
}

void HandlePool::add_block() {
  if (block_count_ == k_blocks) throw std::bad_alloc();
  auto block = std::make_unique<AddressRange>(pages_in(block_count_) * page_bytes_);
  next_.resize(pages_before(block_count_ + 1), k_none);
  blocks_[block_count_++].store(block.release(), std::memory_order_release);
}

// As many pages rest as have `resting` places, if there are so many.
size_t HandlePool::unused_page() {
  if (resting_ > first_ - 2) {
    const size_t page = oldest_;
    oldest_ = next_[page];
    --resting_;
    return page;
  }
  if (pages_used_ == next_.size()) add_block();
  return pages_used_++;
}

void HandlePool::rest(size_t page) {
  AddressRange::release_page(page_at(page));
  next_[page] = k_none;
  (resting_ == 0 ? oldest_ : next_[youngest_]) = static_cast<uint32_t>(page);
  youngest_ = static_cast<uint32_t>(page);
  ++resting_;
}

void* HandlePool::take() {
  const MutexLock lock(mutex_);
  if (page_ == k_none) {
    page_ = static_cast<uint32_t>(unused_page());
    place_ = 0;
  }
  std::byte* const page = page_at(page_);
  std::byte* const place = page + sizeof(Page) + place_ * stride_;
  ++reinterpret_cast<Page*>(page)->living;
  reinterpret_cast<Place*>(place)->lives.store(true, std::memory_order_release);
  if (++place_ == places_in_page_) page_ = k_none;
  return place + aligned(sizeof(Place));
}

void HandlePool::give_back(void* handle) {
  const MutexLock lock(mutex_);
  const Found found = find(handle);
  if (found.place == nullptr || !found.place->lives.exchange(false)) return;
  auto* const page = reinterpret_cast<Page*>(page_at(found.page));
  if (--page->living == 0 && found.page != page_) rest(found.page);
}

}  // namespace scorpio::capi
