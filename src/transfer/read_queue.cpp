#include "transfer/read_queue.h"

namespace scorpio::transfer {

using exchange::EmptySlot;

void ReadQueue::fill_some() {
  for (bool more = true; more && !slots_.empty();) {
    for (; announced_ < slots_.size(); ++announced_) reader_.announce(slots_.at(announced_));
    const EmptySlot slot = slots_.pop();
    --announced_;
    reader_.fill(slot);
    more = slot.source->decoding() == nullptr;
    slot.completion.done();
  }
}

void ReadQueue::drop(const exchange::FileIo& file_io) {
  size_t announced = 0;
  for (size_t i = 0, all = slots_.size(); i < all; ++i) {
    const EmptySlot slot = slots_.pop();
    if (slot.file_io != &file_io) {
      slots_.push(slot);
      announced += i < announced_ ? 1 : 0;
    } else if (i < announced_) {
      end_announced_reads(slot);
    }
  }
  announced_ = announced;
}

}  // namespace scorpio::transfer
