#include "format/growing_chunks.h"

#include <algorithm>
#include <vector>

#include "format/stored_chunks.h"

namespace scorpio::format {

namespace {

constexpr size_t k_most_chunks = 64;
constexpr uint64_t k_most_fill_bytes = uint64_t{1} << 20;

// The bytes of a chunk of `bytes` bytes that are not among `written`.
std::vector<ByteRange> gaps_of(const IntervalSet& written, uint64_t bytes) {
  std::vector<ByteRange> gaps;
  uint64_t at = 0;
  for (const auto& [begin, end] : written.ranges()) {
    if (at < begin) gaps.push_back({at, begin});
    at = end;
  }
  if (at < bytes) gaps.push_back({at, bytes});
  return gaps;
}

}  // namespace

bool GrowingChunks::is_full() const { return chunks_.size() >= k_most_chunks; }

void GrowingChunks::add(uint64_t begin, uint64_t address, uint64_t bytes) {
  chunks_.emplace(begin, Chunk{ByteRange::at(address, bytes), {}});
}

Result<bool> GrowingChunks::write(storage::Sink& file, uint64_t begin, uint64_t offset,
                                  std::span<const std::byte> bytes) {
  Chunk& chunk = chunks_.at(begin);
  SCORPIO_TRY(file.write(chunk.place.begin + offset, bytes));
  chunk.written.add(ByteRange::at(offset, bytes.size()));
  return chunk.written.covers({0, chunk.place.size()});
}

Status GrowingChunks::fill(storage::Sink& file, uint64_t begin, std::span<const std::byte> fill) {
  const Chunk& chunk = chunks_.at(begin);
  std::vector<std::byte> image;
  for (const ByteRange& gap : gaps_of(chunk.written, chunk.place.size())) {
    for (uint64_t at = gap.begin; at < gap.end;) {
      const uint64_t bytes = std::min(gap.end - at, k_most_fill_bytes);
      const uint64_t phase = at % fill.size();  // a gap can begin inside an element
      image.resize(phase + bytes);
      fill_with(image, fill);
      SCORPIO_TRY(file.write(chunk.place.begin + at, std::span(image).subspan(phase)));
      at += bytes;
    }
  }
  return {};
}

ByteRange GrowingChunks::remove(uint64_t begin) { return chunks_.extract(begin).mapped().place; }

}  // namespace scorpio::format
