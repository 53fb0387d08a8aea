#include "transfer/read_queue.h"

namespace scorpio::transfer {

using exchange::EmptySlot;

void ReadQueue::fill_some() {
  for (bool more = true; more && !slots_.empty();) {
    slots_.announce([&](const EmptySlot& slot) {
      reader_.announce(slot);
      return true;
    });
    const EmptySlot slot = slots_.pop();
    reader_.fill(slot);
    more = slot.source->decoding() == nullptr;
    slot.completion.done();
  }
}

}  // namespace scorpio::transfer
