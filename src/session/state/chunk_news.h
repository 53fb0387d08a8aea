// What an I/O rank tells the metadata rank of the chunks that it has stored, as a message. Local; pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "storage/chunk_access.h"

namespace scorpio::session {

struct ChunkNews {
  std::vector<storage::IndexEntry> index;
  std::vector<storage::LossEntry> losses;

  friend bool operator==(const ChunkNews&, const ChunkNews&) = default;
};

// No words if there is nothing to tell.
std::vector<int64_t> as_message(const ChunkNews& news);
// Adds what the message of a rank tells.
void add_message(std::span<const int64_t> words, ChunkNews& news);

}  // namespace scorpio::session
