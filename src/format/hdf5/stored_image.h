// The stored file of an image: reads of it, and writes after which it is valid at any time. New space is
// written first, then changed metadata under an undo journal, the superblock last. Local; one thread at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/interval_set.h"
#include "format/hdf5/kept_bytes.h"
#include "format/hdf5/read_ahead.h"
#include "format/metadata_file.h"
#include "storage/guarded_overwrite.h"
#include "storage/store.h"

namespace scorpio::format::hdf5 {

class StoredImage {
 public:
  struct Ground {
    std::string name;                 // its final path
    storage::Store* store = nullptr;  // for the undo journal; null: no journal is kept
    uint64_t valid_bytes = 0;         // size of the last valid state in storage; 0: there is none
    bool durable = false;
    bool named = true;  // it has its final name
  };
  // `counters` outlives this.
  StoredImage(std::unique_ptr<storage::StoredFile> file, Ground ground, MetadataCounters& counters)
      : file_(std::move(file)), ground_(std::move(ground)), counters_(counters) {}

  bool closed() const { return file_ == nullptr; }
  // Whether `path` is a name of the file now.
  bool is_at(const std::string& path) const;
  // Whether the file has its final name; a new one has a temporary name until it is complete.
  bool named();
  std::optional<int> descriptor() const { return file_->descriptor(); }
  Status close() { return overwrite_.close(file_); }

  // One past the last byte of the last valid state; 0: there is none.
  uint64_t valid_bytes() const { return ground_.valid_bytes; }
  void set_superblock(uint64_t address) { superblock_ = address; }
  uint64_t superblock() const { return superblock_; }
  bool has_superblock(ByteRange range) const { return superblock_ >= range.begin && superblock_ < range.end; }

  // Bytes after the end are zeros. Other ranks change data, so they are read each time; metadata, which only
  // this rank changes, are read ahead.
  Status read_data(uint64_t address, std::span<std::byte> out);
  Status read_metadata(uint64_t address, std::span<std::byte> out) {
    return read_ahead_.read(*file_, address, out);
  }
  Status write(std::span<const std::byte> bytes, uint64_t address);
  // Writes what is kept of the range, and zeros in between.
  Status write_kept(const KeptBytes& kept, ByteRange range);

  // Not OK after a commit has failed while it overwrote the valid state.
  const Status& broken() const { return overwrite_.broken(); }
  // Other ranks may have written after the end that HDF5 knows: the file is only extended.
  Status extend_to(uint64_t size);
  // Writes what is to be written of `kept`; the file is valid then, and has `size` bytes. `unused`: as in
  // KeptBytes::to_write.
  Status commit(const KeptBytes& kept, const IntervalSet& unused, uint64_t size);

 private:
  static constexpr uint64_t k_no_end = std::numeric_limits<uint64_t>::max();

  Status write_all(const KeptBytes& kept, std::span<const ByteRange> ranges);
  Status write_new(const KeptBytes& kept, const IntervalSet& unused);
  Status write_changed(const KeptBytes& kept, const IntervalSet& unused);
  size_t superblock_last(std::vector<ByteRange>& ranges) const;
  Status sync() { return ground_.durable ? file_->sync() : Status(); }

  std::unique_ptr<storage::StoredFile> file_;
  Ground ground_;
  MetadataCounters& counters_;
  ReadAhead read_ahead_;
  uint64_t superblock_ = 0;
  storage::GuardedOverwrite overwrite_{"metadata"};
};

}  // namespace scorpio::format::hdf5
