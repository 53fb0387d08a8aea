#include "format/chunk_fetch.h"

#include <algorithm>
#include <memory>

namespace scorpio::format {

namespace {

// Reading this number of bytes that are not needed takes less time than a second read.
constexpr uint64_t k_gap_bytes = 16 << 10;
// The size of a read, unless one chunk is larger.
constexpr uint64_t k_most_fetch_bytes = 4 << 20;

using Wanted = std::span<const WantedChunk>;

uint64_t end_of(const WantedChunk& chunk) { return chunk.address + chunk.bytes; }

// Whether both are unencoded and adjacent, in the file and in memory.
bool continues(const WantedChunk& before, const WantedChunk& next) {
  return before.pipeline == nullptr && next.pipeline == nullptr && next.address == end_of(before) &&
         next.image.data() == before.image.data() + before.image.size();
}

// The number of chunks, from the first one on, that are read together.
size_t together(Wanted sorted) {
  size_t count = 1;
  const bool plain = sorted[0].pipeline == nullptr;
  for (; count < sorted.size(); ++count) {
    const WantedChunk &before = sorted[count - 1], &next = sorted[count];
    if (plain ? !continues(before, next) : next.pipeline == nullptr) break;
    // Chunks of a damaged file may overlap.
    if (next.address < end_of(before) || next.address - end_of(before) > k_gap_bytes) break;
    if (!plain && end_of(next) - sorted[0].address > k_most_fetch_bytes) break;
  }
  return count;
}

class Fetch {
 public:
  Fetch(storage::Source& file, const std::function<std::string(uint64_t begin)>& name_of)
      : file_(file), name_of_(name_of) {}

  Status read(Wanted chunks) {
    const uint64_t bytes = end_of(chunks.back()) - chunks.front().address;
    if (chunks.front().pipeline == nullptr) {
      return file_.read(chunks.front().address, {chunks.front().image.data(), bytes});
    }
    if (room_ < bytes) {
      buffer_.reset();
      buffer_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
      room_ = bytes;
    }
    const std::span<std::byte> all(buffer_.get(), bytes);
    SCORPIO_TRY(file_.read(chunks.front().address, all));
    for (const WantedChunk& chunk : chunks) {
      const auto stored = all.subspan(chunk.address - chunks.front().address, chunk.bytes);
      const Status decoded = chunk.pipeline->decode(stored, chunk.skipped, chunk.image);
      if (!decoded.ok()) return decoded.with_context(name_of_(chunk.begin));
    }
    return {};
  }

 private:
  storage::Source& file_;
  const std::function<std::string(uint64_t begin)>& name_of_;
  std::unique_ptr<std::byte[]> buffer_;
  uint64_t room_ = 0;
};

}  // namespace

Status fetch(storage::Source& file, std::vector<WantedChunk> wanted,
             const std::function<std::string(uint64_t begin)>& name_of) {
  std::ranges::sort(wanted, {}, &WantedChunk::address);
  Fetch fetching(file, name_of);
  Wanted rest(wanted);
  while (!rest.empty()) {
    const size_t count = together(rest);
    SCORPIO_TRY(fetching.read(rest.first(count)));
    rest = rest.subspan(count);
  }
  return {};
}

}  // namespace scorpio::format
