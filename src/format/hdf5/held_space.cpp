#include "format/hdf5/held_space.h"

#include "format/hdf5/errors.h"

namespace scorpio::format::hdf5 {
namespace {

// Space is allocated at once, and nothing is written to it.
Handle make_form() {
  Handle form(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (H5Pset_layout(form.get(), H5D_CONTIGUOUS) < 0 ||
      H5Pset_alloc_time(form.get(), H5D_ALLOC_TIME_EARLY) < 0 ||
      H5Pset_fill_time(form.get(), H5D_FILL_TIME_NEVER) < 0 || H5Pset_obj_track_times(form.get(), false) < 0)
    form.close();
  return form;
}

std::vector<H5F_sect_info_t> free_sections(hid_t file) {
  const ssize_t count = H5Fget_free_sections(file, H5FD_MEM_DRAW, 0, nullptr);
  std::vector<H5F_sect_info_t> sections(count > 0 ? static_cast<size_t>(count) : 0);
  if (sections.empty()) return sections;
  const ssize_t got = H5Fget_free_sections(file, H5FD_MEM_DRAW, sections.size(), sections.data());
  sections.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return sections;
}

}  // namespace

// HDF5 takes the smallest section that is large enough, so that each request uses up a section of its size.
Status HeldSpace::take(hid_t file) {
  const std::vector<H5F_sect_info_t> sections = free_sections(file);
  if (sections.empty()) return {};
  const Handle form = make_form();
  if (!form.valid()) return library_failure(Code::internal, "HDF5 does not accept the creation properties");
  for (const H5F_sect_info_t& section : sections) SCORPIO_TRY(hold(file, form.get(), section.size));
  return {};
}

Status HeldSpace::hold(hid_t file, hid_t form, hsize_t bytes) {
  const Handle space(H5Screate_simple(1, &bytes, nullptr), H5Sclose);
  Handle holder(H5Dcreate_anon(file, H5T_STD_U8LE, space.get(), form, H5P_DEFAULT), H5Dclose);
  if (!holder.valid()) return library_failure(Code::io, "HDF5 cannot hold space that it has freed");
  holders_.push_back(std::move(holder));
  return {};
}

}  // namespace scorpio::format::hdf5
