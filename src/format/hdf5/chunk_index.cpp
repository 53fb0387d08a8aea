#include "format/hdf5/chunk_index.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "format/chunk_windows.h"
#include "format/hdf5/chunk_lookup.h"
#include "format/hdf5/errors.h"
#include "format/hdf5/growth.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/scales.h"

namespace scorpio::format::hdf5 {

// The sort is stable, so that the later entry of a chunk that was stored twice comes last.
ChunkIndex::ChunkIndex(hid_t file, Image& image, const model::Variables& variables,
                       const Placements& placements, std::vector<storage::IndexEntry> entries)
    : file_(file),
      image_(image),
      variables_(variables),
      placements_(placements),
      entries_(std::move(entries)),
      written_(entries_.size(), false) {
  sort();
  for (const storage::IndexEntry& entry : entries_) {
    if (entry.is_moved()) image_.space().reserve_data(ByteRange::at(entry.address, entry.bytes));
  }
}

// Variables can share units of raw space, so that the entries of one variable are not neighbours there.
void ChunkIndex::sort() {
  if (entries_.empty()) return;
  ChunkWindows<int> windows;
  for (int i = 0; i < variables_.count(); ++i) {
    const Placement& placement = placements_.of(i);
    if (variables_.alive(i) && placement.chunks() != nullptr)
      windows.add(*placement.address(), *placement.chunks(), i);
  }
  const auto variable_of = [&](const storage::IndexEntry& entry) {
    const int* found = windows.find(entry.begin);
    if (found == nullptr) return -1;
    const Placement& placement = placements_.of(*found);
    return placement.chunks()->holds(*placement.address(), entry.begin) ? *found : -1;
  };
  struct Key {
    int variable;
    uint64_t begin;
    size_t entry;
  };
  const auto place_of = [](const Key& key) { return std::pair(key.variable, key.begin); };
  std::vector<Key> keys;
  keys.reserve(entries_.size());
  for (const storage::IndexEntry& entry : entries_)
    keys.push_back({variable_of(entry), entry.begin, keys.size()});
  if (!std::ranges::is_sorted(keys, {}, place_of)) {
    std::ranges::stable_sort(keys, {}, place_of);
    std::vector<storage::IndexEntry> sorted;
    sorted.reserve(keys.size());
    for (const Key& key : keys) sorted.push_back(entries_[key.entry]);
    entries_ = std::move(sorted);
  }
  sorted_variables_.reserve(keys.size());
  for (const Key& key : keys) sorted_variables_.push_back(key.variable);
}

namespace {

// Extends `ends` [ndims] to the element of the chunk that the entry names.
void reach(const Placement& placement, const storage::IndexEntry& entry, std::vector<int64_t>& ends) {
  const decomp::ChunkGrid& grid = placement.chunks()->grid;
  const std::vector<int64_t> start = grid.start_of(grid.at(entry.begin - *placement.address()).chunk);
  auto element = static_cast<int64_t>(entry.frames) - 1;
  for (size_t d = start.size(); d-- > 0; element /= grid.chunk()[d])
    ends[d] = std::max(ends[d], start[d] + element % grid.chunk()[d] + 1);
}

}  // namespace

ChunkIndex::Extent ChunkIndex::entries_of(int variable) const {
  const auto first = std::ranges::lower_bound(sorted_variables_, variable);
  const auto last = std::upper_bound(first, sorted_variables_.end(), variable);
  return {static_cast<size_t>(first - sorted_variables_.begin()), static_cast<size_t>(last - first)};
}

std::vector<int64_t> ChunkIndex::extents_of(int index) const {
  const model::Variable& variable = variables_[index];
  std::vector<int64_t> ends(variable.dims.size());
  const Extent extent = entries_of(index);
  for (size_t i = extent.first; i < extent.first + extent.count; ++i) {
    const auto frames = static_cast<int64_t>(entries_[i].frames);
    if (!variable.is_free()) ends[0] = std::max(ends[0], frames);
    if (variable.is_free() && frames > 0) reach(placements_.of(index), entries_[i], ends);
  }
  std::vector<int64_t> extents = variable.dims;
  for (size_t d = 0; d < extents.size(); ++d) {
    if (variable.grows(d)) extents[d] = std::min(ends[d], extents[d]);
  }
  return extents;
}

Status ChunkIndex::write_new(int variable, hid_t dataset) { return write_entries(variable, dataset); }

Status ChunkIndex::write() {
  for (int i = 0; i < variables_.count() && !entries_.empty(); ++i) {
    const Extent extent = variables_.alive(i) ? entries_of(i) : Extent();
    if (extent.count == 0 || written_[extent.first]) continue;
    SCORPIO_TRY(write_variable(i).with_context("variable " + variables_[i].path));
  }
  return {};
}

std::vector<storage::IndexEntry> ChunkIndex::unwritten() const {
  std::vector<storage::IndexEntry> left;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!written_[i]) left.push_back(entries_[i]);
  }
  return left;
}

Status ChunkIndex::write_variable(int index) {
  const Handle dataset = open_variable(file_, variables_[index].path);
  if (!dataset.valid()) return library_failure(Code::not_found, "HDF5 cannot open it");
  if (variables_[index].records || variables_[index].is_free())
    SCORPIO_TRY(extend(dataset.get(), extents_of(index)));
  return write_entries(index, dataset.get());
}

Status ChunkIndex::write_entries(int index, hid_t dataset) {
  Status written = write_entries(index, dataset, entries_of(index));
  pass_on(k_none);
  return written;
}

// HDF5 changes neither the size nor the place of a chunk of a data set without filters: of one that was
// stored twice since the last time, it gets the later place.
Status ChunkIndex::write_entries(int index, hid_t dataset, const Extent& extent) {
  if (extent.count == 0) return {};  // the variable may have no chunks
  const Placement& placement = placements_.of(index);
  const bool moves = !placement.chunks()->pipeline.empty();
  const size_t end = extent.first + extent.count;
  for (size_t i = extent.first; i < end; ++i) {
    if (!moves && i + 1 < end && entries_[i + 1].begin == entries_[i].begin) {
      entries_[i + 1].old_address = entries_[i].old_address;
      entries_[i + 1].old_bytes = entries_[i].old_bytes;
    } else if (entries_[i].is_moved()) {
      SCORPIO_TRY(write_chunk(dataset, placement, entries_[i]));
    }
    written_[i] = true;
  }
  return {};
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
  pass_on(place);
  return {};
}

// Chunks mostly follow each other.
void ChunkIndex::pass_on(ByteRange place) {
  if (place.begin != placed_.end) {
    if (!placed_.empty()) image_.place_data(placed_);
    placed_.begin = place.begin;
  }
  placed_.end = place.end;
}

Status ChunkIndex::provide_stand_in(uint64_t bytes) {
  if (stand_in_ != nullptr && bytes <= stand_in_bytes_) return {};
  stand_in_bytes_ = std::max(bytes, 2 * stand_in_bytes_);
  stand_in_.reset(std::calloc(stand_in_bytes_, 1));
  if (stand_in_ != nullptr) return {};
  return failure(Code::memory, "no memory for a chunk of {} bytes", bytes);
}

// `before` is empty if the chunk is not in HDF5's index.
Status ChunkIndex::move_chunk(hid_t dataset, const std::vector<hsize_t>& offset, uint32_t skipped,
                              ByteRange before, ByteRange place) {
  SCORPIO_TRY(provide_stand_in(place.size()));
  if (before.size() > 0) {
    pass_on(k_none);  // HDF5 may use the space that it frees for metadata
    image_.space().retire(before);
  }
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
