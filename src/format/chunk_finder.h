// Finds the chunks that a file has when it is opened. Independent: each I/O rank has its own object.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "storage/store.h"

namespace scorpio::format {

struct FoundChunk {
  uint64_t address = 0;  // in the file
  uint64_t bytes = 0;    // size in the file; 0: never written
  uint32_t skipped = 0;  // bit i: filter i of the variable was not applied

  friend bool operator==(const FoundChunk&, const FoundChunk&) = default;
};

class ChunkFinder {
 public:
  virtual ~ChunkFinder() = default;
  // `object`: Placement::object() of the variable, `start`: [ndims] index of the chunk's first element.
  // Code::format if the file is damaged.
  virtual Result<FoundChunk> find(uint64_t object, std::span<const int64_t> start) = 0;
  virtual Status close() = 0;
};

// Makes a finder for the file at `path`, with its present contents in storage.
using OpenFinder = std::function<Result<std::unique_ptr<ChunkFinder>>(
    std::unique_ptr<storage::StoredFile> file, const std::string& path)>;

}  // namespace scorpio::format
