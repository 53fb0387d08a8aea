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
// Rewriting this number of known bytes takes less time than another write.
constexpr uint64_t k_fill_bytes = uint64_t{1} << 20;
constexpr uint64_t k_superblock_bytes = 512;  // at least
constexpr uint64_t k_no_end = std::numeric_limits<uint64_t>::max();

}  // namespace

Image::Image(std::unique_ptr<storage::StoredFile> file, Origin origin, const Hdf5Options& options)
    : file_(std::move(file)),
      origin_(std::move(origin)),
      options_(options),
      space_(options.block_bytes),
      committed_bytes_(origin_.created ? 0 : origin_.stored_bytes),
      spill_above_bytes_(options.image_limit_bytes),
      named_(!options.temporary),
      descriptor_(file_->descriptor().value_or(-1)),
      opener_(getpid()) {
  extend(committed_bytes_);
}

bool Image::is_named(const std::string& name) const {
  if (name == origin_.name) return true;
  if (file_ == nullptr || !file_->descriptor()) return false;
  const auto same = file_->is_at(name);
  return same.ok() && *same;
}

Status Image::read(bool raw, uint64_t address, std::span<std::byte> out) {
  if (file_ == nullptr) return failure(Code::state, "{} is closed", origin_.name);
  if (raw && notes_reads_) {
    noted_read_ = ByteRange::at(address, out.size());
    notes_reads_ = false;
    return {};
  }
  // I/O ranks change data in the file; only this rank changes metadata.
  if (raw) {
    SCORPIO_ASSIGN(const size_t got, file_->read_at(out, address));
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(got), out.end(), std::byte{0});
  } else if (!known_.covers(address, address + out.size())) {
    SCORPIO_TRY(read_ahead_.read(*file_, address, out));
  }
  known_.overlay(address, out);
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

Status Image::write_stored(std::span<const std::byte> bytes, uint64_t address) {
  read_ahead_.forget();
  return file_->write_at(bytes, address);
}

void Image::keep(uint64_t address, std::span<const std::byte> bytes) {
  // HDF5 rewrites its superblock whenever it closes the file.
  if (known_.holds(address, bytes)) return;
  known_.put(address, bytes);
  dirty_.add(ByteRange::at(address, bytes.size()));
}

Status Image::write(bool raw, uint64_t address, std::span<const std::byte> bytes) {
  const ByteRange range = ByteRange::at(address, bytes.size());
  // HDF5 does this for each chunk, and the process is asked by a system call.
  if (space_.drops(range)) return {};
  if (foreign_process()) return {};
  if (file_ == nullptr) return failure(Code::state, "{} is closed", origin_.name);
  if (raw && space_.drops_data()) return {};
  extend(range.end);
  if (origin_.mirror) {
    if (raw) unkept_bytes_ += bytes.size();
    keep(address, bytes);
    return {};
  }
  const bool new_space = address >= committed_bytes_;
  if (space_.is_data(range) || (raw && new_space && bytes.size() >= k_direct_bytes)) {
    forget(range);
    return write_stored(bytes, address);
  }
  keep(address, bytes);
  if (known_.bytes() > spill_above_bytes_) spill();
  return {};
}

// The bytes of the range in memory are out of date.
void Image::forget(ByteRange range) {
  known_.erase(range.begin, range.end);
  dirty_.erase(range);
  space_.forget_metadata(range);
}

Status Image::share_data(ByteRange range) {
  for (const ByteRange& held : segments(range.begin, range.end)) SCORPIO_TRY(write_segment(held));
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
    SCORPIO_TRY(write_stored(piece, to + done));
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
    SCORPIO_TRY(write_stored(piece, range.begin + done));
  }
  return {};
}

// Whether all bytes are in memory, or in space that HDF5 allocated for metadata and did not write.
bool Image::fillable(uint64_t begin, uint64_t end) const {
  if (end - begin > k_fill_bytes) return false;
  while (begin < end) {
    auto next = known_.end_of_extent_at(begin);
    if (!next) next = space_.metadata().end_of_range_at(begin);
    if (!next) return false;
    begin = *next;
  }
  return true;
}

// The dirty ranges of [begin, end), joined if the bytes between them may be written too.
std::vector<ByteRange> Image::segments(uint64_t begin, uint64_t end) const {
  std::vector<ByteRange> out;
  for (const auto& [dirty_begin, dirty_end] : dirty_.ranges()) {
    const uint64_t from = std::max(begin, dirty_begin);
    const uint64_t to = std::min(end, dirty_end);
    if (from >= to) continue;
    if (!out.empty() && fillable(out.back().end, from)) {
      out.back().end = to;
    } else {
      out.push_back({from, to});
    }
  }
  return out;
}

// A long segment is written in pieces, so that its copy takes little memory, which is touched once. The first
// piece is the last to be written, because it may have the superblock.
Status Image::write_segment(ByteRange segment) {
  const auto most = static_cast<size_t>(std::min(segment.size(), k_copy_bytes));
  const auto memory = std::make_unique_for_overwrite<std::byte[]>(most);
  const auto write = [&](ByteRange piece) {
    const std::span<std::byte> bytes(memory.get(), static_cast<size_t>(piece.size()));
    if (!known_.covers(piece.begin, piece.end)) std::ranges::fill(bytes, std::byte{0});
    known_.overlay(piece.begin, bytes);
    counters_.writes += 1;
    counters_.bytes_written += piece.size();
    return write_stored(bytes, piece.begin);
  };
  for (uint64_t begin = segment.begin + most; begin < segment.end; begin += most)
    SCORPIO_TRY(write({begin, std::min(begin + most, segment.end)}));
  return write({segment.begin, segment.begin + most});
}

Status Image::write_segments(std::span<const ByteRange> segments) {
  for (const ByteRange& segment : segments) SCORPIO_TRY(write_segment(segment));
  return {};
}

Status Image::commit() {
  if (foreign_process() || !origin_.writable || origin_.mirror || held_ || abandoned_) return {};
  if (file_ == nullptr) return failure(Code::state, "{} is closed", origin_.name);
  SCORPIO_TRY(overwrite_.broken());
  SCORPIO_TRY(extend_storage());
  if (dirty_.empty()) return {};
  SCORPIO_TRY(write_metadata());
  dirty_.clear();
  committed_bytes_ = size();
  if (known_.bytes() > options_.image_limit_bytes) release();
  return {};
}

// HDF5 rewrites its superblock whenever it closes the file: keep() compares it.
void Image::release() {
  if (!dirty_.empty() || origin_.mirror) return;
  const ByteRange released{superblock_ + k_superblock_bytes, k_no_end};
  known_.erase(released.begin, released.end);
  space_.forget_metadata(released);
}

// Other ranks may have written after the end that HDF5 knows: the file is only extended.
Status Image::extend_storage() {
  extend(space_.end());
  SCORPIO_ASSIGN(const uint64_t stored, file_->size());
  return stored >= size() ? Status() : file_->truncate(size());
}

Status Image::write_metadata() {
  if (committed_bytes_ != 0) {
    SCORPIO_TRY(write_segments(segments(committed_bytes_, k_no_end)));
    const std::vector<ByteRange> old = segments(0, committed_bytes_);
    return old.empty() ? sync() : overwrite(old);
  }
  // The superblock makes a new file valid, so it is written last.
  std::vector<ByteRange> all = segments(0, k_no_end);
  const auto with_superblock = std::partition(all.begin(), all.end(), [this](const ByteRange& segment) {
    return superblock_ < segment.begin || superblock_ >= segment.end;
  });
  SCORPIO_TRY(write_segments({all.begin(), with_superblock}));
  if (with_superblock != all.begin()) SCORPIO_TRY(sync());
  SCORPIO_TRY(write_segments({with_superblock, all.end()}));
  return sync();
}

// `segments` are ranges of the valid file in storage.
Status Image::overwrite(std::span<const ByteRange> segments) {
  SCORPIO_TRY(sync());
  // A new file under its temporary name is not valid yet, and a journal would be that of the file with the
  // final name.
  const bool guarded = options_.undo_journal && origin_.store != nullptr && named();
  std::vector<ByteRange> ordered(segments.begin(), segments.end());
  std::stable_partition(ordered.begin(), ordered.end(), [this](const ByteRange& segment) {
    return superblock_ < segment.begin || superblock_ >= segment.end;
  });
  const auto write = [&] { return write_segments(ordered); };
  if (!guarded) return first_failure(write(), sync());
  return overwrite_.run({*origin_.store, origin_.name, *file_, committed_bytes_}, segments, write);
}

Status Image::sync() { return options_.durable ? file_->sync() : Status(); }

// The limit of memory is reached: space to which no valid file refers may be written at any time. Bytes that
// cannot be written stay in memory, and commit() returns the failure: if HDF5 failed while it closes the
// file, it would leave it incomplete.
void Image::spill() {
  for (const ByteRange& segment : segments(committed_bytes_, k_no_end)) {
    const bool with_superblock = superblock_ >= segment.begin && superblock_ < segment.end;
    if (committed_bytes_ == 0 && with_superblock) continue;
    if (!write_segment(segment).ok()) break;
    forget(segment);
  }
  // Bytes that have to stay in memory must not make every later write try again.
  spill_above_bytes_ = std::max(options_.image_limit_bytes, known_.bytes() + known_.bytes() / 4);
}

Status Image::take_failure() { return std::exchange(failure_, Status()); }

void Image::keep_failure(Status status) {
  if (failure_.ok()) failure_ = std::move(status);
}

// The result is kept, because each check of the name is a call to the metadata server of the file system.
bool Image::named() {
  if (named_ || file_ == nullptr || committed_bytes_ == 0) return named_;
  const Result<bool> there = file_->is_at(origin_.name);
  named_ = there.ok() && *there;
  return named_;
}

Status Image::close() {
  if (file_ == nullptr) return {};
  descriptor_ = -1;
  overwrite_.release();  // releases the lock of the journal, so that the next open may use it
  Status status = file_->close();
  file_.reset();
  return status;
}

}  // namespace scorpio::format::hdf5
