#include "session/elements/free_dims.h"

#include <algorithm>

#include "model/extents.h"

namespace scorpio::session {

namespace {

// Indices below it do not overflow here.
constexpr int64_t k_most_index = int64_t{1} << 62;

Status no_region(const model::Variable& variable, std::span<const int64_t> dims, const char* why) {
  std::vector<std::string> extents;
  for (size_t d = 0; d < variable.dims.size(); ++d)
    extents.push_back(variable.grows(d) ? fmt::format("unlimited, now {}", variable.dims[d])
                                        : std::to_string(variable.dims[d]));
  return failure(Code::shape, "variable {} has extents ({}), the decomposition is of an array ({}): {}",
                 variable.path, fmt::join(extents, ", "), fmt::join(dims, ", "), why);
}

Status check_index(const model::Variable& variable, int64_t record, bool framed, bool reading) {
  if (!framed) {
    if (record == 0) return {};
    return failure(
        Code::argument,
        "record {} of {}: the decomposition is of all its dimensions; give 0, or a decomposition of "
        "all but the first",
        record, variable.path);
  }
  if (record < 0)
    return failure(Code::argument, "record {} of {} is negative; the first one is 0", record, variable.path);
  if (record >= k_most_index)
    return failure(Code::limit, "record {} of {} is beyond 2^62", record, variable.path);
  if ((variable.records && !reading) || record < variable.dims[0]) return {};
  return failure(Code::shape, "record {} of {} is after the last one: there are {}", record, variable.path,
                 variable.dims[0]);
}

}  // namespace

Result<decomp::Region> region_of(const model::Variable& variable, std::span<const int64_t> dims,
                                 int64_t record, bool reading) {
  const std::span<const int64_t> all = dims;
  while (dims.size() > variable.dims.size() && dims.front() == 1) dims = dims.subspan(1);
  // An array whose first extent is 1 is a record of a variable with records.
  const bool padded = variable.records && dims.size() == variable.dims.size() && dims.front() == 1;
  if (padded) dims = dims.subspan(1);
  const bool framed = dims.size() + 1 == variable.dims.size();
  if (!framed && dims.size() != variable.dims.size()) {
    return no_region(variable, all, "it must be of all dimensions, or of all but the first");
  }
  SCORPIO_TRY(check_index(variable, record, framed, reading));
  decomp::Region region{{dims.begin(), dims.end()}, framed ? record : 0};
  if (framed) region.extents.insert(region.extents.begin(), 1);
  for (size_t d = framed ? 1 : 0; d < region.extents.size(); ++d) {
    if (!variable.grows(d) && region.extents[d] != variable.dims[d])
      return no_region(variable, all, "extents that are not unlimited must be the same");
    if (reading && region.extents[d] > variable.dims[d])
      return no_region(variable, all, "it exceeds the present lengths of unlimited dimensions");
  }
  return region;
}

Result<decomp::Region> region_of(const model::Variable& variable, std::span<const Box> boxes) {
  decomp::Region region{variable.dims};
  for (const Box& box : boxes) {
    const bool empty = std::ranges::find(box.count, 0) != box.count.end();
    for (size_t d = 0; d < region.extents.size(); ++d) {
      const int64_t start = box.start[d], count = box.count[d],
                    stride = box.stride.empty() ? 1 : box.stride[d];
      if (start < 0 || count < 0 || stride < 1) {
        return failure(
            Code::shape,
            "start {}, stride {} and count {} in dimension {} of {}: start and count must be 0 or more, and "
            "stride 1 or more",
            start, stride, count, d, variable.path);
      }
      if (!variable.grows(d) || empty) continue;
      if (start >= k_most_index || (count > 1 && (k_most_index - start) / stride < count - 1)) {
        return failure(Code::shape, "start {}, stride {} and count {} in dimension {} of {} lead beyond 2^62",
                       start, stride, count, d, variable.path);
      }
      region.extents[d] = std::max(region.extents[d], start + (count - 1) * stride + 1);
    }
  }
  return region;
}

Status check_growth(const FileContents& contents, int index, const decomp::Region& region) {
  const model::Variable& variable = contents.schema().variables()[index];
  const std::vector<int64_t> ends = region.ends();
  if (ends.empty()) return {};
  SCORPIO_TRY(model::array_bytes(ends, variable.type.size_bytes).status().with_context(variable.path));
  for (size_t d = 0; d < ends.size(); ++d) {
    if (variable.grows(d))
      SCORPIO_TRY(contents.layout().check_records(variable.path, static_cast<uint64_t>(ends[d])));
  }
  return contents.layout().placement(index).check_extents(variable.path, ends);
}

void add_lengths(const model::Variable& variable, const decomp::Region& region, model::Lengths& lengths) {
  const std::vector<int64_t> ends = region.ends();
  for (size_t d = 0; d < ends.size(); ++d) {
    if (!variable.grows(d)) continue;
    int64_t& length = lengths[variable.dimensions[d]];
    length = std::max(length, ends[d]);
  }
}

}  // namespace scorpio::session
