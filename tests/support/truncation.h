// A message of bytes that is cut anywhere, or has a byte too many.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "base/status.h"

namespace scorpio::test {

// decode(bytes) returns a Result: Code::format for all of them.
template <typename Decode>
void expect_whole_message_is_needed(const std::vector<std::byte>& whole, const Decode& decode) {
  for (size_t size = 0; size < whole.size(); ++size) {
    const auto cut =
        decode(std::vector<std::byte>(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)));
    ASSERT_EQ(cut.status().code(), Code::format) << size;
  }
  std::vector<std::byte> more = whole;
  more.push_back(std::byte{0});
  EXPECT_EQ(decode(more).status().code(), Code::format);
}

}  // namespace scorpio::test
