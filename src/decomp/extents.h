// Text of extents for messages. Local; thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace scorpio::decomp {

// "3 x 4"
std::string extents_text(std::span<const int64_t> dims);

}  // namespace scorpio::decomp
