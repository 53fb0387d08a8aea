#include "format/default_fill.h"

#include <algorithm>

#include "format/cdf/byte_order.h"
#include "format/cdf/type.h"

namespace scorpio::format {

std::vector<std::byte> netcdf_default_fill(const model::ElementType& type) {
  std::vector<std::byte> element(type.size_bytes);
  const auto stored = cdf::type_for(cdf::Version::cdf5, type.kind);
  if (!stored.ok() || type.size_bytes > 8) return element;
  const auto standard = cdf::default_fill(*stored);
  std::copy_n(standard.begin(), element.size(), element.begin());
  if (type.order == model::ByteOrder::little) std::reverse(element.begin(), element.end());
  return element;
}

}  // namespace scorpio::format
