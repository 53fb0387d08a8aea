// The allocation of addresses in the file to metadata and data; the only class that knows the end of
// allocation. Local; only the thread that calls SCORPIO.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/byte_range.h"
#include "base/interval_set.h"

namespace scorpio::format::hdf5 {

class Space {
 public:
  // The sizes of the pools for metadata, in order; the last one is repeated. They grow fast, so that the
  // metadata of a small file take little space, and those of an eager file of some MiB are in three pieces.
  static constexpr std::array<uint64_t, 4> k_pool_bytes = {uint64_t{4} << 10, uint64_t{64} << 10,
                                                           uint64_t{4} << 20, uint64_t{64} << 20};

  // The first block of the file belongs to this rank: in it metadata may follow data directly. Elsewhere
  // metadata have blocks of their own, because other ranks may write the blocks with data.
  explicit Space(uint64_t block_bytes) : block_bytes_(std::max<uint64_t>(block_bytes, 1)) {}

  uint64_t block_bytes() const { return block_bytes_; }
  // The file is new: all of its first block can be allocated.
  void start_empty() { empty_from_ = 0; }
  // max(end of placed data, end of what HDF5 allocated): the file must never be truncated below it.
  uint64_t end() const { return std::max(library_end_, data_end_); }
  // The end that the driver reports to HDF5, on behalf of data (`raw`) or of metadata.
  uint64_t end_for_library(bool raw) const { return raw && retired_ ? retired_->end : end(); }
  // HDF5 is about to free this range of data, to which a valid file may still refer. HDF5 would allocate it
  // again, except at the end of the file, where it keeps no free space; therefore the driver reports the end
  // of the range as the end of the file for data until HDF5 has freed it. Metadata may have to be read
  // before.
  void retire(ByteRange range) { retired_ = range; }
  // HDF5 moved its own end of allocation; `raw`: on behalf of data rather than metadata.
  void set_library_end(uint64_t end, bool raw);
  // Data of any rank may be anywhere below `end`.
  void raise_data_end(uint64_t end) { data_end_ = std::max(data_end_, end); }
  // Data are or will be in this range: no other bytes are allocated there.
  void reserve_data(ByteRange range);

  // One past the last byte that the file ever had. The bytes between it and end() were freed and are
  // undefined, so no new data are placed there.
  uint64_t written_end() const { return written_end_; }
  void raise_written_end(uint64_t end) { written_end_ = std::max(written_end_, end); }
  uint64_t first_untouched() const { return std::max(end(), written_end_); }

  // Allocates space for HDF5; empty beyond the largest address. Returns an armed placement if it matches
  // exactly. Metadata and heaps are allocated from a pool, so that they stay together while data are placed.
  std::optional<uint64_t> allocate(uint64_t bytes, bool raw);

  // The next raw allocation of exactly `bytes` returns `address` or, without one, unused space after all data
  // and metadata, as AddressBook would assign it. Until disarm(), writes that are wholly inside are fill
  // values, which must not overwrite data.
  void arm(std::optional<uint64_t> address, uint64_t bytes);
  // The range that was allocated, if any.
  std::optional<ByteRange> disarm();
  bool drops(ByteRange range) const;
  // While true, no data that HDF5 writes reach the file.
  void set_dropping_data(bool dropping) { dropping_data_ = dropping; }
  bool drops_data() const { return dropping_data_; }

  // Elements of variables, which other ranks read and write through descriptors of their own.
  void add_data(ByteRange range);
  void remove_data(ByteRange range) { data_.erase(range); }
  bool is_data(ByteRange range) const { return data_.covers(range); }

  // The ranges that were allocated for metadata since the file was opened; bytes that HDF5 has not written
  // there may be written as zeros.
  const IntervalSet& metadata() const { return metadata_; }
  void forget_metadata(ByteRange range) { metadata_.erase(range); }

  // While it opens the file, HDF5 moves the end of allocation for tests of its own.
  void set_tracking(bool tracking) { tracking_ = tracking; }

 private:
  struct Placement {
    std::optional<uint64_t> address;
    uint64_t bytes;
  };
  uint64_t next_block(uint64_t address) const;
  uint64_t behind_data() const;
  uint64_t propose(uint64_t bytes) const;
  uint64_t take_from_pool(uint64_t bytes);
  void start_pool(uint64_t bytes);
  uint64_t next_pool_bytes();
  void use(ByteRange range);

  uint64_t block_bytes_;
  std::optional<uint64_t> empty_from_;  // in a new file: the first block is unused from here to its end
  uint64_t pool_ = 0;                   // [pool_, pool_end_): reserved for metadata, not allocated yet
  uint64_t pool_end_ = 0;
  size_t pools_ = 0;  // index in k_pool_bytes of the next pool
  uint64_t library_end_ = 0;
  uint64_t data_end_ = 0;
  uint64_t placed_end_ = 0;  // end of the data that were placed last
  bool tracking_ = false;
  bool dropping_data_ = false;
  uint64_t written_end_ = 0;
  std::optional<Placement> armed_;
  std::optional<ByteRange> retired_;
  std::optional<ByteRange> taken_;  // the range of the armed placement that was allocated
  IntervalSet data_;
  IntervalSet metadata_;
};

}  // namespace scorpio::format::hdf5
