// How a GoogleTest run is told to ctest.
#pragma once

#include <gtest/gtest.h>

namespace scorpio::test {

constexpr int k_not_run = 77;  // SKIP_RETURN_CODE of cmake/ScorpioTest.cmake

// True if every case that was chosen skipped itself: such a run must not count as passed.
inline bool all_skipped() {
  const auto& unit = *testing::UnitTest::GetInstance();
  return unit.skipped_test_count() > 0 && unit.skipped_test_count() == unit.test_to_run_count();
}

}  // namespace scorpio::test
