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

ChunkData::ChunkData(const DataRequest& request, std::unique_ptr<storage::DataAccess> file, OpenFinder open)
    : file_(std::move(file)),
      schema_(request.schema),
      layout_(request.layout),
      writable_(request.writable),
      most_bytes_(request.chunk_bytes),
      open_finder_(std::move(open)),
      path_(request.path),
      decoded_(request.chunk_bytes) {}

void ChunkData::set_path(std::string path) {
  const MutexLock lock(mutex_);
  path_ = path;
  file_->set_path(std::move(path));
}

// A range of raw space can be assigned again if a variable was removed before it had data.
void ChunkData::follow() {
  const MutexLock lock(mutex_);
  for (; known_ < schema_.variable_count(); ++known_) {
    const Placement& placement = layout_.placement(known_);
    if (placement.chunks() == nullptr) continue;
    const uint64_t begin = *placement.address(), end = begin + placement.chunks()->raw_bytes();
    variables_.insert_or_assign(end, Variable{begin, end, placement.chunks(), known_});
  }
}

// Bytes between variables are skipped, because one operation may access adjacent variables.
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
  std::vector<WantedChunk> wanted;
  while (!bytes.empty()) {
    const Piece piece = piece_at(offset, bytes.size());
    std::fill_n(bytes.begin(), piece.skip, std::byte{0});
    if (piece.bytes > 0) SCORPIO_TRY(give(piece, bytes.subspan(piece.skip, piece.bytes), wanted));
    offset += piece.skip + piece.bytes;
    bytes = bytes.subspan(piece.skip + piece.bytes);
  }
  return fetch(std::move(wanted));
}

// Chunks in the file are only added to `wanted`, so that neighbouring ones are read together.
Status ChunkData::give(const Piece& piece, std::span<std::byte> bytes, std::vector<WantedChunk>& wanted) {
  const auto chunk =
      std::ranges::find(chunks_, piece.begin, [](const Chunk& one) { return one.piece.begin; });
  if (chunk != chunks_.end()) SCORPIO_TRY(end_chunk(chunk));
  if (const auto image = decoded_.find(piece.begin); !image.empty()) {
    std::ranges::copy(image.subspan(piece.offset, bytes.size()), bytes.begin());
    return {};
  }
  const ChunkForm& form = *piece.variable->form;
  if (held_.contains(piece.begin)) return give_part(piece, {.begin = piece.begin}, bytes);
  SCORPIO_ASSIGN(const FoundChunk place, find(piece));
  if (place.bytes == 0) {
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = form.fill[(piece.offset + i) % form.fill.size()];
    return {};
  }
  if (lacks_end(piece)) return give_part(piece, {.begin = piece.begin}, bytes);
  if (form.pipeline.skips_all(place.skipped)) {
    wanted.push_back({piece.begin, place.address + piece.offset, bytes.size(), 0, nullptr, bytes});
    return {};
  }
  const WantedChunk all{piece.begin, place.address, place.bytes, place.skipped, &form.pipeline, bytes};
  if (bytes.size() < form.grid.chunk_bytes()) return give_part(piece, all, bytes);
  wanted.push_back(all);
  return {};
}

// `chunk` has no bytes if load() has more of the chunk than its location.
Status ChunkData::give_part(const Piece& piece, WantedChunk chunk, std::span<std::byte> bytes) {
  chunk.image = decoded_.add(piece.begin, piece.variable->form->grid.chunk_bytes());
  const Status loaded = chunk.bytes == 0 ? load(piece, chunk.image) : fetch({chunk});
  if (!loaded.ok()) decoded_.forget(piece.begin);
  SCORPIO_TRY(loaded);
  std::ranges::copy(chunk.image.subspan(piece.offset, bytes.size()), bytes.begin());
  return {};
}

// Returns no bytes for a chunk that was never written.
Result<FoundChunk> ChunkData::find(const Piece& piece) {
  const auto stored = stored_.find(piece.begin);
  if (stored != stored_.end()) {
    const storage::IndexEntry& entry = stored->second;
    return FoundChunk{entry.address, entry.bytes, entry.skipped};
  }
  const bool in_file = layout_.placement(piece.variable->index).is_found();
  if (!in_file || piece.chunk >= piece.variable->form->found_chunks()) return FoundChunk();
  if (!piece.variable->found.empty()) return piece.variable->found[static_cast<size_t>(piece.chunk)];
  return find_in_file(*piece.variable, piece.chunk);
}

// The size is checked, because a damaged index must not cause larger reads than a chunk can need.
Result<FoundChunk> ChunkData::find_in_file(const Variable& variable, int64_t chunk) {
  const auto named = [&](const Status& failed)
                         REQUIRES(mutex_) { return failed.with_context(name_of(variable, chunk)); };
  if (finder_ == nullptr) {
    SCORPIO_ASSIGN(auto file, file_->share());
    SCORPIO_ASSIGN(finder_, open_finder_(std::move(file), path_));
  }
  const ChunkForm& form = *variable.form;
  const uint64_t object = layout_.placement(variable.index).object();
  const Result<FoundChunk> found = finder_->find(object, form.grid.start_of(chunk));
  if (!found.ok()) return named(found.status());
  const uint64_t bytes = form.grid.chunk_bytes(), stored = found->bytes;
  const bool plain = form.pipeline.skips_all(found->skipped);
  if (stored == 0 || (plain ? stored == bytes : stored <= form.pipeline.most_bytes(bytes))) return found;
  return named(
      failure(Code::format, "it is stored as {} bytes, and has {} bytes without filters", stored, bytes));
}

Status ChunkData::expect_writes(ByteRange bytes) {
  if (bytes.begin < plan::k_chunk_space) return {};
  const MutexLock lock(mutex_);
  for (auto at = variables_.upper_bound(bytes.begin); at != variables_.end(); ++at) {
    Variable& variable = at->second;
    if (variable.begin >= bytes.end) break;
    if (!variable.found.empty() || !layout_.placement(variable.index).is_found()) continue;
    std::vector<FoundChunk> found(static_cast<size_t>(variable.form->found_chunks()));
    for (size_t chunk = 0; chunk < found.size(); ++chunk) {
      SCORPIO_ASSIGN(found[chunk], find_in_file(variable, static_cast<int64_t>(chunk)));
    }
    variable.found = std::move(found);
  }
  return {};
}

Status ChunkData::fetch(std::vector<WantedChunk> wanted) {
  if (wanted.empty()) return {};
  return format::fetch(*file_, std::move(wanted), [this](uint64_t begin) REQUIRES(mutex_) {
    const Piece piece = piece_at(begin, 1);
    return name_of(*piece.variable, piece.chunk);
  });
}

std::string ChunkData::name_of(const Variable& variable, int64_t chunk) const {
  return fmt::format("chunk ({}) of variable {} of {}", fmt::join(variable.form->grid.start_of(chunk), ", "),
                     schema_.variable(variable.index).path, path_);
}

Status ChunkData::close_finder() {
  const Status status = finder_ == nullptr ? Status() : finder_->close();
  finder_.reset();
  return status;
}

// A chunk that is put as a whole needs no assembly.
Status ChunkData::take(const Piece& piece, std::span<const std::byte> bytes) {
  frames_.put(piece.variable->index, *piece.variable->form, piece.chunk, piece.offset + bytes.size());
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

// A chunk that is not complete replaces only these bytes of the stored chunk.
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

// A chunk without filters has the same size whenever it is stored: it is overwritten in the file, as
// contiguous data are.
Status ChunkData::encode(const Piece& piece, std::span<std::byte> image) {
  const ChunkForm& form = *piece.variable->form;
  decoded_.forget(piece.begin);
  fill(image, form.grid.padding_of(piece.chunk), form.fill);
  if (form.pipeline.empty()) {
    SCORPIO_ASSIGN(const FoundChunk place, find(piece));
    if (place.bytes > 0) return overwrite(piece, place, image);
  }
  SCORPIO_ASSIGN(codec::Pipeline::Encoded encoded, form.pipeline.encode(image));
  Held& held = held_[piece.begin];
  held_bytes_ += encoded.bytes.size();
  held_bytes_ -= held.bytes.size();
  held = {std::move(encoded.bytes), encoded.skipped};
  return held_bytes_ < arena_.region_bytes || arena_.region_bytes == 0 ? Status() : empty_into_arena();
}

Status ChunkData::overwrite(const Piece& piece, const FoundChunk& place, std::span<const std::byte> image) {
  const int variable = piece.variable->index;
  if (frames_.has_news(variable)) {
    const storage::IndexEntry entry{.begin = piece.begin,
                                    .address = place.address,
                                    .bytes = place.bytes,
                                    .old_address = place.address,
                                    .old_bytes = place.bytes,
                                    .frames = frames_.tell(variable)};
    index_.push_back(entry);
  }
  if (lacks_end(piece)) stored_[piece.begin] = {piece.begin, place.address, place.bytes};
  return file_->write(place.address, image);
}

// Whether the chunk is as the opened file had it, with the end of the variable inside it.
bool ChunkData::lacks_end(const Piece& piece) const {
  return layout_.placement(piece.variable->index).is_found() && !stored_.contains(piece.begin) &&
         !piece.variable->form->behind_end(piece.chunk).empty();
}

// Returns all elements of the chunk; those that no rank wrote have the fill value.
Status ChunkData::load(const Piece& piece, std::span<std::byte> image) {
  const ChunkForm& form = *piece.variable->form;
  const auto held = held_.find(piece.begin);
  if (held != held_.end()) return form.pipeline.decode(held->second.bytes, held->second.skipped, image);
  SCORPIO_ASSIGN(const FoundChunk place, find(piece));
  if (place.bytes == 0) {
    fill(image, form.fill);
    return {};
  }
  SCORPIO_TRY(fetch({{piece.begin, place.address, place.bytes, place.skipped, &form.pipeline, image}}));
  if (lacks_end(piece)) fill(image, {form.behind_end(piece.chunk)}, form.fill);
  return {};
}

Status ChunkData::check_close() {
  {
    const MutexLock lock(mutex_);
    while (!chunks_.empty()) SCORPIO_TRY(end_oldest());
    // The finder has the metadata from before the synchronisation point.
    if (writable_) SCORPIO_TRY(close_finder());
  }
  return file_->check_close();
}

Status ChunkData::close() {
  Status status;
  {
    const MutexLock lock(mutex_);
    chunks_.clear();
    held_.clear();
    decoded_.clear();
    chunk_bytes_ = held_bytes_ = 0;
    status = close_finder();
  }
  return first_failure(std::move(status), file_->close());
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

// Writes chunks in the order of raw space, up to `most` bytes; returns one past the last byte.
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
                                    .old_bytes = stored.bytes,
                                    .frames = frames_.tell(piece_at(begin, 1).variable->index)};
    stored = entry;
    index_.push_back(entry);
    all.insert(all.end(), held.bytes.begin(), held.bytes.end());
    held_bytes_ -= held.bytes.size();
    at = held_.erase(at);
  }
  if (!all.empty()) SCORPIO_TRY(file_->write(address, all));
  return address + all.size();
}

// A chunk that is larger than a region stays in memory until the next synchronisation point.
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
