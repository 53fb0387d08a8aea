#include "format/hdf5/image.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "format/hdf5/global_heap.h"

namespace scorpio::format::hdf5 {
namespace {

// Raw data from this size on that no other rank accesses yet are written directly.
constexpr size_t k_direct_bytes = size_t{64} << 10;
constexpr uint64_t k_copy_bytes = uint64_t{4} << 20;
constexpr uint64_t k_superblock_bytes = 512;  // at least
constexpr uint64_t k_no_end = std::numeric_limits<uint64_t>::max();

}  // namespace

Image::Image(std::unique_ptr<storage::StoredFile> file, Origin origin, const Hdf5Options& options)
    : origin_(std::move(origin)),
      options_(options),
      stored_(std::move(file),
              {.name = origin_.name,
               .store = options.undo_journal ? origin_.store : nullptr,
               .valid_bytes = origin_.created ? 0 : origin_.stored_bytes,
               .durable = options.durable,
               .named = !options.temporary},
              counters_),
      space_(options.block_bytes),
      spill_above_bytes_(options.image_limit_bytes),
      descriptor_(stored_.descriptor().value_or(-1)),
      opener_(getpid()) {
  extend(stored_.valid_bytes());
}

bool Image::is_named(const std::string& name) const {
  if (name == origin_.name) return true;
  return !closed() && stored_.descriptor() && stored_.is_at(name);
}

Status Image::open() const {
  return closed() ? failure(Code::state, "{} is closed", origin_.name) : Status();
}

Status Image::read(bool raw, uint64_t address, std::span<std::byte> out) {
  SCORPIO_TRY(open());
  if (raw && notes_reads_) {
    noted_read_ = ByteRange::at(address, out.size());
    notes_reads_ = false;
    return {};
  }
  if (raw) {
    SCORPIO_TRY(stored_.read_data(address, out));
  } else if (!kept_.covers(ByteRange::at(address, out.size()))) {
    SCORPIO_TRY(stored_.read_metadata(address, out));
  }
  kept_.overlay(address, out);
  return {};
}

// HDF5 reads the first bytes of a collection, and then the others.
bool Image::is_readable(uint64_t address, std::span<const std::byte> bytes) {
  if (!long_lengths_ || (noted_read_ && noted_read_->begin == address)) return true;
  const auto length = heap_collection_bytes(bytes);
  if (!length) return true;
  if (*length <= bytes.size()) return heap_objects_end(bytes.first(*length));
  if (*length > size() || address > size() - *length) return false;
  std::vector<std::byte> whole(*length);
  return !read(true, address, whole).ok() || heap_objects_end(whole);
}

Status Image::write(bool raw, uint64_t address, std::span<const std::byte> bytes) {
  const ByteRange range = ByteRange::at(address, bytes.size());
  // HDF5 does this for each chunk, and the process is asked by a system call.
  if (space_.drops(range)) return {};
  if (foreign_process()) return {};
  SCORPIO_TRY(open());
  if (raw && space_.drops_data()) return {};
  extend(range.end);
  if (origin_.mirror) {
    if (raw) unkept_bytes_ += bytes.size();
    kept_.keep(address, bytes);
    return {};
  }
  const bool new_space = address >= stored_.valid_bytes();
  if (space_.is_data(range) || (raw && new_space && bytes.size() >= k_direct_bytes)) {
    forget(range);
    return stored_.write(bytes, address);
  }
  kept_.keep(address, bytes);
  if (kept_.bytes() > spill_above_bytes_) spill();
  return {};
}

// The bytes of the range in memory are out of date.
void Image::forget(ByteRange range) {
  kept_.forget(range);
  space_.forget_metadata(range);
}

Status Image::share_data(ByteRange range) {
  for (const ByteRange& held : kept_.to_write(range, space_.metadata()))
    SCORPIO_TRY(stored_.write_kept(kept_, held));
  place_data(range);
  return {};
}

void Image::place_data(ByteRange range) {
  forget(range);
  space_.add_data(range);
}

Status Image::move_data(ByteRange from, uint64_t to) {
  const ByteRange target = ByteRange::at(to, from.size());
  place_data(target);
  extend(target.end);
  std::vector<std::byte> buffer(static_cast<size_t>(std::min(from.size(), k_copy_bytes)));
  for (uint64_t done = 0; done < from.size(); done += buffer.size()) {
    const auto piece = std::span(buffer).first(std::min<uint64_t>(buffer.size(), from.size() - done));
    SCORPIO_TRY(read(true, from.begin + done, piece));
    SCORPIO_TRY(stored_.write(piece, to + done));
  }
  space_.remove_data(from);
  return {};
}

Status Image::zero_data(ByteRange range) {
  place_data(range);
  extend(range.end);
  const std::vector<std::byte> zeros(static_cast<size_t>(std::min(range.size(), k_copy_bytes)));
  for (uint64_t done = 0; done < range.size(); done += zeros.size()) {
    const auto piece = std::span(zeros).first(std::min<uint64_t>(zeros.size(), range.size() - done));
    SCORPIO_TRY(stored_.write(piece, range.begin + done));
  }
  return {};
}

Status Image::commit() {
  if (foreign_process() || !origin_.writable || origin_.mirror || held_ || abandoned_) return {};
  SCORPIO_TRY(open());
  SCORPIO_TRY(stored_.broken());
  extend(space_.end());
  SCORPIO_TRY(stored_.extend_to(size()));
  if (kept_.all_written()) return {};
  SCORPIO_TRY(stored_.commit(kept_, space_.metadata(), size()));
  kept_.set_written();
  if (kept_.bytes() > options_.image_limit_bytes) release();
  return {};
}

// HDF5 rewrites its superblock whenever it closes the file: KeptBytes compares it.
void Image::release() {
  if (!kept_.all_written() || origin_.mirror) return;
  forget({stored_.superblock() + k_superblock_bytes, k_no_end});
}

// The limit of memory is reached: space to which no valid file refers may be written at any time. Bytes that
// cannot be written stay in memory, and commit() returns the failure: if HDF5 failed while it closes the
// file, it would leave it incomplete.
void Image::spill() {
  const uint64_t valid = stored_.valid_bytes();
  for (const ByteRange& range : kept_.to_write({valid, k_no_end}, space_.metadata())) {
    if (valid == 0 && stored_.has_superblock(range)) continue;
    if (!stored_.write_kept(kept_, range).ok()) break;
    forget(range);
  }
  // Bytes that have to stay in memory must not make every later write try again.
  spill_above_bytes_ = std::max(options_.image_limit_bytes, kept_.bytes() + kept_.bytes() / 4);
}

Status Image::take_failure() { return std::exchange(failure_, Status()); }

void Image::keep_failure(Status status) {
  if (failure_.ok()) failure_ = std::move(status);
}

Status Image::close() {
  descriptor_ = -1;
  return stored_.close();
}

}  // namespace scorpio::format::hdf5
