// Quantisation of a variable as its attributes define it. The attributes are those of netCDF-C. Local; pure.
#pragma once

#include "base/result.h"
#include "codec/quantization.h"
#include "model/schema.h"

namespace scorpio::format {

// True if the elements are floating-point numbers.
bool is_quantizable(const model::Variable& variable);

// Returns Code::type if the variable does not hold floating-point numbers, and Code::argument if `digits` is
// out of range for the mode.
Status check_quantization(const model::Variable& variable, codec::QuantizationMode mode, int digits);

// Returns an empty quantisation if no attribute requests one, or if the request cannot be met. The values of
// the attributes _FillValue and missing_value are not changed by it, nor is `fill`, the stored form of one
// element.
codec::Quantization quantization_of(const model::Variable& variable, std::span<const std::byte> fill);

}  // namespace scorpio::format
