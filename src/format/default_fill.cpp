#include "format/default_fill.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "codec/conversion.h"

namespace scorpio::format {

namespace {

// NC_FILL_*.
uint64_t default_bits(model::Kind kind) {
  constexpr float k_fill = 9.9692099683868690e+36F;  // in the specification, for both floating-point types
  switch (kind) {
    case model::Kind::int8:
      return 0x81;
    case model::Kind::uint8:
      return 0xFF;
    case model::Kind::int16:
      return 0x8001;
    case model::Kind::uint16:
      return 0xFFFF;
    case model::Kind::int32:
      return 0x80000001;
    case model::Kind::uint32:
      return 0xFFFFFFFF;
    case model::Kind::int64:
      return 0x8000000000000002;
    case model::Kind::uint64:
      return 0xFFFFFFFFFFFFFFFE;
    case model::Kind::float32:
      return std::bit_cast<uint32_t>(k_fill);
    case model::Kind::float64:
      return std::bit_cast<uint64_t>(static_cast<double>(k_fill));
    case model::Kind::text:
    case model::Kind::opaque:
      break;
  }
  return 0;
}

}  // namespace

std::vector<std::byte> netcdf_default_fill(const model::ElementType& type) {
  std::vector<std::byte> element(type.size_bytes);
  uint64_t bits = default_bits(type.kind);
  for (size_t i = 0; i < element.size() && bits != 0; ++i, bits >>= 8)
    element[i] = static_cast<std::byte>(bits);
  if (type.order == model::ByteOrder::big) std::reverse(element.begin(), element.end());
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
