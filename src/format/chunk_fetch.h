// Reads stored chunks and decodes them: as few reads as there are gaps between them. Independent; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "codec/pipeline.h"
#include "storage/sink.h"

namespace scorpio::format {

struct WantedChunk {
  uint64_t begin = 0;    // in raw space: by which it is named
  uint64_t address = 0;  // in the file
  uint64_t bytes = 0;    // as stored
  uint32_t skipped = 0;
  const codec::Pipeline* pipeline = nullptr;  // null: these bytes are a part of the chunk as it is stored
  std::span<std::byte> image{};               // what becomes of them
};

// `name_of`: names a chunk, for what is wrong with it. The order of `wanted` is of no account.
Status fetch(storage::Source& file, std::vector<WantedChunk> wanted,
             const std::function<std::string(uint64_t begin)>& name_of);

}  // namespace scorpio::format
