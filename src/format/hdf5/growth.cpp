#include "format/hdf5/growth.h"

#include <algorithm>
#include <string>
#include <vector>

#include "format/hdf5/errors.h"
#include "format/hdf5/handle.h"

namespace scorpio::format::hdf5 {
namespace {

// An application may have removed it through the live id.
Handle open(hid_t file, const std::string& location) {
  Handle dataset(H5Dopen2(file, location.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) H5Eclear2(H5E_DEFAULT);
  return dataset;
}

}  // namespace

Status extend_first(hid_t dataset, int64_t extent) { return extend(dataset, std::span(&extent, 1)); }

Status extend(hid_t dataset, std::span<const int64_t> extents) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  std::vector<hsize_t> dims(static_cast<size_t>(rank > 0 ? rank : 0));
  if (rank < std::ssize(extents) || H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr) < 0) {
    return library_failure(Code::internal, "the extents cannot be read");
  }
  bool longer = false;
  for (size_t d = 0; d < extents.size(); ++d) {
    const auto extent = static_cast<hsize_t>(extents[d]);
    longer = longer || extent > dims[d];
    dims[d] = std::max(dims[d], extent);
  }
  if (!longer || H5Dset_extent(dataset, dims.data()) >= 0) return {};
  return library_failure(Code::io, fmt::format("HDF5 cannot extend it to {}", fmt::join(dims, " x ")));
}

Status extend_scales(hid_t file, const model::Dimensions& dimensions, DimensionTable& table) {
  for (size_t i = 0; i < table.entries.size() && i < dimensions.all().size(); ++i) {
    const model::Dimension& dimension = dimensions.all()[i];
    DimensionTable::Entry& entry = table.entries[i];
    if (!dimension.unlimited || entry.path.empty() || entry.length == dimension.extent) continue;
    const Handle scale = open(file, entry.path);
    if (!scale.valid()) continue;
    SCORPIO_TRY(extend_first(scale.get(), dimension.extent).with_context("dimension " + dimension.name));
    entry.length = dimension.extent;
  }
  return {};
}

}  // namespace scorpio::format::hdf5
