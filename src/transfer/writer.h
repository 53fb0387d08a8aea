// Writes full slots to the sinks of their files, adjacent ranges of a file with one call. Independent; one
// thread at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "exchange/io_phase/full_slot.h"
#include "observe/counters.h"
#include "plan/domains.h"

namespace scorpio::transfer {

class Writer {
 public:
  // `counters`: null if a thread other than the rank's makes the calls; the FileIos then keep the counters.
  explicit Writer(observe::Counters* counters);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Adds a slot; in file order if adjacent slots are to be joined. The slot is written in this call, in a
  // later one, or by finish().
  void add(exchange::FullSlot& slot);
  // Writes everything that was added. Failures are recorded in the FileIos.
  void finish();
  // The number of writes, including those that were left out after a failure of their file; and their bytes.
  uint64_t writes() const { return writes_; }
  uint64_t bytes() const { return written_; }

 private:
  void add_range(exchange::FileIo* file_io, ByteRange range, std::span<const std::byte> bytes);
  void write();

  observe::Counters* counters_;
  // A range of one file that is not written yet, and where its bytes are.
  exchange::FileIo* file_io_ = nullptr;
  ByteRange range_{0, 0};
  std::vector<std::span<const std::byte>> parts_;
  uint64_t writes_ = 0;
  uint64_t written_ = 0;  // bytes of these
  uint64_t rounds_ = 0;   // to be added to the next file_io
};

// Tells the sink of a slot with chunks that the slot will be written: ranks that wait encode chunks of it,
// and until then nobody else uses its memory. A failure is recorded in its FileIo. Returns the number of
// pieces that other ranks may encode.
size_t announce(exchange::FullSlot& slot);
// Nobody uses the memory of slots of this file that were announced to their sink afterwards.
void end_announced(const exchange::FileIo& file_io);

}  // namespace scorpio::transfer
