#include "transfer/writer.h"

#include "base/guarded.h"

namespace scorpio::transfer {

void Writer::add(exchange::FullSlot& slot) {
  if (slot.exact) {
    for (const ByteRange& range : slot.certain) add_range(slot, range);
    return;
  }
  exchange::Bitmap& bitmap = slot.slot.bitmap;
  const uint64_t first = slot.unit.bytes.begin;
  for (const ByteRange& range : slot.certain) bitmap.set(range.begin - first, range.end - first);
  bitmap.for_each([&](uint64_t begin, uint64_t end) { add_range(slot, {first + begin, first + end}); });
  bitmap.clear();
}

// Neighbours in one file that are neighbours in memory too are one write.
void Writer::add_range(const exchange::FullSlot& slot, ByteRange range) {
  const std::byte* bytes = slot.slot.bytes + (range.begin - slot.unit.bytes.begin);
  if (outlet_ == slot.outlet && range_.end == range.begin && bytes_ + (range_.end - range_.begin) == bytes) {
    range_.end = range.end;
    return;
  }
  write();
  outlet_ = slot.outlet;
  range_ = range;
  bytes_ = bytes;
}

void Writer::write() {
  if (outlet_ == nullptr) return;
  exchange::Outlet& outlet = *std::exchange(outlet_, nullptr);
  // A file that is in error already: what is not written is reported, not hidden.
  if (!outlet.status.ok()) return;
  const observe::Timer timer(counters_.time_io_ns);
  outlet.status = guarded([&] {
    return outlet.sink->write(range_.begin, {bytes_, range_.end - range_.begin});
  });
}

void Writer::finish() {
  ++counters_.rounds;
  write();
}

}  // namespace scorpio::transfer
