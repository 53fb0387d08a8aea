#include "format/cdf/header_check.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/byte_range.h"
#include "format/cdf/geometry.h"
#include "format/cdf/limits.h"

namespace scorpio::format::cdf {
namespace {

template <typename Item>
Status check_distinct(const std::vector<Item>& items, const char* what) {
  if (items.size() < 2) return {};
  std::unordered_set<std::string_view> names;
  for (const Item& item : items) {
    if (!names.insert(item.name).second)
      return failure(Code::format, "two {} are called \"{}\"", what, item.name);
  }
  return {};
}

Status check_one_unlimited(const std::vector<Dimension>& dims) {
  const Dimension* first = nullptr;
  for (const Dimension& dimension : dims) {
    if (!dimension.unlimited) continue;
    if (first != nullptr) {
      return failure(Code::format,
                     "the dimensions \"{}\" and \"{}\" are both unlimited (length 0): only one may be",
                     first->name, dimension.name);
    }
    first = &dimension;
  }
  return {};
}

Status check_names(const Header& header) {
  SCORPIO_TRY(check_distinct(header.dims, "dimensions"));
  SCORPIO_TRY(check_distinct(header.attributes, "attributes of the file"));
  SCORPIO_TRY(check_distinct(header.variables, "variables"));
  for (const Variable& variable : header.variables) {
    SCORPIO_TRY(check_distinct(variable.attributes, "attributes of a variable").with_context(variable.name));
  }
  return {};
}

// A range of bytes of the file and the variable to which it belongs.
struct Place {
  ByteRange bytes;
  std::string name;
};

Status check_disjoint(std::vector<Place> places) {
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.bytes.begin < b.bytes.begin; });
  for (size_t i = 1; i < places.size(); ++i) {
    if (places[i].bytes.begin >= places[i - 1].bytes.end) continue;
    return failure(Code::format,
                   "{} from byte {} to {} and {} from byte {} on overlap: a length in the header is damaged",
                   places[i - 1].name, places[i - 1].bytes.begin, places[i - 1].bytes.end, places[i].name,
                   places[i].bytes.begin);
  }
  return {};
}

}  // namespace

Status check_apart(const Header& header) {
  SCORPIO_ASSIGN(const Geometry geometry, Geometry::make(header));
  std::vector<Place> fixed, slabs;  // the slabs of record 0
  for (size_t i = 0; i < header.variables.size(); ++i) {
    const Extent& extent = geometry.variables()[i];
    (extent.record ? slabs : fixed)
        .push_back(
            {ByteRange::at(extent.begin, extent.bytes), "variable \"" + header.variables[i].name + "\""});
  }
  if (!slabs.empty()) {
    const uint64_t records = header.records == k_streaming ? 1 : std::max<uint64_t>(header.records, 1);
    SCORPIO_ASSIGN(const uint64_t one, geometry.end_of_records(1));
    SCORPIO_ASSIGN(const uint64_t all, geometry.end_of_records(records));
    const uint64_t next = geometry.records_begin() + geometry.record_bytes();
    if (records > 1)
      SCORPIO_TRY(
          check_disjoint({{{geometry.records_begin(), one}, "record 0"}, {{next, next}, "record 1"}}));
    fixed.push_back({{geometry.records_begin(), all}, "the records"});
  }
  SCORPIO_TRY(check_disjoint(std::move(slabs)));
  return check_disjoint(std::move(fixed));
}

Status check_lengths(const Header& header) {
  SCORPIO_ASSIGN(const Geometry geometry, Geometry::make(header));
  for (size_t i = 0; i < header.variables.size(); ++i) {
    const uint64_t padded = geometry.variables()[i].padded_bytes;
    const uint64_t field = header.variables[i].vsize;
    const bool told =
        vsize_field(header.version, padded) == padded;  // CDF-1 and CDF-2 cannot store large sizes
    if (!told || round_up(field, k_padding_bytes) == padded) continue;
    return failure(
        Code::format,
        "variable \"{}\" has {} bytes by its dimensions, and {} by its size: one of them is damaged",
        header.variables[i].name, padded, field);
  }
  return {};
}

Status check_header(const Header& header, uint64_t header_bytes) {
  SCORPIO_TRY(check_names(header));
  SCORPIO_TRY(check_one_unlimited(header.dims));
  for (const Variable& variable : header.variables) {
    if (variable.begin >= header_bytes) continue;
    return failure(Code::format, "variable \"{}\" begins at byte {}, inside the header of {} bytes",
                   variable.name, variable.begin, header_bytes);
  }
  const Result<Geometry> geometry = Geometry::make(header);
  return geometry.ok() ? Status() : Status(Code::format, geometry.status().text());
}

}  // namespace scorpio::format::cdf
