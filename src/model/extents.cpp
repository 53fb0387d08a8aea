// Checked sizes of arrays: see the header.
#include "model/extents.h"

#include <algorithm>
#include <optional>

#include "base/checked.h"

namespace scorpio::model {

std::string to_string(const std::vector<int64_t>& dims) {
  if (dims.empty()) return "one element";
  std::string text = std::to_string(dims[0]);
  for (size_t d = 1; d < dims.size(); ++d) text += " x " + std::to_string(dims[d]);
  return text;
}

Result<int64_t> array_bytes(const std::vector<int64_t>& dims, uint32_t element_bytes) {
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] < 0) {
      return failure(Code::argument, "extent {} of dimension {} is negative ({})", dims[d], d,
                     to_string(dims));
    }
  }
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return int64_t{0};
  std::optional<int64_t> bytes = element_bytes;
  for (int64_t extent : dims) {
    bytes = checked_mul(*bytes, extent);
    if (bytes) continue;
    return failure(Code::limit, "{} elements of {} bytes are more than 2^63 - 1 bytes; make it smaller",
                   to_string(dims), element_bytes);
  }
  return *bytes;
}

}  // namespace scorpio::model
