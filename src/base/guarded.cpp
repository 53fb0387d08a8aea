#include "base/guarded.h"

#include <array>

namespace scorpio {

namespace {

// In the order of the codes, which are 0, -1, -2, ...
constexpr int k_codes = 1 - static_cast<int>(Code::posted);

std::array<Status, k_codes> without_text() {
  std::array<Status, k_codes> all;
  for (int i = 0; i < k_codes; ++i) {
    const Code code = static_cast<Code>(-i);
    all[static_cast<size_t>(i)] = Status(
        code, code == Code::memory ? "out of memory" : "there is no memory for the text of this failure");
  }
  return all;
}

const std::array<Status, k_codes> k_without_text = without_text();

}  // namespace

const Status& out_of_memory() { return failure_without_text(Code::memory); }

const Status& failure_without_text(Code code) {
  return k_without_text[static_cast<size_t>(-static_cast<int>(code))];
}

}  // namespace scorpio
