// Memory for handles. For any address it determines whether a valid handle is there, without reading memory
// of others. The address of a released handle is used again only after many others were released: a released
// handle is not soon mistaken for a new one. Released handles take addresses, but no memory: a page without
// valid handles is returned to the system. Local; any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/address_range.h"
#include "base/mutex.h"

namespace scorpio::capi {

class HandlePool {
 public:
  static constexpr size_t k_alignment = alignof(void*);  // of handles, which consist of pointers

  // `bytes`: the size of one handle, at most a fraction of a page. `resting`: the number of handles that are
  // released before an address is used again.
  explicit HandlePool(size_t bytes, size_t resting = size_t{1} << 15);
  ~HandlePool();
  HandlePool(const HandlePool&) = delete;
  HandlePool& operator=(const HandlePool&) = delete;

  // The place of a new handle, which is valid from now on. std::bad_alloc.
  void* take();
  // Releases the handle. Has no effect on an address without a valid handle.
  void give_back(void* handle);

  // Lock-free; a constant number of comparisons.
  bool lives(const void* handle) const;

 private:
  // A page without memory reads as zeros: a page without valid handles, and places without one.
  struct Page {
    size_t living;  // number of valid handles in it
  };
  struct Place {
    std::atomic<bool> lives;
    // The handle follows.
  };
  struct Found {
    Place* place = nullptr;
    size_t page = 0;  // its number
  };
  static constexpr size_t k_blocks = 26;  // block b has `first_` << b pages
  static constexpr uint32_t k_none = UINT32_MAX;

  size_t pages_in(size_t block) const { return first_ << block; }
  size_t pages_before(size_t block) const { return pages_in(block) - first_; }
  std::byte* page_at(size_t number) const;
  Found find(const void* handle) const;
  size_t unused_page() REQUIRES(mutex_);
  void add_block() REQUIRES(mutex_);
  void rest(size_t page) REQUIRES(mutex_);

  const size_t stride_;  // distance of places, each of which has a head and a handle
  const size_t page_bytes_;
  const size_t places_in_page_;
  const size_t first_;  // more pages than rest
  std::array<std::atomic<const AddressRange*>, k_blocks> blocks_{};
  Mutex mutex_;
  size_t block_count_ GUARDED_BY(mutex_) = 0;
  size_t pages_used_ GUARDED_BY(mutex_) = 0;  // number of pages that were used at least once
  // The page of the next places, in the order of their addresses; k_none: there is none.
  uint32_t page_ GUARDED_BY(mutex_) = k_none;
  size_t place_ GUARDED_BY(mutex_) = 0;
  // The pages all of whose handles were released, in this order, as a list.
  std::vector<uint32_t> next_ GUARDED_BY(mutex_);  // [pages of all blocks]
  uint32_t oldest_ GUARDED_BY(mutex_) = k_none;
  uint32_t youngest_ GUARDED_BY(mutex_) = k_none;
  size_t resting_ GUARDED_BY(mutex_) = 0;
};

}  // namespace scorpio::capi
