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

// Reads neighbouring chunks with one read. A failure begins with the name of the first one.
class Fetch {
 public:
  Fetch(storage::Source& file, const ChunkNames& name_of) : file_(file), name_of_(name_of) {}

  // The stored bytes from this chunk on.
  Status read_stored(const WantedChunk& first, std::span<std::byte> bytes) {
    return named(first, file_.read(first.address, bytes));
  }
  Status named(const WantedChunk& chunk, const Status& status) const {
    return status.ok() ? status : status.with_context(name_of_(chunk.begin));
  }

  // Calls `use` with each chunk and its encoded bytes, or reads unencoded ones to their images.
  template <typename Use>
  Status read(Wanted chunks, Use&& use) {
    const uint64_t bytes = end_of(chunks.back()) - chunks.front().address;
    if (chunks.front().pipeline == nullptr) {
      return read_stored(chunks.front(), {chunks.front().image.data(), bytes});
    }
    if (room_ < bytes) {
      buffer_.reset();
      buffer_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
      room_ = bytes;
    }
    const std::span<std::byte> all(buffer_.get(), bytes);
    SCORPIO_TRY(read_stored(chunks.front(), all));
    for (const WantedChunk& chunk : chunks)
      SCORPIO_TRY(use(chunk, all.subspan(chunk.address - chunks.front().address, chunk.bytes)));
    return {};
  }

 private:
  storage::Source& file_;
  const ChunkNames& name_of_;
  std::unique_ptr<std::byte[]> buffer_;
  uint64_t room_ = 0;
};

// Calls `read` with chunks that are read together, in the order of the file.
template <typename Read>
Status for_each_read(std::vector<WantedChunk>& wanted, Read&& read) {
  std::ranges::sort(wanted, {}, &WantedChunk::address);
  for (Wanted rest(wanted); !rest.empty();) {
    const size_t count = together(rest);
    SCORPIO_TRY(read(rest.first(count)));
    rest = rest.subspan(count);
  }
  return {};
}

}  // namespace

namespace {

// A long chunk is read to where it is decoded: a buffer for it would take more memory.
bool takes_no_buffer(Wanted chunks) {
  const WantedChunk& first = chunks.front();
  return chunks.size() == 1 && first.pipeline != nullptr && codec::Pipeline::is_long(first.image.size()) &&
         first.bytes <= first.image.size();
}

Status read_in_place(Fetch& fetching, const WantedChunk& chunk) {
  SCORPIO_TRY(fetching.read_stored(chunk, chunk.image.first(chunk.bytes)));
  return fetching.named(chunk, chunk.pipeline->decode_in_place(chunk.bytes, chunk.skipped, chunk.image));
}

}  // namespace

Status fetch(storage::Source& file, std::vector<WantedChunk> wanted, const ChunkNames& name_of) {
  Fetch fetching(file, name_of);
  const auto decode = [&](const WantedChunk& chunk, std::span<const std::byte> stored) -> Status {
    return fetching.named(chunk, chunk.pipeline->decode(stored, chunk.skipped, chunk.image));
  };
  return for_each_read(wanted, [&](Wanted chunks) {
    return takes_no_buffer(chunks) ? read_in_place(fetching, chunks.front()) : fetching.read(chunks, decode);
  });
}

Status fetch_stored(storage::Source& file, std::vector<WantedChunk> wanted, const ChunkNames& name_of,
                    const std::function<void(const WantedChunk& chunk)>& fetched) {
  Fetch fetching(file, name_of);
  const auto copy = [&](const WantedChunk& chunk, std::span<const std::byte> stored) -> Status {
    std::ranges::copy(stored, chunk.image.begin());
    fetched(chunk);
    return {};
  };
  return for_each_read(wanted, [&](Wanted chunks) -> Status {
    if (chunks.size() > 1) return fetching.read(chunks, copy);
    const WantedChunk& chunk = chunks.front();
    SCORPIO_TRY(fetching.read_stored(chunk, chunk.image.first(chunk.bytes)));
    fetched(chunk);
    return {};
  });
}

}  // namespace scorpio::format
