#include "format/hdf5/growth.h"

#include <string>
#include <vector>

#include "format/hdf5/errors.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/scales.h"

namespace scorpio::format::hdf5 {
namespace {

// An application may have removed it through the live id.
Handle open(hid_t file, const std::string& location) {
  Handle dataset(H5Dopen2(file, location.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) H5Eclear2(H5E_DEFAULT);
  return dataset;
}

// A data set is never shortened.
Status extend_first(hid_t dataset, int64_t extent) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  std::vector<hsize_t> dims(static_cast<size_t>(rank > 0 ? rank : 0));
  if (rank < 1 || H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr) < 0) {
    return library_failure(Code::internal, "the extents cannot be read");
  }
  if (dims[0] >= static_cast<hsize_t>(extent)) return {};
  dims[0] = static_cast<hsize_t>(extent);
  if (H5Dset_extent(dataset, dims.data()) >= 0) return {};
  return library_failure(Code::io, fmt::format("HDF5 cannot extend it to {}", extent));
}

}  // namespace

Status Growth::extend(hid_t file, const model::Schema& schema, const DimensionTable& dimensions) {
  for (int i = 0; i < schema.variable_count(); ++i) {
    const model::Variable& variable = schema.variable(i);
    if (!schema.alive(i) || !variable.records || variables_[i] == variable.dims[0]) continue;
    const Handle dataset = open(file, locate(file, variable.path));
    if (dataset.valid()) {
      SCORPIO_TRY(extend_first(dataset.get(), variable.dims[0]).with_context("variable " + variable.path));
    }
    variables_[i] = variable.dims[0];
  }
  for (size_t i = 0; i < dimensions.entries.size() && i < schema.dimensions().size(); ++i) {
    const model::Dimension& dimension = schema.dimensions()[i];
    int64_t& length = dimensions_[static_cast<int>(i)];
    if (!dimension.unlimited || dimensions.entries[i].path.empty() || length == dimension.extent) continue;
    const Handle scale = open(file, dimensions.entries[i].path);
    if (scale.valid() && is_bare_scale(scale.get())) {
      SCORPIO_TRY(extend_first(scale.get(), dimension.extent).with_context("dimension " + dimension.name));
    }
    length = dimension.extent;
  }
  return {};
}

}  // namespace scorpio::format::hdf5
