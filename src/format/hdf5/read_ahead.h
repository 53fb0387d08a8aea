// Keeps blocks of a stored file for the many small reads of metadata by HDF5. Local; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/result.h"
#include "storage/store.h"

namespace scorpio::format::hdf5 {

class ReadAhead {
 public:
  // As StoredFile::read_at, but bytes after the end are read as zeros.
  Status read(storage::StoredFile& file, uint64_t address, std::span<std::byte> out);
  // The file was written: blocks that were read before may be out of date.
  void forget() { blocks_.clear(); }

 private:
  Result<std::span<const std::byte>> block(storage::StoredFile& file, uint64_t number);

  std::map<uint64_t, std::vector<std::byte>> blocks_;  // by address / block size
};

}  // namespace scorpio::format::hdf5
