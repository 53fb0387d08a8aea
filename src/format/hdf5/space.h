// Which addresses of the file are taken, and by whom: the one place that knows the end of allocation.
// Local; the thread that calls SCORPIO alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "format/hdf5/interval_set.h"

namespace scorpio::format::hdf5 {

struct Range {
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint64_t end() const { return address + bytes; }
  friend bool operator==(const Range&, const Range&) = default;
};

class Space {
 public:
  explicit Space(uint64_t block_bytes) : block_bytes_(std::max<uint64_t>(block_bytes, 1)) {}

  uint64_t block_bytes() const { return block_bytes_; }
  // max(end of placed data, end of what HDF5 allocated): nothing may ever be cut below it.
  uint64_t end() const { return std::max(library_end_, data_end_); }
  // HDF5 moved its own end of allocation; `raw`: on behalf of data rather than metadata.
  void set_library_end(uint64_t end, bool raw);
  // Data (of whatever rank) may lie anywhere below `end`.
  void raise_data_end(uint64_t end) { data_end_ = std::max(data_end_, end); }

  // One past the last byte that the file ever had. Between it and end() lies what was freed: it reads as
  // anything, so nothing new is placed there.
  uint64_t written_end() const { return written_end_; }
  void raise_written_end(uint64_t end) { written_end_ = std::max(written_end_, end); }
  uint64_t first_untouched() const { return std::max(end(), written_end_); }

  // Space that HDF5 asks for; none beyond the largest address. Answers an armed placement if it matches
  // exactly.
  std::optional<uint64_t> allocate(uint64_t bytes, bool raw);

  // The next raw allocation of exactly `bytes` gets `address`; without one, untouched space behind
  // everything. Until disarm(), writes that lie wholly inside are fill values, which must not reach data that
  // are there.
  void arm(std::optional<uint64_t> address, uint64_t bytes);
  // The range that was given out, if one was.
  std::optional<Range> disarm();
  bool drops(Range range) const;

  // Elements of variables: written and read by others too, through descriptors of their own.
  void add_data(Range range);
  void remove_data(Range range) { data_.erase(range.address, range.end()); }
  bool is_data(Range range) const { return data_.covers(range.address, range.end()); }

  // Given out for metadata since the file was opened: what HDF5 has not written there may be written as
  // zeros.
  const IntervalSet& metadata() const { return metadata_; }
  void forget_metadata(uint64_t begin, uint64_t end) { metadata_.erase(begin, end); }

  // Before the file is open, HDF5 moves the end for its own probing.
  void set_tracking(bool tracking) { tracking_ = tracking; }

 private:
  struct Placement {
    std::optional<uint64_t> address;
    uint64_t bytes;
  };
  uint64_t next_block(uint64_t address) const;
  uint64_t propose(uint64_t bytes) const;

  uint64_t block_bytes_;
  uint64_t library_end_ = 0;
  uint64_t data_end_ = 0;
  bool tracking_ = false;
  uint64_t written_end_ = 0;
  std::optional<Placement> armed_;
  std::optional<Range> taken_;  // what the armed placement gave out
  IntervalSet data_;
  IntervalSet metadata_;
};

}  // namespace scorpio::format::hdf5
