#include "transfer/writer.h"

#include <utility>

#include "base/guarded.h"
#include "observe/counters_here.h"

namespace scorpio::transfer {

Writer::Writer(observe::Counters* counters) : counters_(counters) { parts_.reserve(storage::k_most_parts); }

void Writer::add(exchange::FullSlot& slot) {
  if (slot.file_io->takes_rounds(slot.round)) {
    write();
    slot.file_io->sink->encoding()->begin_round(slot.round);
  }
  slot.for_each_range(
      [&](ByteRange range, std::span<std::byte> bytes) { add_range(slot.file_io, range, bytes); });
  if (!slot.exact) slot.slot.bitmap.clear();
  if (slot.file_io->takes_announcements(slot.unit)) write();  // so that the slot is free early
}

void Writer::add_range(exchange::FileIo* file_io, ByteRange range, std::span<const std::byte> bytes) {
  const bool adjacent = file_io_ == file_io && range_.end == range.begin;
  if (adjacent && parts_.back().data() + parts_.back().size() == bytes.data()) {
    parts_.back() = {parts_.back().data(), parts_.back().size() + bytes.size()};
    range_.end = range.end;
  } else if (adjacent && parts_.size() < storage::k_most_parts &&
             range_.size() + range.size() <= exchange::k_joined_write_bytes) {
    parts_.push_back(bytes);
    range_.end = range.end;
  } else {
    write();
    file_io_ = file_io;
    range_ = range;
    parts_.assign(1, bytes);
  }
}

// No slot of a file that has failed is announced: write() is not called any more.
size_t announce(exchange::FullSlot& slot) {
  if (slot.file_io->failed()) return 0;
  storage::EncodingSink& sink = *slot.file_io->sink->encoding();
  const std::span<std::byte> image(slot.slot.bytes, slot.unit.bytes.size());
  size_t pieces = 0;
  slot.file_io->note(guarded([&]() -> Status {
    slot.for_each_range([&](ByteRange range, std::span<std::byte> bytes) {
      pieces += sink.announce(range.begin, bytes, image);
    });
    return {};
  }));
  return pieces;
}

void end_announced(const exchange::FileIo& file_io) {
  storage::EncodingSink* const encoding = file_io.sink == nullptr ? nullptr : file_io.sink->encoding();
  if (encoding != nullptr) encoding->end_announced();
}

void Writer::write() {
  if (file_io_ == nullptr) return;
  ++writes_;
  written_ += range_.end - range_.begin;
  exchange::FileIo& file_io = *std::exchange(file_io_, nullptr);
  // A write to this file has failed before: the file is reported as failed, and no further write is tried.
  if (file_io.failed()) return end_announced(file_io);
  const auto counted = [&](observe::Counters& counters) {
    const observe::CountHere here(counters);
    const observe::TraceFile file(file_io.file);
    const observe::Timer timer(counters.time_io_ns, observe::Activity::write, range_.end - range_.begin);
    if (counters_ == nullptr) counters.rounds += std::exchange(rounds_, 0);
    const Status status = guarded([&] { return file_io.sink->write_parts(range_.begin, parts_); });
    file_io.note(status.of_bytes(range_));
    if (file_io.failed()) end_announced(file_io);
  };
  if (counters_ != nullptr) return counted(*counters_);
  observe::Counters worked;
  counted(worked);
  file_io.add_worked(worked);
}

void Writer::finish() {
  ++(counters_ != nullptr ? counters_->rounds : rounds_);
  write();
}

}  // namespace scorpio::transfer
