// The bytes of a file that are in memory, by their addresses: they replace those of the stored file, and some
// of them are to be written. Local; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_range.h"
#include "base/interval_set.h"
#include "format/hdf5/extent_map.h"

namespace scorpio::format::hdf5 {

class KeptBytes {
 public:
  // Keeps these bytes. They are to be written, unless the same ones are kept there already.
  void keep(uint64_t address, std::span<const std::byte> bytes);
  // The bytes of the range are out of date, or were written.
  void forget(ByteRange range);
  // All of them were written; they stay in memory.
  void set_written() { unwritten_.clear(); }

  bool all_written() const { return unwritten_.empty(); }
  uint64_t bytes() const { return known_.bytes(); }
  bool covers(ByteRange range) const { return known_.covers(range.begin, range.end); }
  // Copies the kept bytes of [address, address + out.size()) to `out` and leaves the others unchanged.
  void overlay(uint64_t address, std::span<std::byte> out) const { known_.overlay(address, out); }

  // The ranges of `within` that are to be written, ascending. Two are joined if the bytes between them may be
  // written too, because they are few, and each of them is kept or in `unused`.
  std::vector<ByteRange> to_write(ByteRange within, const IntervalSet& unused) const;

 private:
  bool fillable(ByteRange gap, const IntervalSet& unused) const;

  ExtentMap known_;
  IntervalSet unwritten_;  // part of known_
};

}  // namespace scorpio::format::hdf5
