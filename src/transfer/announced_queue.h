// The slots of one channel that are to be written or filled, in order. Those in front are announced: other
// ranks encode or decode their chunks until it is their turn. Independent; one thread.
#pragma once

#include <cstddef>
#include <utility>

#include "async/bounded_queue.h"
#include "exchange/io_phase/full_slot.h"

namespace scorpio::transfer {

// `Slot`: FullSlot or EmptySlot.
template <typename Slot>
class AnnouncedQueue {
 public:
  // `slots`: the number of slots that the channel has on this I/O rank.
  explicit AnnouncedQueue(size_t slots) : slots_(slots) {}

  bool empty() const { return slots_.empty(); }
  const Slot& front() const { return slots_.front(); }
  void push(Slot slot) { slots_.push(std::move(slot)); }
  Slot pop() {
    if (announced_ > 0) --announced_;
    return slots_.pop();
  }
  bool any_announced() const { return announced_ > 0; }
  // Calls announce(slot) for the slots that are not announced yet, up to the first that is not to be: false.
  template <typename Announce>
  void announce(Announce&& announce) {
    while (announced_ < slots_.size() && announce(slots_.at(announced_))) ++announced_;
  }
  // Takes out the slots of a file; others keep their order. Calls end(slot) for those that were announced.
  template <typename End>
  void drop(const exchange::FileIo& file_io, End&& end) {
    size_t announced = 0;
    for (size_t i = 0, all = slots_.size(); i < all; ++i) {
      Slot slot = slots_.pop();
      if (slot.file_io != &file_io) {
        slots_.push(std::move(slot));
        announced += i < announced_ ? 1 : 0;
      } else if (i < announced_) {
        end(slot);
      }
    }
    announced_ = announced;
  }

 private:
  async::BoundedQueue<Slot> slots_;
  size_t announced_ = 0;
};

}  // namespace scorpio::transfer
