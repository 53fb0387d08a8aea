#include "format/put_chunks.h"

#include <algorithm>
#include <utility>

#include "base/guarded.h"
#include "observe/counters_here.h"

namespace scorpio::format {

// A chunk that is in the slot as a whole is completed where it is, before other ranks encode it.
size_t PutChunks::announce(uint64_t offset, std::span<std::byte> bytes, std::span<std::byte> slot) {
  size_t added = 0;
  while (!bytes.empty()) {
    const ChunkPiece piece = ground_.stored.piece_at(offset, bytes.size());
    if (piece.skip > 0) break;
    const ChunkForm& form = piece.form();
    const std::span<std::byte> image =
        whole_.add({piece.begin, piece.chunk, piece.offset, bytes.first(piece.bytes)}, slot, form.grid);
    if (!image.empty()) {
      if (!piece.variable->quantization.empty()) round(piece.all(), image);
      fill_with(image, form.grid.padding_of(piece.chunk), form.fill);
      if (!form.pipeline.empty() && shared_.takes(image.size())) {
        shared_.add({image, &form.pipeline, piece.variable->kept});
        ++added;
      }
    }
    offset += piece.bytes;
    bytes = bytes.subspan(piece.bytes);
  }
  return added;
}

void PutChunks::end_announced() {
  shared_.end();
  whole_.clear();
}

Status PutChunks::write(uint64_t offset, std::span<const std::byte> bytes) {
  whole_.forget_parts();  // all that is written now was announced
  while (!bytes.empty()) {
    const ChunkPiece piece = ground_.stored.piece_at(offset, bytes.size());
    if (piece.skip > 0) {
      return failure(Code::internal, "no chunk has the {} bytes at byte {} of raw space", piece.skip, offset);
    }
    SCORPIO_TRY(take(piece, bytes.first(piece.bytes)));
    offset += piece.bytes;
    bytes = bytes.subspan(piece.bytes);
  }
  return {};
}

// A chunk that was announced as a whole needs no assembly, and is encoded without a copy of its own. Each
// element is quantised once, however often its chunk is encoded.
Status PutChunks::take(const ChunkPiece& piece, std::span<const std::byte> bytes) {
  const decomp::ChunkGrid& grid = piece.form().grid;
  frames_.put(piece.variable->index, piece.form(), piece.chunk, ByteRange::at(piece.offset, bytes.size()));
  if (const WholeChunks::Chunk* whole = whole_.find(bytes.data())) return take_whole(piece, *whole);
  PartialChunk* chunk = assembly_.find(piece.begin);
  if (chunk == nullptr) {
    SCORPIO_ASSIGN(const bool grows, can_grow(piece));
    if (grows) return write_growing(piece, bytes);
    while (!assembly_.empty() && assembly_.bytes() + grid.chunk_bytes() > most_bytes_)
      SCORPIO_TRY(end_chunk(assembly_.oldest()));
    chunk = &assembly_.add(PartialChunk(piece.begin, grid.chunk_bytes(), grid.padding_of(piece.chunk)));
  }
  const std::span<std::byte> elements = chunk->put(piece.offset, bytes);
  if (!piece.variable->quantization.empty()) round(piece, elements);
  return chunk->is_complete() ? end_chunk(piece.begin) : Status();
}

// The chunk is encoded with the last of its elements.
Status PutChunks::take_whole(const ChunkPiece& piece, const WholeChunks::Chunk& chunk) {
  if (piece.offset + piece.bytes < chunk.end) return {};
  const std::span<std::byte> image = chunk.image;
  whole_.remove(chunk);
  if (growing_.has(piece.begin)) return write_growing(piece.all(), image);
  if (assembly_.find(piece.begin) != nullptr) assembly_.remove(piece.begin);  // all of it is put again
  return encode(piece, image, false);
}

// Padding within the piece may have any value, and is no element whose error counts.
void PutChunks::round(const ChunkPiece& piece, std::span<std::byte> elements) {
  const ChunkForm& form = piece.form();
  const ByteRange whole = ByteRange::at(piece.offset, elements.size());
  for (const ByteRange& padding : form.grid.padding_of(piece.chunk)) {
    const uint64_t begin = std::max(padding.begin, whole.begin), end = std::min(padding.end, whole.end);
    if (begin < end) fill_with(elements.subspan(begin - whole.begin, end - begin), form.fill);
  }
  losses_.rounded(piece.variable->index,
                  piece.variable->quantization.apply(elements, piece.offset / form.grid.element_bytes()));
}

// A new chunk that would fill the next region of the arena has its place before all of it is there. Short
// parts are assembled: a copy of them costs less than a write.
Result<bool> PutChunks::can_grow(const ChunkPiece& piece) {
  constexpr uint64_t k_least_bytes = uint64_t{64} << 10;
  if (growing_.has(piece.begin)) return true;
  const ChunkForm& form = piece.form();
  if (piece.bytes < k_least_bytes || !form.pipeline.empty() || !piece.variable->quantization.empty() ||
      growing_.is_full() || !held_.is_region(form.grid.chunk_bytes()) || is_held(piece.begin) ||
      !form.grid.padding_of(piece.chunk).empty()) {
    return false;
  }
  SCORPIO_ASSIGN(const FoundChunk place, ground_.stored.find(piece));
  return place.bytes == 0;
}

Status PutChunks::write_growing(const ChunkPiece& piece, std::span<const std::byte> bytes) {
  ground_.decoded.forget(piece.begin);
  if (!growing_.has(piece.begin))
    growing_.add(piece.begin, held_.take_region(), piece.form().grid.chunk_bytes());
  SCORPIO_ASSIGN(const bool complete, growing_.write(ground_.file, piece.begin, piece.offset, bytes));
  if (complete) enter_growing(piece.begin);
  return {};
}

// Elements that were not put have the fill value.
Status PutChunks::end_growing(uint64_t begin) {
  const ChunkPiece piece = ground_.stored.piece_at(begin, 1);
  SCORPIO_TRY(growing_.fill(ground_.file, begin, piece.form().fill));
  enter_growing(begin);
  return {};
}

void PutChunks::enter_growing(uint64_t begin) {
  const ByteRange place = growing_.remove(begin);
  enter_in_index(begin, {place.begin, place.size(), 0});
}

Status PutChunks::complete(uint64_t begin) {
  const bool grows = growing_.has(begin);
  if (!grows && assembly_.find(begin) == nullptr) return {};
  Status done = scorpio::guarded([&] { return grows ? end_growing(begin) : end_chunk(begin); });
  if (lost_.ok()) lost_ = done;
  return done;
}

Status PutChunks::complete_all() {
  SCORPIO_TRY(lost_);
  while (!growing_.empty()) SCORPIO_TRY(end_growing(growing_.first()));
  while (!assembly_.empty()) SCORPIO_TRY(end_chunk(assembly_.oldest()));
  return {};
}

// A chunk that is not complete replaces only these bytes of the stored chunk.
Status PutChunks::end_chunk(uint64_t begin) {
  PartialChunk chunk = assembly_.remove(begin);
  const ChunkPiece piece = ground_.stored.piece_at(begin, chunk.bytes());
  if (chunk.is_complete()) return encode(piece, chunk.take(), false);
  std::vector<std::byte> stored(chunk.bytes());
  SCORPIO_ASSIGN(const bool again, load(piece, stored));
  SCORPIO_TRY(encode(piece, chunk.take_over(std::move(stored)), again));
  incomplete_.insert(begin);
  return {};
}

Result<bool> PutChunks::load(const ChunkPiece& piece, std::span<std::byte> image) {
  const Held* const held = find_held(piece.begin);
  if (held == nullptr) return ground_.stored.load(piece, image);
  SCORPIO_TRY(piece.form().pipeline.decode(held->bytes, held->skipped, image));
  return true;
}

// A chunk without filters has the same size whenever it is stored: it is overwritten in the file, as
// contiguous data are, unless a later state waits in memory for another place.
Result<bool> PutChunks::change_in_place(const ChunkPiece& piece, std::span<const std::byte> image) {
  if (!piece.form().pipeline.empty() || is_held(piece.begin)) return false;
  SCORPIO_ASSIGN(const FoundChunk place, ground_.stored.find(piece));
  if (place.bytes == 0) return false;
  SCORPIO_TRY(overwrite(piece, place, image));
  return true;
}

Status PutChunks::overwrite(const ChunkPiece& piece, const FoundChunk& place,
                            std::span<const std::byte> image) {
  if (frames_.has_news(piece.variable->index, piece.chunk)) tell(piece, place, place);
  if (ground_.stored.lacks_end(piece)) ground_.stored.store(piece.begin, place);
  return ground_.file.write(place.address, image);
}

template <typename Encode>
Result<PutChunks::Held> PutChunks::encoded(const ChunkPiece& piece, bool again, Encode&& encode) {
  observe::Counters& counters = observe::counters_here(ground_.counters);
  const ChunkForm& form = piece.form();
  const observe::Timer timer(counters.time_encode_ns, observe::Activity::encode, form.grid.chunk_bytes());
  auto made = [&]() -> Result<Held> {
    const MutexPause pause(ground_.mutex);
    return encode(codec::Exactness{again, piece.variable->kept});
  }();
  if (!made.ok()) return made;
  if (form.pipeline.skips_lossy(made->skipped)) observe::add(counters.lossless_chunks, 1);
  losses_.encoded(piece.variable->index, made->loss);
  return made;
}

// For an image without padding.
Status PutChunks::encode(const ChunkPiece& piece, std::span<const std::byte> image, bool again) {
  ground_.decoded.forget(piece.begin);
  SCORPIO_ASSIGN(const bool changed, change_in_place(piece, image));
  if (changed) return {};
  if (piece.form().pipeline.empty() && held_.is_region(image.size()) && !is_held(piece.begin))
    return held_.write_to_region(ground_.file, piece.begin, image, entering());
  SCORPIO_ASSIGN(Held held, encoded(piece, again, [&](const codec::Exactness& exact) {
                   return shared_.has(image.data()) ? shared_.take(image.data())
                                                    : piece.form().pipeline.encode(image, exact);
                 }));
  return hold(piece, std::move(held));
}

Status PutChunks::encode(const ChunkPiece& piece, std::vector<std::byte> image, bool again) {
  const ChunkForm& form = piece.form();
  fill_with(image, form.grid.padding_of(piece.chunk), form.fill);
  ground_.decoded.forget(piece.begin);
  if (!form.pipeline.empty()) {
    SCORPIO_ASSIGN(Held held, encoded(piece, again, [&](const codec::Exactness& exact) {
                     return form.pipeline.encode_and_release(std::move(image), exact);
                   }));
    return hold(piece, std::move(held));
  }
  SCORPIO_ASSIGN(const bool changed, change_in_place(piece, image));
  return changed ? Status() : hold(piece, {std::move(image), 0});
}

Status PutChunks::hold(const ChunkPiece& piece, Held encoded) {
  held_.add(piece.begin, std::move(encoded));
  incomplete_.erase(piece.begin);
  return held_.fill_region() ? held_.empty_into_arena(ground_.file, entering()) : Status();
}

EncodedChunks::Placed PutChunks::entering() {
  return [this](uint64_t begin, const FoundChunk& place) { enter_in_index(begin, place); };
}

Status PutChunks::fill_regions(uint64_t count) {
  for (; count > 0; --count) SCORPIO_TRY(held_.empty_into_arena(ground_.file, entering()));
  return {};
}

// The newest one.
const PutChunks::Held* PutChunks::find_held(uint64_t begin) const {
  const Held* const held = held_.find(begin);
  return held != nullptr ? held : rounds_.find(begin);
}

Status PutChunks::place(uint64_t address) {
  SCORPIO_TRY(held_.write(ground_.file, address, held_.bytes(), entering()).status());
  return held_.empty() ? Status() : failure(Code::internal, "{} chunks have no place", held_.count());
}

Result<uint64_t> PutChunks::place_first(uint64_t address, uint64_t bytes) {
  const auto placed = [this](uint64_t begin, const FoundChunk& at) { enter_in_index(begin, at); };
  return held_.write_first(ground_.file, address, bytes, placed);
}

// The chunk gets a new location, where it lacks these filters.
void PutChunks::count_lossless(const ChunkPiece& piece, uint32_t skipped) {
  const codec::Pipeline& filters = piece.form().pipeline;
  if (!filters.is_lossy()) return;
  const FoundChunk old = ground_.stored.known(piece);
  const bool was = old.bytes > 0 && filters.skips_lossy(old.skipped), is = filters.skips_lossy(skipped);
  losses_.counted(piece.variable->index, int64_t{is} - int64_t{was});
}

// The chunk has this place in the file from now on.
void PutChunks::enter_in_index(uint64_t begin, const FoundChunk& place) {
  const ChunkPiece piece = ground_.stored.piece_at(begin, 1);
  count_lossless(piece, place.skipped);
  tell(piece, place, ground_.stored.store(begin, place));
}

void PutChunks::tell(const ChunkPiece& piece, const FoundChunk& place, const FoundChunk& old) {
  const int variable = piece.variable->index;
  const storage::IndexEntry entry{.begin = piece.begin,
                                  .address = place.address,
                                  .bytes = place.bytes,
                                  .skipped = place.skipped,
                                  .old_address = old.address,
                                  .old_bytes = old.bytes,
                                  .frames = frames_.tell(variable, piece.chunk)};
  index_.add(variable, entry, !frames_.tells_of_chunks(variable));
}

std::vector<storage::IndexEntry> PutChunks::take_index() {
  return index_.take(
      [this](uint64_t begin) { return ground_.stored.known(ground_.stored.piece_at(begin, 1)); });
}

// An incomplete chunk is mostly encoded again: its place in the file would be wasted. They wait for a
// synchronisation point as long as they are not too many.
void PutChunks::begin_round(uint64_t round) {
  if (round <= round_) return;
  EncodedChunks complete = held_.split(incomplete_);
  if (held_.bytes() > most_bytes_ / 2) {
    complete.take_back(held_.split({}));
    incomplete_.clear();
  }
  rounds_.add(round_, std::move(complete));
  round_ = round;
}

// The chunks are found in memory until all of them are in the file. After a failure the file is not
// completed.
Status PutChunks::place_round(uint64_t round, uint64_t address) {
  const EncodedChunks* const chunks = rounds_.of(round);
  if (chunks == nullptr) return {};
  Status written;
  {
    const MutexPause pause(ground_.mutex);
    written = chunks->write_copy(ground_.file, address);
  }
  rounds_.remove(round, written.ok() ? chunks->enter(address, entering()) : 0);
  return written;
}

void PutChunks::clear() {
  end_announced();
  rounds_.clear();
  incomplete_.clear();
  assembly_.clear();
  growing_.clear();
  held_.clear();
}

}  // namespace scorpio::format
