#include "decomp/array_extents.h"

#include <algorithm>
#include <optional>

#include "base/checked.h"

namespace scorpio::decomp {

std::string extents_text(std::span<const int64_t> dims) {
  std::string text;
  for (int64_t extent : dims) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

Result<int64_t> product(std::span<const int64_t> dims) {
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] < 0) {
      return failure(Code::argument, "extent {} of dimension {} is negative; it must be 0 or more", dims[d],
                     d);
    }
  }
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return int64_t{0};
  std::optional<int64_t> elements = 1;
  for (int64_t extent : dims) {
    elements = checked_mul(*elements, extent);
    if (elements) continue;
    return failure(Code::limit, "an array of {} has more than 2^63 - 1 elements; make it smaller",
                   extents_text(dims));
  }
  return *elements;
}

}  // namespace scorpio::decomp
