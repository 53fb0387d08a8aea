#include "format/encoded_chunks.h"

#include <iterator>
#include <utility>

namespace scorpio::format {

namespace {

// A write call costs less than another copy of so many bytes.
constexpr uint64_t k_long_bytes = uint64_t{256} << 10;
constexpr uint64_t k_most_together_bytes = uint64_t{4} << 20;

// Chunks that follow each other in the file, of which short ones are joined.
class JoinedWrites {
 public:
  JoinedWrites(storage::Sink& file, uint64_t address) : file_(file), end_(address) {}

  uint64_t end() const { return end_; }
  // `begin`: of the chunk in raw space, where they are in ascending order.
  Status add(uint64_t begin, const std::vector<std::byte>& bytes) {
    const bool is_long = bytes.size() >= k_long_bytes;
    if (is_long || together_.size() + bytes.size() > k_most_together_bytes) SCORPIO_TRY(finish());
    if (is_long) {
      SCORPIO_TRY(file_.write(end_, bytes).of_bytes(ByteRange::at(begin, 1)));
    } else {
      if (together_.empty()) first_ = begin;
      last_ = begin;
      together_.insert(together_.end(), bytes.begin(), bytes.end());
    }
    end_ += bytes.size();
    return {};
  }
  Status finish() {
    const uint64_t begin = end_ - together_.size();
    const Status written = together_.empty() ? Status() : file_.write(begin, together_);
    together_.clear();
    return written.of_bytes({first_, last_ + 1});
  }

 private:
  storage::Sink& file_;
  uint64_t end_;
  std::vector<std::byte> together_;  // what lies in front of end_
  uint64_t first_ = 0, last_ = 0;    // the first and the last chunk of it
};

}  // namespace

void EncodedChunks::add(uint64_t begin, Encoded chunk) {
  Encoded& held = chunks_[begin];
  bytes_ += chunk.bytes.size();
  bytes_ -= held.bytes.size();
  held = std::move(chunk);
}

const EncodedChunks::Encoded* EncodedChunks::find(uint64_t begin) const {
  const auto found = chunks_.find(begin);
  return found == chunks_.end() ? nullptr : &found->second;
}

void EncodedChunks::clear() {
  chunks_.clear();
  bytes_ = 0;
}

EncodedChunks EncodedChunks::split(const std::set<uint64_t>& kept) {
  EncodedChunks taken;
  for (auto at = chunks_.begin(); at != chunks_.end();) {
    const auto next = std::next(at);
    if (!kept.contains(at->first)) {
      const uint64_t bytes = at->second.bytes.size();
      taken.chunks_.insert(taken.chunks_.end(), chunks_.extract(at));
      taken.bytes_ += bytes;
      bytes_ -= bytes;
    }
    at = next;
  }
  return taken;
}

void EncodedChunks::take_back(EncodedChunks earlier) {
  for (auto& [begin, chunk] : earlier.chunks_) {
    const uint64_t bytes = chunk.bytes.size();
    if (chunks_.try_emplace(begin, std::move(chunk)).second) bytes_ += bytes;
  }
}

Result<uint64_t> EncodedChunks::write(storage::Sink& file, uint64_t address, uint64_t most,
                                      const Placed& placed) {
  JoinedWrites writes(file, address);
  for (auto at = chunks_.begin(); at != chunks_.end();) {
    const auto& [begin, chunk] = *at;
    const uint64_t bytes = chunk.bytes.size();
    if (bytes > most - (writes.end() - address)) {
      ++at;
      continue;
    }
    placed(begin, {writes.end(), bytes, chunk.skipped});
    SCORPIO_TRY(writes.add(begin, chunk.bytes));
    bytes_ -= bytes;
    at = chunks_.erase(at);
  }
  SCORPIO_TRY(writes.finish());
  return writes.end();
}

Result<uint64_t> EncodedChunks::write_first(storage::Sink& file, uint64_t address, uint64_t bytes,
                                            const Placed& placed) {
  JoinedWrites writes(file, address);
  while (!chunks_.empty() && writes.end() - address < bytes) {
    const auto first = chunks_.begin();
    const Encoded& chunk = first->second;
    placed(first->first, {writes.end(), chunk.bytes.size(), chunk.skipped});
    SCORPIO_TRY(writes.add(first->first, chunk.bytes));
    bytes_ -= chunk.bytes.size();
    chunks_.erase(first);
  }
  SCORPIO_TRY(writes.finish());
  return writes.end();
}

Status EncodedChunks::write_copy(storage::Sink& file, uint64_t address) const {
  JoinedWrites writes(file, address);
  for (const auto& [begin, chunk] : chunks_) SCORPIO_TRY(writes.add(begin, chunk.bytes));
  return writes.finish();
}

uint64_t EncodedChunks::enter(uint64_t address, const Placed& placed) const {
  for (const auto& [begin, chunk] : chunks_) {
    placed(begin, {address, chunk.bytes.size(), chunk.skipped});
    address += chunk.bytes.size();
  }
  return address;
}

void EncodedChunks::use_arena(const Arena& arena) {
  if (arena == arena_) return;
  arena_ = arena;
  regions_ = arena_end_ = 0;
}

Status EncodedChunks::empty_into_arena(storage::Sink& file, const Placed& placed) {
  const uint64_t begin = next_region();
  SCORPIO_ASSIGN(const uint64_t end, write(file, begin, arena_.region_bytes, placed));
  if (end == begin) return {};
  ++regions_;
  arena_end_ = end;
  return {};
}

uint64_t EncodedChunks::take_region() {
  const uint64_t address = next_region();
  ++regions_;
  arena_end_ = address + arena_.region_bytes;
  return address;
}

Status EncodedChunks::write_to_region(storage::Sink& file, uint64_t begin, std::span<const std::byte> chunk,
                                      const Placed& placed) {
  const uint64_t address = take_region();
  placed(begin, {address, chunk.size(), 0});
  return file.write(address, chunk);
}

}  // namespace scorpio::format
