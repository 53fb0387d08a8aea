// Checked product of extents, and their text for messages. Local; thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace scorpio::decomp {

// The product of extents. Code::argument for a negative extent, Code::limit if it does not fit into 63 bits.
Result<int64_t> product(std::span<const int64_t> dims);

// "3 x 4"
std::string extents_text(std::span<const int64_t> dims);

}  // namespace scorpio::decomp
