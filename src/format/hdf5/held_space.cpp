#include "format/hdf5/held_space.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "format/hdf5/errors.h"

namespace scorpio::format::hdf5 {
namespace {

// The index of chunks has 32 bits for the size of one in the file ...
constexpr hsize_t k_most_bytes = hsize_t{1} << 31;
// ... and at most one byte more than the size without filters needs.
constexpr hsize_t k_extent = hsize_t{1} << 24;

std::vector<H5F_sect_info_t> free_sections(hid_t file) {
  const ssize_t count = H5Fget_free_sections(file, H5FD_MEM_DRAW, 0, nullptr);
  std::vector<H5F_sect_info_t> sections(count > 0 ? static_cast<size_t>(count) : 0);
  if (sections.empty()) return sections;
  const ssize_t got = H5Fget_free_sections(file, H5FD_MEM_DRAW, sections.size(), sections.data());
  sections.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return sections;
}

std::vector<hsize_t> pieces_of(const std::vector<H5F_sect_info_t>& sections) {
  std::vector<hsize_t> pieces;
  for (const H5F_sect_info_t& section : sections) {
    for (hsize_t left = section.size; left > 0; left -= pieces.back())
      pieces.push_back(std::min(left, k_most_bytes));
  }
  return pieces;
}

// With a filter, chunks have any size in the file. A data set for each section costs HDF5 20 times the memory
// and 14 times the time of a chunk.
Handle make_holder(hid_t file, hsize_t chunks) {
  const hsize_t extent = chunks * k_extent;
  const Handle form(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
  if (H5Pset_chunk(form.get(), 1, &k_extent) < 0 || H5Pset_shuffle(form.get()) < 0 ||
      H5Pset_fill_time(form.get(), H5D_FILL_TIME_NEVER) < 0 || H5Pset_obj_track_times(form.get(), false) < 0)
    return {};
  return {H5Dcreate_anon(file, H5T_STD_U8LE, space.get(), form.get(), H5P_DEFAULT), H5Dclose};
}

}  // namespace

// HDF5 takes the smallest section that is large enough, so that each chunk uses up a section of its size.
Status HeldSpace::take(hid_t file, Image& image) {
  const std::vector<hsize_t> pieces = pieces_of(free_sections(file));
  if (pieces.empty()) return {};
  holder_ = make_holder(file, pieces.size());
  if (!holder_.valid()) return library_failure(Code::io, "HDF5 cannot hold space that it has freed");
  image.space().set_dropping_data(true);
  Status held;
  for (hsize_t i = 0; i < pieces.size() && held.ok(); ++i) held = hold(i, pieces[i]);
  image.space().set_dropping_data(false);
  return held;
}

Status HeldSpace::hold(hsize_t index, hsize_t bytes) {
  constexpr std::byte k_unused{};  // the driver drops the write without reading the buffer
  const hsize_t start = index * k_extent;
  if (H5Dwrite_chunk(holder_.get(), H5P_DEFAULT, 0, &start, bytes, &k_unused) >= 0) return {};
  return library_failure(Code::io, "HDF5 cannot hold space that it has freed");
}

}  // namespace scorpio::format::hdf5
