// Checked sizes of arrays of the model. Local; thread-safe (pure functions).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace scorpio::model {

// "2 x 3 x 4", or "one element" without dimensions.
std::string to_string(const std::vector<int64_t>& dims);

// Bytes of an array of `dims` with elements of `element_bytes`. Code::argument for a negative extent,
// Code::limit when elements or bytes do not fit 63 bits.
Result<int64_t> array_bytes(const std::vector<int64_t>& dims, uint32_t element_bytes);

}  // namespace scorpio::model
