// Reads stored chunks, neighbouring ones with one read, and decodes them. Independent; one thread.
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
  uint64_t begin = 0;    // address in raw space, which identifies the chunk
  uint64_t address = 0;  // in the file
  uint64_t bytes = 0;    // size in the file
  uint32_t skipped = 0;
  const codec::Pipeline* pipeline = nullptr;  // null: the bytes are a part of an unencoded chunk
  std::span<std::byte> image{};               // the result
};

// Returns the name of a chunk, for failures.
using ChunkNames = std::function<std::string(uint64_t begin)>;

// `wanted` may be in any order.
Status fetch(storage::Source& file, std::vector<WantedChunk> wanted, const ChunkNames& name_of);

// Reads chunks as they are stored, each to the first bytes of its image, into which they fit, and then calls
// `fetched`. All of them have a pipeline.
Status fetch_stored(storage::Source& file, std::vector<WantedChunk> wanted, const ChunkNames& name_of,
                    const std::function<void(const WantedChunk& chunk)>& fetched);

}  // namespace scorpio::format
