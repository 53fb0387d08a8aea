#include "format/hdf5/stored_image.h"

#include <algorithm>

namespace scorpio::format::hdf5 {

namespace {

constexpr uint64_t k_piece_bytes = uint64_t{4} << 20;

}  // namespace

bool StoredImage::is_at(const std::string& path) const {
  const Result<bool> there = file_->is_at(path);
  return there.ok() && *there;
}

// The result is kept, because each check of the name is a call to the metadata server of the file system.
bool StoredImage::named() {
  if (ground_.named || file_ == nullptr || ground_.valid_bytes == 0) return ground_.named;
  ground_.named = is_at(ground_.name);
  return ground_.named;
}

Status StoredImage::read_data(uint64_t address, std::span<std::byte> out) {
  SCORPIO_ASSIGN(const size_t got, file_->read_at(out, address));
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(got), out.end(), std::byte{0});
  return {};
}

Status StoredImage::write(std::span<const std::byte> bytes, uint64_t address) {
  read_ahead_.forget();
  return file_->write_at(bytes, address);
}

// A long range is written in pieces, so that its copy takes little memory, which is touched once. The first
// piece is the last to be written, because it may have the superblock.
Status StoredImage::write_kept(const KeptBytes& kept, ByteRange range) {
  const auto most = static_cast<size_t>(std::min(range.size(), k_piece_bytes));
  const auto memory = std::make_unique_for_overwrite<std::byte[]>(most);
  const auto write_piece = [&](ByteRange piece) {
    const std::span<std::byte> bytes(memory.get(), static_cast<size_t>(piece.size()));
    if (!kept.covers(piece)) std::ranges::fill(bytes, std::byte{0});
    kept.overlay(piece.begin, bytes);
    counters_.writes += 1;
    counters_.bytes_written += piece.size();
    return write(bytes, piece.begin);
  };
  for (uint64_t begin = range.begin + most; begin < range.end; begin += most)
    SCORPIO_TRY(write_piece({begin, std::min(begin + most, range.end)}));
  return write_piece({range.begin, range.begin + most});
}

Status StoredImage::write_all(const KeptBytes& kept, std::span<const ByteRange> ranges) {
  for (const ByteRange& range : ranges) SCORPIO_TRY(write_kept(kept, range));
  return {};
}

Status StoredImage::extend_to(uint64_t size) {
  SCORPIO_ASSIGN(const uint64_t stored, file_->size());
  return stored >= size ? Status() : file_->truncate(size);
}

// Returns the number of ranges before the one that has the superblock.
size_t StoredImage::superblock_last(std::vector<ByteRange>& ranges) const {
  const auto last = std::stable_partition(ranges.begin(), ranges.end(),
                                          [this](const ByteRange& range) { return !has_superblock(range); });
  return static_cast<size_t>(last - ranges.begin());
}

Status StoredImage::commit(const KeptBytes& kept, const IntervalSet& unused, uint64_t size) {
  SCORPIO_TRY(ground_.valid_bytes == 0 ? write_new(kept, unused) : write_changed(kept, unused));
  ground_.valid_bytes = size;
  return {};
}

// The superblock makes a new file valid.
Status StoredImage::write_new(const KeptBytes& kept, const IntervalSet& unused) {
  std::vector<ByteRange> all = kept.to_write({0, k_no_end}, unused);
  const size_t before = superblock_last(all);
  SCORPIO_TRY(write_all(kept, std::span(all).first(before)));
  if (before > 0) SCORPIO_TRY(sync());
  SCORPIO_TRY(write_all(kept, std::span(all).subspan(before)));
  return sync();
}

Status StoredImage::write_changed(const KeptBytes& kept, const IntervalSet& unused) {
  SCORPIO_TRY(write_all(kept, kept.to_write({ground_.valid_bytes, k_no_end}, unused)));
  SCORPIO_TRY(sync());
  std::vector<ByteRange> old = kept.to_write({0, ground_.valid_bytes}, unused);
  if (old.empty()) return {};
  const std::vector<ByteRange> saved = old;
  (void)superblock_last(old);
  const auto write_old = [&] { return write_all(kept, old); };
  // A new file under its temporary name is not valid yet, and a journal would be that of the file with the
  // final name.
  if (ground_.store == nullptr || !named()) {
    SCORPIO_TRY(write_old());
    return sync();
  }
  return overwrite_.run({*ground_.store, ground_.name, *file_, ground_.valid_bytes}, saved, write_old);
}

}  // namespace scorpio::format::hdf5
