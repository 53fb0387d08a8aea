#include "format/stored_chunks.h"

#include <algorithm>
#include <utility>

#include "base/guarded.h"

namespace scorpio::format {

void fill_with(std::span<std::byte> image, std::span<const std::byte> element) {
  for (size_t at = 0; at < image.size(); at += element.size()) {
    std::copy_n(element.begin(), std::min(element.size(), image.size() - at),
                image.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

void fill_with(std::span<std::byte> image, const std::vector<ByteRange>& ranges,
               std::span<const std::byte> element) {
  for (const ByteRange& range : ranges) fill_with(image.subspan(range.begin, range.size()), element);
}

void StoredChunks::add(ChunkVariable variable) {
  const uint64_t begin = variable.begin;
  const std::shared_ptr<const ChunkForm> form = variable.form;
  variables_.add(begin, *form, std::move(variable));
}

ChunkPiece StoredChunks::piece_at(uint64_t offset, uint64_t bytes) const {
  const ChunkVariable* found = variables_.find(offset);
  if (found == nullptr) return {.skip = bytes};
  const ChunkVariable& variable = *found;
  const decomp::ChunkGrid& grid = variable.form->grid;
  if (grid.cell_layers() > 0 && !variable.form->holds(variable.begin, offset))
    return {.skip = std::min(variables_.end_of_gap(offset) - offset, bytes)};
  const uint64_t inside = offset > variable.begin ? offset - variable.begin : 0;
  const decomp::ChunkGrid::Place place = grid.at(inside);
  const uint64_t begin = variable.begin + place.begin;
  const uint64_t skip = std::min(begin > offset ? begin - offset : 0, bytes);
  return {
      &variable, place.chunk, begin, place.offset, std::min(bytes - skip, grid.chunk_bytes() - place.offset),
      skip};
}

std::string StoredChunks::name_of(const ChunkVariable& variable, int64_t chunk) const {
  return fmt::format("chunk ({}) of variable {}", fmt::join(variable.form->grid.start_of(chunk), ", "),
                     name_(variable.index));
}

std::string StoredChunks::name_of(const ChunkPiece& piece) const {
  return name_of(*piece.variable, piece.chunk);
}

FoundChunk StoredChunks::store(uint64_t begin, const FoundChunk& place) {
  return variables_.find(begin)->stored.store(begin, place);
}

FoundChunk StoredChunks::known(const ChunkPiece& piece) const {
  if (const StoredChunk* chunk = piece.variable->stored.find(piece.begin)) return chunk->place;
  if (piece.variable->found.empty()) return {};
  const int64_t position = piece.form().found_position(piece.chunk);
  return position < 0 ? FoundChunk() : piece.variable->found[static_cast<size_t>(position)];
}

Result<FoundChunk> StoredChunks::find(const ChunkPiece& piece) {
  if (const StoredChunk* chunk = piece.variable->stored.find(piece.begin)) return chunk->place;
  const int64_t position = is_found(piece) ? piece.form().found_position(piece.chunk) : -1;
  if (position < 0) return FoundChunk();
  if (!piece.variable->found.empty()) return piece.variable->found[static_cast<size_t>(position)];
  SCORPIO_TRY(piece.variable->unknown);
  return find_in_file(*piece.variable, piece.chunk);
}

// The size is checked, because a damaged index must not cause larger reads than a chunk can need.
Result<FoundChunk> StoredChunks::find_in_file(const ChunkVariable& variable, int64_t chunk) {
  const auto named = [&](const Status& failed) { return failed.with_context(name_of(variable, chunk)); };
  if (finder_ == nullptr) {
    auto opened = open_();
    if (!opened.ok()) return named(opened.status());
    finder_ = std::move(*opened);
  }
  const ChunkForm& form = *variable.form;
  const uint64_t object = variable.object.value();
  const Result<FoundChunk> found = finder_->find(object, form.grid.start_of(chunk));
  if (!found.ok()) return named(found.status());
  const uint64_t bytes = form.grid.chunk_bytes(), stored = found->bytes;
  const bool plain = form.pipeline.skips_all(found->skipped);
  if (stored == 0 || (plain ? stored == bytes : stored <= form.pipeline.most_bytes(bytes))) return found;
  return named(
      failure(Code::format, "it is stored as {} bytes, and has {} bytes without filters", stored, bytes));
}

Status StoredChunks::look_up(ByteRange bytes, const std::function<bool(int variable)>& alive) {
  for (ChunkVariable* variable : variables_.overlapping(bytes)) {
    if (!variable->found.empty() || !variable->object) continue;
    if (alive && !alive(variable->index)) continue;
    variable->unknown = scorpio::guarded([&] { return look_up_all(*variable); });
    SCORPIO_TRY(variable->unknown);
  }
  return {};
}

Status StoredChunks::look_up_all(ChunkVariable& variable) {
  std::vector<FoundChunk> found(static_cast<size_t>(variable.form->found_chunks()));
  for (size_t at = 0; at < found.size(); ++at) {
    const int64_t chunk = variable.form->found_chunk(static_cast<int64_t>(at));
    SCORPIO_ASSIGN(found[at], find_in_file(variable, chunk));
  }
  variable.found = std::move(found);
  return {};
}

bool StoredChunks::lacks_end(const ChunkPiece& piece) const {
  return is_found(piece) && piece.variable->stored.find(piece.begin) == nullptr &&
         piece.form().lacks_elements(piece.chunk);
}

Status StoredChunks::fetch(std::vector<WantedChunk> wanted) {
  if (wanted.empty()) return {};
  return format::fetch(file_, std::move(wanted), names());
}

ChunkNames StoredChunks::names() const {
  return [this](uint64_t begin) { return name_of(piece_at(begin, 1)); };
}

Result<bool> StoredChunks::load(const ChunkPiece& piece, std::span<std::byte> image) {
  const ChunkForm& form = piece.form();
  SCORPIO_ASSIGN(const FoundChunk place, find(piece));
  if (place.bytes == 0) {
    fill_with(image, form.fill);
    return false;
  }
  SCORPIO_TRY(fetch({{piece.begin, place.address, place.bytes, place.skipped, &form.pipeline, image}}));
  if (lacks_end(piece)) fill_with(image, form.beyond_found(piece.chunk), form.fill);
  return true;
}

Status StoredChunks::close_finder() {
  const Status status = finder_ == nullptr ? Status() : finder_->close();
  finder_.reset();
  return status;
}

}  // namespace scorpio::format
