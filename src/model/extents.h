// Checked sizes of arrays. Local; thread-safe (pure functions).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace scorpio::model {

// "2 x 3 x 4", or "one element" without dimensions.
std::string to_string(const std::vector<int64_t>& dims);

// The size of an array of `dims` with elements of `element_bytes`. Code::argument for a negative extent,
// Code::limit if the number of elements or bytes does not fit into 63 bits.
Result<int64_t> array_bytes(const std::vector<int64_t>& dims, uint32_t element_bytes);

}  // namespace scorpio::model
