#include "pio/file/region.h"

#include <algorithm>

#include "pio/base/failure.h"

namespace scorpio_pio {

namespace {

int whole(const Variable& variable, CheckedRegion& checked) {
  checked.start.assign(variable.extents.size(), 0);
  checked.count = variable.extents;
  return PIO_NOERR;
}

int given(const Region& region, size_t ndims, CheckedRegion& checked) {
  if (ndims == 0) return PIO_NOERR;
  const bool one = region.kind == Region::Kind::element;
  if (region.start == nullptr || (!one && region.count == nullptr))
    return fail(PIO_EINVAL, "the start or the count is NULL");
  checked.start.assign(region.start, region.start + ndims);
  checked.count =
      one ? std::vector<int64_t>(ndims, 1) : std::vector<int64_t>(region.count, region.count + ndims);
  if (region.stride != nullptr) checked.stride.assign(region.stride, region.stride + ndims);
  if (region.map != nullptr) checked.map.assign(region.map, region.map + ndims);
  return PIO_NOERR;
}

void add_growth(const Variable& variable, CheckedRegion& checked) {
  const auto add = [&](size_t d, int dimension) {
    const int64_t stride = checked.stride.empty() ? 1 : checked.stride[d];
    checked.growth.push_back({dimension, checked.start[d] + (checked.count[d] - 1) * stride + 1});
  };
  if (variable.has_records()) add(0, variable.record_dimension);
  for (const InnerDimension& one : variable.inner) add(one.index, one.dimension);
}

// Of counts that are not negative. The bytes can be counted too.
int count_elements(const std::vector<int64_t>& counts, int64_t& elements) {
  constexpr int64_t k_most = INT64_MAX / 8;
  elements = std::ranges::find(counts, 0) == counts.end() ? 1 : 0;
  for (const int64_t count : counts) {
    if (elements > 0 && count > k_most / elements)
      return fail(PIO_EEDGE, "the counts are of more than ", k_most, " elements");
    elements *= count;
  }
  return PIO_NOERR;
}

int check(const Variable& variable, bool reading, CheckedRegion& checked) {
  for (size_t d = 0; d < variable.extents.size(); ++d) {
    const int64_t start = checked.start[d], count = checked.count[d];
    const int64_t stride = checked.stride.empty() ? 1 : checked.stride[d];
    const int64_t extent = !reading && variable.grows(d) ? INT64_MAX : variable.extents[d];
    if (stride < 1)
      return fail(PIO_ESTRIDE, "the stride of dimension ", d, " is ", stride, "; give 1 or more");
    if (start < 0 || start > extent || (start == extent && count > 0))
      return fail(PIO_EINVALCOORDS, "the start in dimension ", d, " is ", start, ", its extent is ", extent);
    if (count < 0 || (count > 0 && count - 1 > (extent - 1 - start) / stride))
      return fail(PIO_EEDGE, "dimension ", d, ": start ", start, ", count ", count, " and stride ", stride,
                  " exceed the extent ", extent);
  }
  if (const int code = count_elements(checked.count, checked.elements); code != PIO_NOERR) return code;
  if (!reading && checked.elements > 0) add_growth(variable, checked);
  return PIO_NOERR;
}

}  // namespace

int check_region(const Region& region, const Variable& variable, bool reading, CheckedRegion& checked) {
  const int code = region.kind == Region::Kind::whole ? whole(variable, checked)
                                                      : given(region, variable.extents.size(), checked);
  return code != PIO_NOERR ? code : check(variable, reading, checked);
}

}  // namespace scorpio_pio
