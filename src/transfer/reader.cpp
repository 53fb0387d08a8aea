#include "transfer/reader.h"

#include <cstring>

#include "base/guarded.h"

namespace scorpio::transfer {

namespace {

std::span<std::byte> memory_of(const exchange::EmptySlot& slot, const ByteRange& range) {
  return {slot.image + (range.begin - slot.unit.bytes.begin), range.size()};
}

uint64_t bytes_of(const std::vector<ByteRange>& ranges) {
  uint64_t bytes = 0;
  for (const ByteRange& range : ranges) bytes += range.size();
  return bytes;
}

Status read_ranges(const exchange::EmptySlot& slot) {
  for (const ByteRange& range : slot.ranges)
    SCORPIO_TRY(slot.source->read(range.begin, memory_of(slot, range)));
  return {};
}

}  // namespace

void end_announced_reads(const exchange::EmptySlot& slot) {
  if (storage::DecodingSource* const decoding = slot.source->decoding(); decoding != nullptr)
    decoding->end_announced_reads();
}

void Reader::announce(const exchange::EmptySlot& slot) {
  storage::DecodingSource* const decoding = slot.source->decoding();
  if (decoding == nullptr) return;
  size_t pieces = 0;
  const observe::Timer timer(counters_.time_io_ns, observe::Activity::read);
  slot.file_io->note_read(guarded([&]() -> Status {
    for (const ByteRange& range : slot.ranges) {
      SCORPIO_ASSIGN(const size_t more, decoding->announce_read(range.begin, memory_of(slot, range)));
      pieces += more;
    }
    return {};
  }));
  if (pieces > 0) slot.completion.user->call_helpers(pieces);
}

void Reader::fill(const exchange::EmptySlot& slot) {
  Status status;
  {
    const observe::Timer timer(counters_.time_io_ns, observe::Activity::read, bytes_of(slot.ranges));
    status = guarded([&] { return read_ranges(slot); });
  }
  if (!status.ok()) {
    end_announced_reads(slot);  // other ranks may still be at work on the slot
    for (const ByteRange& range : slot.ranges) std::memset(memory_of(slot, range).data(), 0, range.size());
  }
  slot.file_io->note_read(status);
}

}  // namespace scorpio::transfer
