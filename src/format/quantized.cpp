#include "format/quantized.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "codec/conversion.h"
#include "format/default_fill.h"

namespace scorpio::format {

namespace {

// netCDF-C stores an int.
std::optional<int> digits_of(const model::Attribute& attribute) {
  int32_t digits = 0;
  if (attribute.type != model::native(model::Kind::int32) || attribute.value.size() != sizeof(digits))
    return {};
  std::memcpy(&digits, attribute.value.data(), sizeof(digits));
  return digits;
}

// Almost no variable is quantised, and all are asked when they are defined: one look-up for all modes.
bool has_quantization(const model::Attributes& attributes) {
  static const std::string k_prefix = "_Quantize";
  const auto first = attributes.lower_bound(k_prefix);
  return first != attributes.end() && first->first.starts_with(k_prefix);
}

}  // namespace

bool is_quantizable(const model::Variable& variable) {
  return variable.type.kind == model::Kind::float32 || variable.type.kind == model::Kind::float64;
}

Status check_quantization(const model::Variable& variable, codec::QuantizationMode mode, int digits) {
  if (!is_quantizable(variable)) {
    return failure(Code::type, "variable {} is of type {}: only floating-point numbers are quantised",
                   variable.path, model::to_string(variable.type));
  }
  const Status made = codec::Quantization::make(mode, digits, variable.type).status();
  return made.ok() ? made : made.with_context(variable.path);
}

std::vector<std::byte> kept_elements(const model::Variable& variable, std::span<const std::byte> fill) {
  std::vector<std::byte> kept = netcdf_default_fill(variable.type);
  const bool is_zero = std::ranges::all_of(fill, [](std::byte byte) { return byte == std::byte{0}; });
  if (!is_zero) kept.insert(kept.end(), fill.begin(), fill.end());
  for (const char* name : {model::k_fill_value, "missing_value"}) {
    const auto found = variable.attributes.find(name);
    if (found == variable.attributes.end() || !model::is_numeric(found->second.type.kind)) continue;
    const model::Attribute& attribute = found->second;
    const auto conversion = codec::Conversion::make(attribute.type, variable.type);
    if (!conversion.ok()) continue;
    const size_t before = kept.size(), values = attribute.value.size() / attribute.type.size_bytes;
    kept.resize(before + values * variable.type.size_bytes);
    (void)conversion->apply(attribute.value.data(), kept.data() + before, values);
  }
  return kept;
}

codec::Quantization quantization_of(const model::Variable& variable, std::span<const std::byte> fill) {
  if (!is_quantizable(variable) || !has_quantization(variable.attributes)) return {};
  for (const codec::QuantizationMode mode : codec::k_quantization_modes) {
    const auto found = variable.attributes.find(codec::attribute_of(mode));
    if (found == variable.attributes.end()) continue;
    const std::optional<int> digits = digits_of(found->second);
    auto made = codec::Quantization::make(mode, digits.value_or(0), variable.type);
    if (!made.ok()) return {};
    made->keep(kept_elements(variable, fill));
    return *std::move(made);
  }
  return {};
}

}  // namespace scorpio::format
