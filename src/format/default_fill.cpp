#include "format/default_fill.h"

#include <algorithm>

#include "codec/conversion.h"
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

std::vector<std::byte> fill_value(const model::Variable& variable, std::vector<std::byte> by_default) {
  const auto attribute = variable.attributes.find(model::k_fill_value);
  if (attribute == variable.attributes.end() || attribute->second.type.kind != variable.type.kind ||
      attribute->second.value.size() < variable.type.size_bytes) {
    return by_default;
  }
  const auto conversion = codec::Conversion::make(attribute->second.type, variable.type);
  if (!conversion.ok()) return by_default;
  std::vector<std::byte> element(variable.type.size_bytes);
  (void)conversion->apply(attribute->second.value.data(), element.data(), 1);
  return element;
}

}  // namespace scorpio::format
