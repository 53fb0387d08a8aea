// Memory for handles. For any address it determines whether a valid handle is there, without reading memory
// of others. The memory is never freed, and the place of a released handle is used again only after many
// others were released: a released handle is not soon mistaken for a new one. Local; any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/mutex.h"

namespace scorpio::capi {

class HandlePool {
 public:
  // `bytes`: the size of one handle. `resting`: the number of places that stay unused after their handles
  // were released.
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
  struct alignas(std::max_align_t) Place {
    std::atomic<bool> lives = false;
    Place* next = nullptr;  // next place in the list of released ones
  };
  // The k_first << b places of block b are consecutive.
  static constexpr size_t k_first = 64;
  static constexpr size_t k_blocks = 26;

  size_t places_in(size_t block) const { return k_first << block; }
  std::byte* place_at(size_t block, size_t index) const;
  Place* find(const void* handle) const;
  Place* unused() REQUIRES(mutex_);

  size_t stride_;  // distance of places, each of which has a head and a handle
  size_t resting_most_;
  std::array<std::atomic<std::byte*>, k_blocks> blocks_{};
  Mutex mutex_;
  size_t block_ GUARDED_BY(mutex_) = 0;  // the block that has unused places
  size_t used_ GUARDED_BY(mutex_) = 0;   // number of used places in that block
  Place* oldest_ GUARDED_BY(mutex_) = nullptr;
  Place* youngest_ GUARDED_BY(mutex_) = nullptr;
  size_t resting_ GUARDED_BY(mutex_) = 0;
};

}  // namespace scorpio::capi
