// How a variable is quantised: as its attributes say, which are those of netCDF-C. Local; pure.
#pragma once

#include "base/result.h"
#include "codec/quantization.h"
#include "model/schema.h"

namespace scorpio::format {

// Its elements are floating-point numbers in this machine's order of bytes.
bool is_quantizable(const model::Variable& variable);

// Code::type for a variable that is not of floating-point numbers, Code::argument for too many digits.
Status check_quantization(const model::Variable& variable, codec::QuantizationMode mode, int digits);

// Empty where no attribute asks for it, and where one asks for what is not possible. The values of the
// attributes _FillValue and missing_value are kept, and `fill`, one element as it is stored.
codec::Quantization quantization_of(const model::Variable& variable, std::span<const std::byte> fill);

}  // namespace scorpio::format
