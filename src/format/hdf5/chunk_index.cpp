#include "format/hdf5/chunk_index.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "format/hdf5/chunk_lookup.h"
#include "format/hdf5/errors.h"
#include "format/hdf5/growth.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/scales.h"

namespace scorpio::format::hdf5 {

void ChunkIndex::reserve(std::span<const storage::IndexEntry> entries) {
  for (const storage::IndexEntry& entry : entries) {
    if (entry.is_moved()) image_.space().reserve_data(ByteRange::at(entry.address, entry.bytes));
  }
}

Status ChunkIndex::write(std::vector<storage::IndexEntry> entries) {
  // The sort is stable, so that the later entry of a chunk that was stored twice comes last.
  std::ranges::stable_sort(entries, {}, &storage::IndexEntry::begin);
  std::map<uint64_t, int>
      variables;  // by address in raw space, which an earlier, removed variable may have had too
  for (int i = 0; i < schema_.variable_count(); ++i) {
    const Placement& placement = placements_.of(i);
    if (schema_.alive(i) && placement.chunks() != nullptr) variables[*placement.address()] = i;
  }
  uint64_t longest = 0;
  for (const storage::IndexEntry& entry : entries) longest = std::max(longest, entry.bytes);
  stand_in_.reset(std::calloc(longest + 1, 1));
  if (stand_in_ == nullptr) return failure(Code::memory, "no memory for a chunk of {} bytes", longest);
  const std::span<const storage::IndexEntry> all(entries);
  size_t next = 0;
  for (const auto& [begin, index] : variables) {
    const uint64_t end = begin + placements_.of(index).chunks()->raw_bytes();
    while (next < all.size() && all[next].begin < begin) ++next;
    const size_t first = next;
    while (next < all.size() && all[next].begin < end) ++next;
    if (first == next) continue;
    SCORPIO_TRY(write_variable(index, all.subspan(first, next - first))
                    .with_context("variable " + schema_.variable(index).path));
  }
  return {};
}

Status ChunkIndex::write_variable(int index, std::span<const storage::IndexEntry> entries) {
  const Handle dataset(H5Dopen2(file_, locate(file_, schema_.variable(index).path).c_str(), H5P_DEFAULT),
                       H5Dclose);
  if (!dataset.valid()) return library_failure(Code::not_found, "HDF5 cannot open it");
  const Placement& placement = placements_.of(index);
  SCORPIO_TRY(extend(dataset.get(), schema_.variable(index), entries));
  for (const storage::IndexEntry& entry : entries) {
    if (entry.is_moved()) SCORPIO_TRY(write_chunk(dataset.get(), placement, entry));
  }
  return {};
}

// Extends the data set to the length up to which it was put, which can differ from that of other variables
// over the dimension.
Status ChunkIndex::extend(hid_t dataset, const model::Variable& variable,
                          std::span<const storage::IndexEntry> entries) {
  if (!variable.records) return {};
  uint64_t frames = 0;
  for (const storage::IndexEntry& entry : entries) frames = std::max(frames, entry.frames);
  return extend_first(dataset, std::min(static_cast<int64_t>(frames), variable.dims[0]));
}

// HDF5 keeps the address of a chunk whose size does not change: it is stored with another size first.
Status ChunkIndex::write_chunk(hid_t dataset, const Placement& placement, const storage::IndexEntry& entry) {
  const decomp::ChunkGrid& grid = placement.chunks()->grid;
  const std::vector<int64_t> start = grid.start_of(grid.at(entry.begin - *placement.address()).chunk);
  const std::vector<hsize_t> offset(start.begin(), start.end());
  const ByteRange place = ByteRange::at(entry.address, entry.bytes);
  ByteRange before = ByteRange::at(entry.old_address, entry.old_bytes);
  if (before.empty() && placement.is_found()) {
    SCORPIO_ASSIGN(const FoundChunk old, look_up_chunk(dataset, image_, offset.data()));
    before = ByteRange::at(old.address, old.bytes);
  }
  if (before.size() == entry.bytes) {
    const ByteRange other = ByteRange::at(entry.address, entry.bytes > 1 ? entry.bytes - 1 : 2);
    SCORPIO_TRY(move_chunk(dataset, offset, entry.skipped, before, other));
    before = other;
  }
  SCORPIO_TRY(move_chunk(dataset, offset, entry.skipped, before, place));
  image_.place_data(place);
  return {};
}

// `before` is empty if the chunk is not in HDF5's index.
Status ChunkIndex::move_chunk(hid_t dataset, const std::vector<hsize_t>& offset, uint32_t skipped,
                              ByteRange before, ByteRange place) {
  if (before.size() > 0) image_.space().retire(before);
  image_.space().arm(place.begin, place.size());
  const herr_t written =
      H5Dwrite_chunk(dataset, H5P_DEFAULT, skipped, offset.data(), place.size(), stand_in_.get());
  const std::optional<ByteRange> placed = image_.space().disarm();
  if (written < 0) return library_failure(Code::io, "HDF5 does not take a chunk");
  if (placed == place) return {};
  return failure(Code::internal, "HDF5 has given a chunk of {} bytes another place than byte {}",
                 place.size(), place.begin);
}

}  // namespace scorpio::format::hdf5
