#include "transfer/reader.h"

#include <cstring>

#include "base/guarded.h"

namespace scorpio::transfer {

void Reader::fill(const exchange::EmptySlot& slot) {
  const std::span<std::byte> bytes(slot.image + (slot.range.begin - slot.unit.bytes.begin),
                                   slot.range.size());
  Status status;
  {
    const observe::Timer timer(counters_.time_io_ns, observe::Activity::read, bytes.size());
    status = guarded([&] { return slot.source->read(slot.range.begin, bytes); });
  }
  if (!status.ok()) std::memset(bytes.data(), 0, bytes.size());
  slot.outlet->note(status);
}

}  // namespace scorpio::transfer
