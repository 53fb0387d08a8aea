// The header of a file in storage, and its changes: a reader during a change, or after the writer was killed,
// finds the old header or the new one. Independent; one thread.
//
// The order of a change: the data [durable], an undo journal if bytes of the old header are overwritten, the
// header without its number of records [durable], the number of records [durable]. If only this number
// differs, it alone is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/byte_range.h"
#include "base/result.h"
#include "format/cdf/header.h"
#include "format/metadata_file.h"
#include "storage/guarded_overwrite.h"
#include "storage/store.h"

namespace scorpio::format::cdf {

class StoredHeader {
 public:
  struct Origin {
    std::string name;                 // final path of the file
    storage::Store* store = nullptr;  // for the undo journal; null: none can be kept
    Version version = Version::cdf5;
  };
  StoredHeader(std::unique_ptr<storage::StoredFile> file, Origin origin, const MetadataOptions& options)
      : file_(std::move(file)), origin_(std::move(origin)), options_(options) {}

  // The present header of a file of `file_bytes` bytes.
  void found(std::vector<std::byte> header, uint64_t file_bytes);

  // Makes `header` the header of the file, which is extended to `file_bytes` if it is shorter. If the file
  // has this header already, it is not changed.
  Status change(const std::vector<std::byte>& header, uint64_t file_bytes);

  const MetadataCounters& counters() const { return counters_; }
  storage::StoredFile& file() { return *file_; }
  bool closed() const { return file_ == nullptr; }
  Status close() { return overwrite_.close(file_); }

 private:
  size_t records_end() const;
  // The differences between `next` and the stored header: the number of records, and the bytes after it.
  ByteRange first_part(std::span<const std::byte> next) const;
  ByteRange last_part(std::span<const std::byte> next) const;
  Status extend(uint64_t file_bytes);
  Status write(std::span<const std::byte> next, ByteRange part);
  Status write_parts(std::span<const std::byte> next, ByteRange first, ByteRange last);
  Status write_new(std::span<const std::byte> header);
  Status replace(std::span<const std::byte> next);
  Status overwrite(std::span<const std::byte> next, ByteRange first, ByteRange last);
  Result<bool> guarded();
  Status sync();

  std::unique_ptr<storage::StoredFile> file_;
  Origin origin_;
  MetadataOptions options_;
  MetadataCounters counters_;
  std::vector<std::byte> stored_;  // empty: the file has no header yet
  bool known_ = true;              // false: a change failed, and some bytes may differ from stored_
  uint64_t committed_bytes_ = 0;   // size of the last valid state
  storage::GuardedOverwrite overwrite_{"header"};
};

}  // namespace scorpio::format::cdf
