// main() of the tests that run in one process.
#include <gtest/gtest.h>

#include "verdict.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  return failed == 0 && scorpio::test::all_skipped() ? scorpio::test::k_not_run : failed;
}
