#include "format/cdf/header_check.h"

#include <string_view>
#include <unordered_set>
#include <vector>

#include "format/cdf/geometry.h"

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

}  // namespace

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
