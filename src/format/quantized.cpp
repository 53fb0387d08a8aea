#include "format/quantized.h"

#include <cstring>
#include <optional>
#include <vector>

#include "codec/conversion.h"

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

void keep_values_of(const model::Variable& variable, codec::Quantization& quantization) {
  for (const char* name : {model::k_fill_value, "missing_value"}) {
    const auto found = variable.attributes.find(name);
    if (found == variable.attributes.end() || found->second.type.kind != variable.type.kind) continue;
    const auto conversion = codec::Conversion::make(found->second.type, variable.type);
    std::vector<std::byte> stored(found->second.value.size());
    if (!conversion.ok()) continue;
    (void)conversion->apply(found->second.value.data(), stored.data(),
                            stored.size() / variable.type.size_bytes);
    quantization.keep(stored);
  }
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

codec::Quantization quantization_of(const model::Variable& variable, std::span<const std::byte> fill) {
  if (!is_quantizable(variable)) return {};
  for (const codec::QuantizationMode mode : codec::k_quantization_modes) {
    const auto found = variable.attributes.find(codec::attribute_of(mode));
    if (found == variable.attributes.end()) continue;
    const std::optional<int> digits = digits_of(found->second);
    auto made = codec::Quantization::make(mode, digits.value_or(0), variable.type);
    if (!made.ok()) return {};
    made->keep(fill);
    keep_values_of(variable, *made);
    return *std::move(made);
  }
  return {};
}

}  // namespace scorpio::format
