// Quantisation of a variable as its attributes define it. The attributes are those of netCDF-C. Local; pure.
#pragma once

#include "base/result.h"
#include "codec/quantization.h"
#include "model/variable.h"

namespace scorpio::format {

// True if the elements are floating-point numbers.
bool is_quantizable(const model::Variable& variable);

// Returns Code::type if the variable does not hold floating-point numbers, and Code::argument if `digits` is
// out of range for the mode.
Status check_quantization(const model::Variable& variable, codec::QuantizationMode mode, int digits);

// [elements of the variable's type] Those that no rounding and no lossy filter changes: the default fill
// value of netCDF, by which readers know elements without a value; `fill`, the stored form of one element,
// unless it is zero, which marks nothing; and the values of the attributes _FillValue and missing_value,
// converted if they are of another type.
std::vector<std::byte> kept_elements(const model::Variable& variable, std::span<const std::byte> fill);

// Returns an empty quantisation if no attribute requests one, or if the request cannot be met. It does not
// change kept_elements().
codec::Quantization quantization_of(const model::Variable& variable, std::span<const std::byte> fill);

}  // namespace scorpio::format
