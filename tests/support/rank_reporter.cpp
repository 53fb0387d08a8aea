// See rank_reporter.h.
#include "rank_reporter.h"

#include <cstdio>

namespace scorpio::test {

void RankReporter::OnTestStart(const testing::TestInfo& test) {
  test_ = std::string(test.test_suite_name()) + "." + test.name();
}

void RankReporter::OnTestPartResult(const testing::TestPartResult& result) {
  if (!result.failed()) return;
  const char* file = result.file_name() == nullptr ? "?" : result.file_name();
  // One call per failure, so that the lines of several ranks do not mix.
  std::fprintf(stderr, "[rank %d] %s %s:%d: %s\n", rank_, test_.c_str(), file, result.line_number(),
               result.message());
}

}  // namespace scorpio::test
