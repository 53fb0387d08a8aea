#include "format/chunk_data.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "plan/domains.h"

namespace scorpio::format {

namespace {

void fill(std::span<std::byte> image, std::span<const std::byte> element) {
  for (size_t at = 0; at < image.size(); at += element.size()) {
    std::copy_n(element.begin(), std::min(element.size(), image.size() - at),
                image.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

void fill(std::span<std::byte> image, const std::vector<ByteRange>& ranges,
          std::span<const std::byte> element) {
  for (const ByteRange& range : ranges) fill(image.subspan(range.begin, range.size()), element);
}

}  // namespace

ChunkData::ChunkData(const DataRequest& request, std::unique_ptr<storage::DataAccess> file)
    : file_(std::move(file)),
      schema_(request.schema),
      layout_(request.layout),
      most_bytes_(request.chunk_bytes) {}

// A place can be given out again when a variable was removed before it had data.
void ChunkData::follow() {
  const MutexLock lock(mutex_);
  for (; known_ < schema_.variable_count(); ++known_) {
    const Placement& placement = layout_.placement(known_);
    if (placement.chunks() == nullptr) continue;
    const uint64_t begin = *placement.address(), end = begin + placement.chunks()->raw_bytes();
    variables_.insert_or_assign(end, Variable{begin, end, placement.chunks()});
  }
}

// Bytes that no variable has are skipped: one operation may go on from one variable to the next.
ChunkData::Piece ChunkData::piece_at(uint64_t offset, uint64_t bytes) const {
  const auto found = variables_.upper_bound(offset);
  if (found == variables_.end()) return {.skip = bytes};
  const Variable& variable = found->second;
  const decomp::ChunkGrid& grid = variable.form->grid;
  const uint64_t inside = offset > variable.begin ? offset - variable.begin : 0;
  const decomp::ChunkGrid::Place place = grid.at(inside);
  const uint64_t begin =
      variable.begin + static_cast<uint64_t>(grid.begin_of(place.chunk)) * grid.element_bytes();
  const uint64_t skip = std::min(begin > offset ? begin - offset : 0, bytes);
  return {
      &variable, place.chunk, begin, place.offset, std::min(bytes - skip, grid.chunk_bytes() - place.offset),
      skip};
}

Status ChunkData::write(uint64_t offset, std::span<const std::byte> bytes) {
  if (offset < plan::k_chunk_space) return file_->write(offset, bytes);
  const MutexLock lock(mutex_);
  while (!bytes.empty()) {
    const Piece piece = piece_at(offset, bytes.size());
    if (piece.skip > 0) {
      return failure(Code::internal, "no chunk has the {} bytes at byte {} of raw space", piece.skip, offset);
    }
    SCORPIO_TRY(take(piece, bytes.first(piece.bytes)));
    offset += piece.bytes;
    bytes = bytes.subspan(piece.bytes);
  }
  return {};
}

Status ChunkData::read(uint64_t offset, std::span<std::byte> bytes) {
  if (offset < plan::k_chunk_space) return file_->read(offset, bytes);
  const MutexLock lock(mutex_);
  while (!bytes.empty()) {
    const Piece piece = piece_at(offset, bytes.size());
    std::fill_n(bytes.begin(), piece.skip, std::byte{0});
    if (piece.bytes > 0) SCORPIO_TRY(give(piece, bytes.subspan(piece.skip, piece.bytes)));
    offset += piece.skip + piece.bytes;
    bytes = bytes.subspan(piece.skip + piece.bytes);
  }
  return {};
}

Status ChunkData::give(const Piece& piece, std::span<std::byte> bytes) {
  const auto chunk =
      std::ranges::find(chunks_, piece.begin, [](const Chunk& one) { return one.piece.begin; });
  if (chunk != chunks_.end()) SCORPIO_TRY(end_chunk(chunk));
  if (decoded_.empty() || decoded_begin_ != piece.begin) {
    decoded_.resize(piece.variable->form->grid.chunk_bytes());
    decoded_begin_ = piece.begin;
    const Status loaded = load(piece, decoded_);
    if (!loaded.ok()) decoded_.clear();
    SCORPIO_TRY(loaded);
  }
  std::copy_n(decoded_.begin() + static_cast<std::ptrdiff_t>(piece.offset), bytes.size(), bytes.begin());
  return {};
}

// What is put as a whole needs no assembly.
Status ChunkData::take(const Piece& piece, std::span<const std::byte> bytes) {
  auto chunk = std::ranges::find(chunks_, piece.begin, [](const Chunk& one) { return one.piece.begin; });
  const bool whole = piece.bytes == piece.variable->form->grid.chunk_bytes();
  if (whole && chunk == chunks_.end()) {
    std::vector<std::byte> image(bytes.begin(), bytes.end());
    return encode(piece, image);
  }
  if (chunk == chunks_.end()) {
    while (!chunks_.empty() && chunk_bytes_ + piece.variable->form->grid.chunk_bytes() > most_bytes_) {
      SCORPIO_TRY(end_oldest());
    }
    chunk = begin_chunk(piece);
  }
  std::copy(bytes.begin(), bytes.end(), chunk->image.begin() + static_cast<std::ptrdiff_t>(piece.offset));
  chunk->written.add(ByteRange::at(piece.offset, bytes.size()));
  return chunk->written.covers({0, chunk->image.size()}) ? end_chunk(chunk) : Status();
}

std::list<ChunkData::Chunk>::iterator ChunkData::begin_chunk(const Piece& piece) {
  const decomp::ChunkGrid& grid = piece.variable->form->grid;
  const auto chunk = chunks_.insert(chunks_.end(), {piece, std::vector<std::byte>(grid.chunk_bytes()), {}});
  chunk_bytes_ += chunk->image.size();
  for (const ByteRange& range : grid.padding_of(piece.chunk)) chunk->written.add(range);
  return chunk;
}

Status ChunkData::end_oldest() { return end_chunk(chunks_.begin()); }

// One that is not whole goes over what is stored of it.
Status ChunkData::end_chunk(std::list<Chunk>::iterator at) {
  Chunk chunk = std::move(*at);
  chunks_.erase(at);
  chunk_bytes_ -= chunk.image.size();
  if (!chunk.written.covers({0, chunk.image.size()})) {
    std::vector<std::byte> image(chunk.image.size());
    SCORPIO_TRY(load(chunk.piece, image));
    for (const auto& [begin, end] : chunk.written.ranges()) {
      std::copy(chunk.image.begin() + static_cast<std::ptrdiff_t>(begin),
                chunk.image.begin() + static_cast<std::ptrdiff_t>(end),
                image.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    chunk.image = std::move(image);
  }
  return encode(chunk.piece, chunk.image);
}

// What is stored without filters has the same size for ever: it is changed in its place, as contiguous data
// are.
Status ChunkData::encode(const Piece& piece, std::span<std::byte> image) {
  const ChunkForm& form = *piece.variable->form;
  if (decoded_begin_ == piece.begin) decoded_.clear();
  fill(image, form.grid.padding_of(piece.chunk), form.fill);
  const auto stored = stored_.find(piece.begin);
  if (form.pipeline.empty() && stored != stored_.end()) return file_->write(stored->second.address, image);
  SCORPIO_ASSIGN(codec::Pipeline::Encoded encoded, form.pipeline.encode(image));
  Held& held = held_[piece.begin];
  held_bytes_ += encoded.bytes.size();
  held_bytes_ -= held.bytes.size();
  held = {std::move(encoded.bytes), encoded.skipped};
  return held_bytes_ < arena_.region_bytes || arena_.region_bytes == 0 ? Status() : empty_into_arena();
}

// All elements that the chunk has; those that nobody wrote are fill.
Status ChunkData::load(const Piece& piece, std::span<std::byte> image) {
  const ChunkForm& form = *piece.variable->form;
  const auto held = held_.find(piece.begin);
  if (held != held_.end()) return form.pipeline.decode(held->second.bytes, held->second.skipped, image);
  const auto stored = stored_.find(piece.begin);
  if (stored == stored_.end()) {
    fill(image, form.fill);
    return {};
  }
  std::vector<std::byte> bytes(stored->second.bytes);
  SCORPIO_TRY(file_->read(stored->second.address, bytes));
  return form.pipeline.decode(bytes, stored->second.skipped, image);
}

Status ChunkData::check_close() {
  {
    const MutexLock lock(mutex_);
    while (!chunks_.empty()) SCORPIO_TRY(end_oldest());
  }
  return file_->check_close();
}

Status ChunkData::close() {
  {
    const MutexLock lock(mutex_);
    chunks_.clear();
    held_.clear();
    chunk_bytes_ = held_bytes_ = 0;
  }
  return file_->close();
}

uint64_t ChunkData::unplaced_bytes() const {
  const MutexLock lock(mutex_);
  return held_bytes_;
}

Status ChunkData::place(uint64_t address) {
  const MutexLock lock(mutex_);
  SCORPIO_TRY(write_held(address, held_bytes_).status());
  return held_.empty() ? Status() : failure(Code::internal, "{} chunks have no place", held_.size());
}

// In the order of raw space, as many as have room; one past the last byte.
Result<uint64_t> ChunkData::write_held(uint64_t address, uint64_t most) {
  std::vector<std::byte> all;
  all.reserve(std::min(held_bytes_, most));
  for (auto at = held_.begin(); at != held_.end();) {
    const auto& [begin, held] = *at;
    if (held.bytes.size() > most - all.size()) {
      ++at;
      continue;
    }
    storage::IndexEntry& stored = stored_[begin];
    const storage::IndexEntry entry{.begin = begin,
                                    .address = address + all.size(),
                                    .bytes = held.bytes.size(),
                                    .skipped = held.skipped,
                                    .old_address = stored.address,
                                    .old_bytes = stored.bytes};
    stored = entry;
    index_.push_back(entry);
    all.insert(all.end(), held.bytes.begin(), held.bytes.end());
    held_bytes_ -= held.bytes.size();
    at = held_.erase(at);
  }
  if (!all.empty()) SCORPIO_TRY(file_->write(address, all));
  return address + all.size();
}

// A chunk that is longer than a region stays until the next synchronisation point.
Status ChunkData::empty_into_arena() {
  const uint64_t begin = arena_.begin + regions_ * arena_.stride_bytes;
  SCORPIO_ASSIGN(const uint64_t end, write_held(begin, arena_.region_bytes));
  if (end == begin) return {};
  ++regions_;
  arena_end_ = end;
  return {};
}

void ChunkData::use_arena(const Arena& arena) {
  const MutexLock lock(mutex_);
  if (arena == arena_) return;
  arena_ = arena;
  regions_ = arena_end_ = 0;
}

uint64_t ChunkData::arena_end() const {
  const MutexLock lock(mutex_);
  return arena_end_;
}

bool ChunkData::has_index() const {
  const MutexLock lock(mutex_);
  return !index_.empty();
}

std::vector<storage::IndexEntry> ChunkData::take_index() {
  const MutexLock lock(mutex_);
  return std::exchange(index_, {});
}

}  // namespace scorpio::format
