#include "format/chunk_data.h"

#include <algorithm>
#include <utility>

#include "format/quantized.h"
#include "plan/domains.h"

namespace scorpio::format {

// The functions are called with the mutex locked.
ChunkData::ChunkData(const DataRequest& request, std::unique_ptr<storage::DataAccess> file, OpenFinder open)
    : file_(std::move(file)),
      variables_(request.variables),
      layout_(request.layout),
      writable_(request.writable),
      shares_reads_(request.tasks != nullptr),
      path_(request.path),
      stored_(
          *file_,
          [this](int variable) REQUIRES(mutex_) { return variables_[variable].path + " of " + path_; },
          [this, open = std::move(open)]() REQUIRES(mutex_) -> Result<std::unique_ptr<ChunkFinder>> {
            SCORPIO_ASSIGN(auto shared, file_->share());
            return open(std::move(shared), path_);
          }),
      decoded_(request.chunk_bytes),
      put_({*file_, stored_, decoded_, request.counters, request.tasks, &mutex_}, request.chunk_bytes),
      decoding_(request.tasks) {}

void ChunkData::set_path(std::string path) {
  const MutexLock lock(mutex_);
  path_ = path;
  file_->set_path(std::move(path));
}

void ChunkData::follow() {
  const MutexLock lock(mutex_);
  for (; known_ < variables_.count(); ++known_) {
    const Placement& placement = layout_.placement(known_);
    if (placement.chunks() == nullptr || !variables_.alive(known_)) continue;
    ChunkVariable variable{*placement.address(), placement.chunks(), known_};
    if (placement.is_found()) variable.object = placement.object();
    const model::Variable& described = variables_[known_];
    variable.quantization = quantization_of(described, variable.form->fill);
    if (variable.form->pipeline.is_lossy()) variable.kept = kept_elements(described, variable.form->fill);
    stored_.add(std::move(variable));
  }
}

// ---- puts ----

size_t ChunkData::announce(uint64_t offset, std::span<std::byte> bytes, std::span<std::byte> slot) {
  if (offset < plan::k_chunk_space) return 0;
  const MutexLock turn(turn_), lock(mutex_);
  return put_.announce(offset, bytes, slot);
}

void ChunkData::end_announced() {
  const MutexLock turn(turn_), lock(mutex_);
  put_.end_announced();
}

Status ChunkData::write(uint64_t offset, std::span<const std::byte> bytes) {
  if (offset < plan::k_chunk_space) return file_->write(offset, bytes);
  const MutexLock turn(turn_), lock(mutex_);
  return put_.write(offset, bytes);
}

Status ChunkData::expect_writes(ByteRange bytes) {
  if (bytes.begin < plan::k_chunk_space) return {};
  const MutexLock lock(mutex_);
  return stored_.look_up(bytes, [this](int variable) { return variables_.alive(variable); });
}

// ---- gets ----

// Whole chunks that are in the file as they are read now; other ones have no filters in the result. The
// encoded bytes must fit into the image.
Result<WantedChunk> ChunkData::wanted_by_others(const ChunkPiece& piece, std::span<std::byte> image) {
  const codec::Pipeline& filters = piece.form().pipeline;
  if (!piece.is_whole() || filters.empty() || !decoding_.takes(piece.bytes) || put_.has(piece.begin) ||
      !decoded_.find(piece.begin).empty() || stored_.lacks_end(piece)) {
    return WantedChunk();
  }
  SCORPIO_ASSIGN(const FoundChunk place, stored_.find(piece));
  if (place.bytes == 0 || place.bytes > image.size() || filters.skips_all(place.skipped))
    return WantedChunk();
  return WantedChunk{piece.begin, place.address, place.bytes, place.skipped, &filters, image};
}

Result<size_t> ChunkData::announce_read(uint64_t offset, std::span<std::byte> bytes) {
  if (offset < plan::k_chunk_space) return size_t{0};
  const MutexLock turn(turn_), lock(mutex_);
  std::vector<WantedChunk> wanted;
  while (!bytes.empty()) {
    const ChunkPiece piece = stored_.piece_at(offset, bytes.size());
    const uint64_t end = piece.skip + piece.bytes;
    if (piece.bytes > 0) {
      SCORPIO_ASSIGN(const WantedChunk chunk,
                     wanted_by_others(piece, bytes.subspan(piece.skip, piece.bytes)));
      if (chunk.pipeline != nullptr) wanted.push_back(chunk);
    }
    offset += end;
    bytes = bytes.subspan(end);
  }
  size_t added = 0;
  const auto offer = [&](const WantedChunk& chunk) REQUIRES(mutex_) {
    decoding_.add({chunk.image, chunk.pipeline, chunk.bytes, chunk.skipped});
    ++added;
  };
  SCORPIO_TRY(fetch_stored(*file_, std::move(wanted), stored_.names(), offer));
  return added;
}

void ChunkData::end_announced_reads() {
  const MutexLock turn(turn_), lock(mutex_);
  decoding_.end();
}

Status ChunkData::read(uint64_t offset, std::span<std::byte> bytes) {
  if (offset < plan::k_chunk_space) return file_->read(offset, bytes);
  const MutexLock turn(turn_), lock(mutex_);
  std::vector<WantedChunk> wanted;
  while (!bytes.empty()) {
    const ChunkPiece piece = stored_.piece_at(offset, bytes.size());
    std::fill_n(bytes.begin(), piece.skip, std::byte{0});
    if (piece.bytes > 0) SCORPIO_TRY(give(piece, bytes.subspan(piece.skip, piece.bytes), wanted));
    offset += piece.skip + piece.bytes;
    bytes = bytes.subspan(piece.skip + piece.bytes);
  }
  return stored_.fetch(std::move(wanted));
}

// Chunks in the file are only added to `wanted`, so that neighbouring ones are read together. A chunk that
// could not be decoded where its encoded bytes were is read again, for the same failure as without other
// ranks.
Status ChunkData::give(const ChunkPiece& piece, std::span<std::byte> bytes,
                       std::vector<WantedChunk>& wanted) {
  if (decoding_.has(bytes.data())) {
    SCORPIO_ASSIGN(const bool decoded, decoding_.take(bytes.data()));
    if (decoded) return {};
  }
  SCORPIO_TRY(put_.complete(piece.begin));
  if (const auto image = decoded_.find(piece.begin); !image.empty()) {
    std::ranges::copy(image.subspan(piece.offset, bytes.size()), bytes.begin());
    return {};
  }
  const ChunkForm& form = piece.form();
  if (put_.is_held(piece.begin)) return give_part(piece, {.begin = piece.begin}, bytes);
  SCORPIO_ASSIGN(const FoundChunk place, stored_.find(piece));
  if (place.bytes == 0) {
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = form.fill[(piece.offset + i) % form.fill.size()];
    return {};
  }
  if (stored_.lacks_end(piece)) return give_part(piece, {.begin = piece.begin}, bytes);
  if (form.pipeline.skips_all(place.skipped)) {
    wanted.push_back({piece.begin, place.address + piece.offset, bytes.size(), 0, nullptr, bytes});
    return {};
  }
  const WantedChunk all{piece.begin, place.address, place.bytes, place.skipped, &form.pipeline, bytes};
  if (!piece.is_whole()) return give_part(piece, all, bytes);
  wanted.push_back(all);
  return {};
}

// `chunk` has no bytes if load() has more of the chunk than its location.
Status ChunkData::give_part(const ChunkPiece& piece, WantedChunk chunk, std::span<std::byte> bytes) {
  chunk.image = decoded_.add(piece.begin, piece.form().grid.chunk_bytes());
  const Status loaded = chunk.bytes == 0 ? put_.load(piece, chunk.image).status() : stored_.fetch({chunk});
  if (!loaded.ok()) decoded_.forget(piece.begin);
  SCORPIO_TRY(loaded);
  std::ranges::copy(chunk.image.subspan(piece.offset, bytes.size()), bytes.begin());
  return {};
}

// ---- synchronisation points ----

// Another thread may write chunks of rounds meanwhile (place_round), also beside the next functions.
Result<std::unique_ptr<storage::StoredFile>> ChunkData::share() {
  const MutexLock lock(mutex_);
  return file_->share();
}

Status ChunkData::sync() { return file_->sync(); }

Status ChunkData::check_close() {
  const MutexLock turn(turn_), lock(mutex_);
  SCORPIO_TRY(put_.complete_all());
  // The finder has the metadata from before the synchronisation point.
  if (writable_) SCORPIO_TRY(stored_.close_finder());
  return file_->check_close();
}

Status ChunkData::close() {
  const MutexLock turn(turn_), placing(placing_), lock(mutex_);
  put_.clear();
  decoding_.end();
  decoded_.clear();
  Status status = stored_.close_finder();
  return first_failure(std::move(status), file_->close());
}

Status ChunkData::leave_library() {
  const MutexLock turn(turn_), lock(mutex_);
  return stored_.close_finder();
}

uint64_t ChunkData::unplaced_bytes() const {
  const MutexLock lock(mutex_);
  return put_.unplaced_bytes();
}

Status ChunkData::fill_regions(uint64_t count) {
  const MutexLock turn(turn_), placing(placing_), lock(mutex_);
  return put_.fill_regions(count);
}

Status ChunkData::place(uint64_t address) {
  const MutexLock turn(turn_), placing(placing_), lock(mutex_);
  return put_.place(address);
}

Result<uint64_t> ChunkData::place_first(uint64_t address, uint64_t bytes) {
  const MutexLock turn(turn_), placing(placing_), lock(mutex_);
  return put_.place_first(address, bytes);
}

void ChunkData::use_arena(const Arena& arena) {
  const MutexLock lock(mutex_);
  put_.use_arena(arena);
}

uint64_t ChunkData::arena_end() const {
  const MutexLock lock(mutex_);
  return put_.arena_end();
}

void ChunkData::begin_round(uint64_t round) {
  const MutexLock turn(turn_), lock(mutex_);
  put_.begin_round(round);
}

uint64_t ChunkData::round() const {
  const MutexLock lock(mutex_);
  return put_.round();
}

uint64_t ChunkData::round_bytes(uint64_t round) const {
  const MutexLock lock(mutex_);
  return put_.round_bytes(round);
}

Status ChunkData::place_round(uint64_t round, uint64_t address) {
  const MutexLock placing(placing_), lock(mutex_);
  return put_.place_round(round, address);
}

void ChunkData::end_rounds() {
  const MutexLock turn(turn_), placing(placing_), lock(mutex_);
  put_.end_rounds();
}

bool ChunkData::has_news() const {
  const MutexLock lock(mutex_);
  return put_.has_news();
}

std::vector<storage::IndexEntry> ChunkData::take_index() {
  const MutexLock lock(mutex_);
  return put_.take_index();
}

std::vector<storage::LossEntry> ChunkData::take_losses() {
  const MutexLock lock(mutex_);
  return put_.take_losses();
}

}  // namespace scorpio::format
