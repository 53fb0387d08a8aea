#include "transfer/reader.h"

#include <cstring>

#include "base/guarded.h"

namespace scorpio::transfer {

namespace {

std::span<std::byte> memory_of(const exchange::EmptySlot& slot) {
  return {slot.image + (slot.range.begin - slot.unit.bytes.begin), slot.range.size()};
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
  slot.file_io->note(guarded([&]() -> Status {
    SCORPIO_ASSIGN(pieces, decoding->announce_read(slot.range.begin, memory_of(slot)));
    return {};
  }));
  if (pieces > 0) slot.completion.user->call_helpers(pieces);
}

void Reader::fill(const exchange::EmptySlot& slot) {
  const std::span<std::byte> bytes = memory_of(slot);
  Status status;
  {
    const observe::Timer timer(counters_.time_io_ns, observe::Activity::read, bytes.size());
    status = guarded([&] { return slot.source->read(slot.range.begin, bytes); });
  }
  if (!status.ok()) {
    end_announced_reads(slot);  // other ranks may still be at work on the slot
    std::memset(bytes.data(), 0, bytes.size());
  }
  slot.file_io->note(status);
}

}  // namespace scorpio::transfer
