#include "transfer/writer.h"

#include <utility>

#include "base/guarded.h"
#include "observe/counters_here.h"

namespace scorpio::transfer {

void Writer::add(exchange::FullSlot& slot) {
  if (slot.outlet->takes_rounds(slot.round)) {
    write();
    slot.outlet->sink->begin_round(slot.round);
  }
  slot.for_each_range(
      [&](ByteRange range, std::span<std::byte> bytes) { add_range(slot.outlet, range, bytes.data()); });
  if (!slot.exact) slot.slot.bitmap.clear();
  if (slot.outlet->takes_announcements(slot.unit)) write();  // so that the slot is free early
}

// Ranges that are adjacent in the file and in memory are one write.
void Writer::add_range(exchange::Outlet* outlet, ByteRange range, const std::byte* bytes) {
  if (outlet_ == outlet && range_.end == range.begin && bytes_ + (range_.end - range_.begin) == bytes) {
    range_.end = range.end;
    return;
  }
  write();
  outlet_ = outlet;
  range_ = range;
  bytes_ = bytes;
}

void Writer::write() {
  if (outlet_ == nullptr) return;
  ++writes_;
  written_ += range_.end - range_.begin;
  exchange::Outlet& outlet = *std::exchange(outlet_, nullptr);
  // A write to this file has failed before: the file is reported as failed, and no further write is tried.
  if (outlet.failed()) return outlet.sink->end_announced();
  const auto counted = [&](observe::Counters& counters) {
    const observe::CountHere here(counters);
    const observe::TraceFile file(outlet.file);
    const observe::Timer timer(counters.time_io_ns, observe::Activity::write, range_.end - range_.begin);
    if (counters_ == nullptr) counters.rounds += std::exchange(rounds_, 0);
    outlet.note(guarded([&] {
      return outlet.sink->write(range_.begin, {bytes_, range_.end - range_.begin});
    }));
    if (outlet.failed()) outlet.sink->end_announced();
  };
  if (counters_ != nullptr) return counted(*counters_);
  observe::Counters worked;
  counted(worked);
  outlet.add_worked(worked);
}

void Writer::finish() {
  ++(counters_ != nullptr ? counters_->rounds : rounds_);
  write();
}

}  // namespace scorpio::transfer
