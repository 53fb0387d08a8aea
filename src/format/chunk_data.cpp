#include "format/chunk_data.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "format/quantized.h"
#include "observe/counters_here.h"
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
      shares_reads_(request.tasks != nullptr),
      most_bytes_(request.chunk_bytes),
      open_finder_(std::move(open)),
      counters_(request.counters),
      path_(request.path),
      shared_(request.tasks),
      decoding_(request.tasks),
      decoded_(request.chunk_bytes) {}

void ChunkData::set_path(std::string path) {
  const MutexLock lock(mutex_);
  path_ = path;
  file_->set_path(std::move(path));
}

// The range of a variable that was removed before it had data can have been assigned again.
void ChunkData::follow() {
  const MutexLock lock(mutex_);
  for (; known_ < schema_.variable_count(); ++known_) {
    const Placement& placement = layout_.placement(known_);
    if (placement.chunks() == nullptr || !schema_.alive(known_)) continue;
    Variable variable{*placement.address(), placement.chunks(), known_};
    const model::Variable& described = schema_.variable(known_);
    variable.quantization = quantization_of(described, variable.form->fill);
    if (variable.form->pipeline.is_lossy()) variable.kept = kept_elements(described, variable.form->fill);
    variables_.add(*placement.address(), *placement.chunks(), std::move(variable));
  }
}

// Bytes between variables are skipped, because one operation may access adjacent variables.
ChunkData::Piece ChunkData::piece_at(uint64_t offset, uint64_t bytes) const {
  const Variable* found = variables_.find(offset);
  if (found == nullptr) return {.skip = bytes};
  const Variable& variable = *found;
  const decomp::ChunkGrid& grid = variable.form->grid;
  if (grid.cell_layers() > 0 && !variable.form->holds(variable.begin, offset))
    return {.skip = std::min(variables_.end_of_gap(offset) - offset, bytes)};
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
  whole_.forget_parts();  // all that is written now was announced
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

// A chunk that is in the slot as a whole is completed where it is, before other ranks encode it.
size_t ChunkData::announce(uint64_t offset, std::span<std::byte> bytes, std::span<std::byte> slot) {
  if (offset < plan::k_chunk_space) return 0;
  const MutexLock lock(mutex_);
  size_t added = 0;
  while (!bytes.empty()) {
    const Piece piece = piece_at(offset, bytes.size());
    if (piece.skip > 0) break;
    const ChunkForm& form = *piece.variable->form;
    const std::span<std::byte> image =
        whole_.add({piece.begin, piece.chunk, piece.offset, bytes.first(piece.bytes)}, slot, form.grid);
    if (!image.empty()) {
      if (!piece.variable->quantization.empty()) round(all_of(piece), image);
      fill(image, form.grid.padding_of(piece.chunk), form.fill);
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

void ChunkData::end_announced() {
  const MutexLock lock(mutex_);
  shared_.end();
  whole_.clear();
}

// Whole chunks that are in the file as they are read now; other ones have no filters in the result. The
// encoded bytes must fit into the image.
Result<WantedChunk> ChunkData::wanted_by_others(const Piece& piece, std::span<std::byte> image) {
  const ChunkForm& form = *piece.variable->form;
  if (piece.bytes < form.grid.chunk_bytes() || form.pipeline.empty() || !decoding_.takes(piece.bytes) ||
      assembly_.find(piece.begin) != nullptr || held_.find(piece.begin) != nullptr ||
      !decoded_.find(piece.begin).empty() || lacks_end(piece)) {
    return WantedChunk();
  }
  SCORPIO_ASSIGN(const FoundChunk place, find(piece));
  if (place.bytes == 0 || place.bytes > image.size() || form.pipeline.skips_all(place.skipped))
    return WantedChunk();
  return WantedChunk{piece.begin, place.address, place.bytes, place.skipped, &form.pipeline, image};
}

Result<size_t> ChunkData::announce_read(uint64_t offset, std::span<std::byte> bytes) {
  if (offset < plan::k_chunk_space) return size_t{0};
  const MutexLock lock(mutex_);
  std::vector<WantedChunk> wanted;
  while (!bytes.empty()) {
    const Piece piece = piece_at(offset, bytes.size());
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
  SCORPIO_TRY(fetch_stored(*file_, std::move(wanted), offer));
  return added;
}

void ChunkData::end_announced_reads() {
  const MutexLock lock(mutex_);
  decoding_.end();
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

// Chunks in the file are only added to `wanted`, so that neighbouring ones are read together. A chunk that
// could not be decoded where its encoded bytes were is read again, for the same failure as without other
// ranks.
Status ChunkData::give(const Piece& piece, std::span<std::byte> bytes, std::vector<WantedChunk>& wanted) {
  if (decoding_.has(bytes.data())) {
    SCORPIO_ASSIGN(const bool decoded, decoding_.take(bytes.data()));
    if (decoded) return {};
  }
  if (assembly_.find(piece.begin) != nullptr) SCORPIO_TRY(end_chunk(piece.begin));
  if (const auto image = decoded_.find(piece.begin); !image.empty()) {
    std::ranges::copy(image.subspan(piece.offset, bytes.size()), bytes.begin());
    return {};
  }
  const ChunkForm& form = *piece.variable->form;
  if (held_.find(piece.begin) != nullptr) return give_part(piece, {.begin = piece.begin}, bytes);
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
  const Status loaded = chunk.bytes == 0 ? load(piece, chunk.image).status() : fetch({chunk});
  if (!loaded.ok()) decoded_.forget(piece.begin);
  SCORPIO_TRY(loaded);
  std::ranges::copy(chunk.image.subspan(piece.offset, bytes.size()), bytes.begin());
  return {};
}

// Returns no bytes for a chunk that was never written.
Result<FoundChunk> ChunkData::find(const Piece& piece) {
  if (const Stored* stored = stored_of(piece)) return stored->place;
  const bool in_file = layout_.placement(piece.variable->index).is_found();
  const int64_t position = in_file ? piece.variable->form->found_position(piece.chunk) : -1;
  if (position < 0) return FoundChunk();
  if (!piece.variable->found.empty()) return piece.variable->found[static_cast<size_t>(position)];
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
  for (Variable* variable : variables_.overlapping(bytes)) {
    if (!variable->found.empty() || !layout_.placement(variable->index).is_found()) continue;
    std::vector<FoundChunk> found(static_cast<size_t>(variable->form->found_chunks()));
    for (size_t at = 0; at < found.size(); ++at) {
      const int64_t chunk = variable->form->found_chunk(static_cast<int64_t>(at));
      SCORPIO_ASSIGN(found[at], find_in_file(*variable, chunk));
    }
    variable->found = std::move(found);
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

// A chunk that was announced as a whole needs no assembly, and is encoded without a copy of its own. Each
// element is quantised once, however often its chunk is encoded.
Status ChunkData::take(const Piece& piece, std::span<const std::byte> bytes) {
  const decomp::ChunkGrid& grid = piece.variable->form->grid;
  frames_.put(piece.variable->index, *piece.variable->form, piece.chunk,
              ByteRange::at(piece.offset, bytes.size()));
  if (const WholeChunks::Chunk* whole = whole_.find(bytes.data())) return take_whole(piece, *whole);
  PartialChunk* chunk = assembly_.find(piece.begin);
  if (chunk == nullptr) {
    while (!assembly_.empty() && assembly_.bytes() + grid.chunk_bytes() > most_bytes_)
      SCORPIO_TRY(end_chunk(assembly_.oldest()));
    chunk = &assembly_.add(PartialChunk(piece.begin, grid.chunk_bytes(), grid.padding_of(piece.chunk)));
  }
  const std::span<std::byte> elements = chunk->put(piece.offset, bytes);
  if (!piece.variable->quantization.empty()) round(piece, elements);
  return chunk->is_complete() ? end_chunk(piece.begin) : Status();
}

// The chunk is encoded with the last of its elements.
Status ChunkData::take_whole(const Piece& piece, const WholeChunks::Chunk& chunk) {
  if (piece.offset + piece.bytes < chunk.end) return {};
  const std::span<std::byte> image = chunk.image;
  whole_.remove(chunk);
  if (assembly_.find(piece.begin) != nullptr) assembly_.remove(piece.begin);  // all of it is put again
  return encode(all_of(piece), image);
}

// Padding within the piece may have any value, and is no element whose error counts.
void ChunkData::round(const Piece& piece, std::span<std::byte> elements) {
  const ChunkForm& form = *piece.variable->form;
  const ByteRange whole = ByteRange::at(piece.offset, elements.size());
  for (const ByteRange& padding : form.grid.padding_of(piece.chunk)) {
    const uint64_t begin = std::max(padding.begin, whole.begin), end = std::min(padding.end, whole.end);
    if (begin < end) fill(elements.subspan(begin - whole.begin, end - begin), form.fill);
  }
  losses_.rounded(piece.variable->index,
                  piece.variable->quantization.apply(elements, piece.offset / form.grid.element_bytes()));
}

// A chunk that is not complete replaces only these bytes of the stored chunk.
Status ChunkData::end_chunk(uint64_t begin) {
  PartialChunk chunk = assembly_.remove(begin);
  Piece piece = piece_at(begin, chunk.bytes());
  if (chunk.is_complete()) return encode(piece, chunk.take());
  std::vector<std::byte> stored(chunk.bytes());
  SCORPIO_ASSIGN(piece.again, load(piece, stored));
  return encode(piece, chunk.take_over(std::move(stored)));
}

// A chunk without filters has the same size whenever it is stored: it is overwritten in the file, as
// contiguous data are.
Result<bool> ChunkData::change_in_place(const Piece& piece, std::span<const std::byte> image) {
  if (!piece.variable->form->pipeline.empty()) return false;
  SCORPIO_ASSIGN(const FoundChunk place, find(piece));
  if (place.bytes == 0) return false;
  SCORPIO_TRY(overwrite(piece, place, image));
  return true;
}

Result<ChunkData::Held> ChunkData::encoded(const Piece& piece, std::span<const std::byte> image) {
  observe::Counters& counters = observe::counters_here(counters_);
  const observe::Timer timer(counters.time_encode_ns, observe::Activity::encode, image.size());
  const codec::Pipeline& filters = piece.variable->form->pipeline;
  auto made = shared_.has(image.data()) ? shared_.take(image.data())
                                        : filters.encode(image, {piece.again, piece.variable->kept});
  if (made.ok() && filters.skips_lossy(made->skipped)) observe::add(counters.lossless_chunks, 1);
  return made;
}

// For an image without padding.
Status ChunkData::encode(const Piece& piece, std::span<const std::byte> image) {
  decoded_.forget(piece.begin);
  SCORPIO_ASSIGN(const bool changed, change_in_place(piece, image));
  if (changed) return {};
  SCORPIO_ASSIGN(Held held, encoded(piece, image));
  losses_.encoded(piece.variable->index, held.loss);
  return hold(piece, std::move(held));
}

Status ChunkData::encode(const Piece& piece, std::vector<std::byte> image) {
  const ChunkForm& form = *piece.variable->form;
  fill(image, form.grid.padding_of(piece.chunk), form.fill);
  if (!form.pipeline.empty()) return encode(piece, std::span<const std::byte>(image));
  decoded_.forget(piece.begin);
  SCORPIO_ASSIGN(const bool changed, change_in_place(piece, image));
  return changed ? Status() : hold(piece, {std::move(image), 0});
}

Status ChunkData::hold(const Piece& piece, Held encoded) {
  held_.add(piece.begin, std::move(encoded));
  if (!held_.fill_region()) return {};
  return held_.empty_into_arena(*file_, [this](uint64_t begin, const FoundChunk& place)
                                            REQUIRES(mutex_) { enter_in_index(begin, place); });
}

Status ChunkData::overwrite(const Piece& piece, const FoundChunk& place, std::span<const std::byte> image) {
  const int variable = piece.variable->index;
  if (frames_.has_news(variable, piece.chunk)) {
    const storage::IndexEntry entry{.begin = piece.begin,
                                    .address = place.address,
                                    .bytes = place.bytes,
                                    .old_address = place.address,
                                    .old_bytes = place.bytes,
                                    .frames = frames_.tell(variable, piece.chunk)};
    index_.push_back(entry);
  }
  if (lacks_end(piece)) store(piece.begin, place);
  return file_->write(place.address, image);
}

// Whether the chunk is as the opened file had it, with the end of the variable inside it.
bool ChunkData::lacks_end(const Piece& piece) const {
  return layout_.placement(piece.variable->index).is_found() && stored_of(piece) == nullptr &&
         piece.variable->form->lacks_elements(piece.chunk);
}

// Returns all elements of the chunk; those that no rank wrote have the fill value.
// Returns whether the chunk was stored before; the image of another one consists of fill values.
Result<bool> ChunkData::load(const Piece& piece, std::span<std::byte> image) {
  const ChunkForm& form = *piece.variable->form;
  if (const Held* held = held_.find(piece.begin)) {
    SCORPIO_TRY(form.pipeline.decode(held->bytes, held->skipped, image));
    return true;
  }
  SCORPIO_ASSIGN(const FoundChunk place, find(piece));
  if (place.bytes == 0) {
    fill(image, form.fill);
    return false;
  }
  SCORPIO_TRY(fetch({{piece.begin, place.address, place.bytes, place.skipped, &form.pipeline, image}}));
  if (lacks_end(piece)) fill(image, form.beyond_found(piece.chunk), form.fill);
  return true;
}

Status ChunkData::check_close() {
  {
    const MutexLock lock(mutex_);
    while (!assembly_.empty()) SCORPIO_TRY(end_chunk(assembly_.oldest()));
    // The finder has the metadata from before the synchronisation point.
    if (writable_) SCORPIO_TRY(close_finder());
  }
  return file_->check_close();
}

Status ChunkData::close() {
  Status status;
  {
    const MutexLock lock(mutex_);
    shared_.end();
    whole_.clear();
    decoding_.end();
    assembly_.clear();
    held_.clear();
    decoded_.clear();
    status = close_finder();
  }
  return first_failure(std::move(status), file_->close());
}

uint64_t ChunkData::unplaced_bytes() const {
  const MutexLock lock(mutex_);
  return held_.bytes();
}

Status ChunkData::place(uint64_t address) {
  const MutexLock lock(mutex_);
  const auto placed = [this](uint64_t begin, const FoundChunk& at)
                          REQUIRES(mutex_) { enter_in_index(begin, at); };
  SCORPIO_TRY(held_.write(*file_, address, held_.bytes(), placed).status());
  return held_.empty() ? Status() : failure(Code::internal, "{} chunks have no place", held_.count());
}

// Returns the chunk if this rank has given it a location since the file was opened.
const ChunkData::Stored* ChunkData::stored_of(const Piece& piece) const {
  const std::vector<Stored>& all = piece.variable->stored;
  const auto stored = std::ranges::lower_bound(all, piece.begin, {}, &Stored::begin);
  return stored != all.end() && stored->begin == piece.begin ? &*stored : nullptr;
}

// Records the location of the chunk from now on. Returns the previous one, without bytes if there was none.
FoundChunk ChunkData::store(uint64_t begin, const FoundChunk& place) {
  static_assert(sizeof(Stored) <= 40, "an I/O rank has one for each chunk that it stores");
  std::vector<Stored>& all = variables_.find(begin)->stored;
  const auto at = std::ranges::lower_bound(all, begin, {}, &Stored::begin);
  if (at != all.end() && at->begin == begin) return std::exchange(at->place, place);
  all.insert(at, {begin, place});
  return {};
}

// The chunk gets a new location, where it lacks these filters.
void ChunkData::count_lossless(const Piece& piece, uint32_t skipped) {
  const Variable& variable = *piece.variable;
  const codec::Pipeline& filters = variable.form->pipeline;
  if (!filters.is_lossy()) return;
  const Stored* const stored = stored_of(piece);
  FoundChunk old = stored != nullptr ? stored->place : FoundChunk();
  const auto chunk = static_cast<size_t>(piece.chunk);
  if (stored == nullptr && chunk < variable.found.size()) old = variable.found[chunk];
  const bool was = old.bytes > 0 && filters.skips_lossy(old.skipped), is = filters.skips_lossy(skipped);
  losses_.counted(variable.index, int64_t{is} - int64_t{was});
}

// The chunk has this place in the file from now on.
void ChunkData::enter_in_index(uint64_t begin, const FoundChunk& place) {
  const Piece piece = piece_at(begin, 1);
  count_lossless(piece, place.skipped);
  const FoundChunk old = store(begin, place);
  index_.push_back({.begin = begin,
                    .address = place.address,
                    .bytes = place.bytes,
                    .skipped = place.skipped,
                    .old_address = old.address,
                    .old_bytes = old.bytes,
                    .frames = frames_.tell(piece.variable->index, piece.chunk)});
}

void ChunkData::use_arena(const Arena& arena) {
  const MutexLock lock(mutex_);
  held_.use_arena(arena);
}

uint64_t ChunkData::arena_end() const {
  const MutexLock lock(mutex_);
  return held_.arena_end();
}

bool ChunkData::has_news() const {
  const MutexLock lock(mutex_);
  return !index_.empty() || !losses_.empty();
}

std::vector<storage::IndexEntry> ChunkData::take_index() {
  const MutexLock lock(mutex_);
  return std::exchange(index_, {});
}

std::vector<storage::LossEntry> ChunkData::take_losses() {
  const MutexLock lock(mutex_);
  return losses_.take();
}

}  // namespace scorpio::format
