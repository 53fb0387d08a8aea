#include "format/hdf5/dataspace.h"

#include <limits>

#include "format/hdf5/errors.h"

namespace scorpio::format::hdf5 {

Result<Handle> make_space(const Shape& shape) {
  if (shape.dims.size() > H5S_MAX_RANK) {
    return failure(Code::limit, "{} dimensions; HDF5 allows {}", shape.dims.size(), H5S_MAX_RANK);
  }
  const std::vector<hsize_t> dims(shape.dims.begin(), shape.dims.end());
  std::vector<hsize_t> most = dims;
  for (size_t d = 0; d < most.size(); ++d) {
    if ((shape.unlimited >> d & 1) != 0) most[d] = H5S_UNLIMITED;
  }
  Handle space(shape.scalar ? H5Screate(H5S_SCALAR)
                            : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), most.data()),
               H5Sclose);
  if (!space.valid()) return library_failure(Code::shape, "HDF5 does not accept the extents");
  return space;
}

Result<Shape> examine_space(hid_t space) {
  const H5S_class_t kind = H5Sget_simple_extent_type(space);
  if (kind == H5S_SCALAR) return Shape{};
  if (kind == H5S_NULL) return Shape{.scalar = false, .dims = {0}};
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0) return library_failure(Code::format, "the extents cannot be read");
  std::vector<hsize_t> dims(static_cast<size_t>(rank));
  std::vector<hsize_t> most(dims.size());
  H5Sget_simple_extent_dims(space, dims.data(), most.data());
  Shape shape{.scalar = false, .dims = {}};
  for (size_t d = 0; d < most.size(); ++d) {
    if (most[d] == H5S_UNLIMITED) shape.unlimited |= uint32_t{1} << d;
  }
  for (const hsize_t extent : dims) {
    if (extent > static_cast<hsize_t>(std::numeric_limits<int64_t>::max())) {
      return failure(Code::limit, "an extent of {} is too large", extent);
    }
    shape.dims.push_back(static_cast<int64_t>(extent));
  }
  return shape;
}

}  // namespace scorpio::format::hdf5
