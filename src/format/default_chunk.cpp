#include "format/default_chunk.h"

#include <algorithm>

namespace scorpio::format {

namespace {

constexpr int64_t k_most_bytes = int64_t{4} << 20;
constexpr int64_t k_least_bytes = int64_t{4} << 10;
constexpr int64_t k_most_records = 512;

}  // namespace

// A record or variable that is too large is divided along its slowest dimensions into equal parts.
std::vector<int64_t> default_chunk(const model::Variable& variable) {
  std::vector<int64_t> chunk = variable.dims;
  const auto bytes = static_cast<int64_t>(variable.slab_bytes());
  if (variable.records) {
    if (chunk.size() == 1) return {k_most_records};
    chunk[0] = bytes == 0 ? 1 : std::clamp<int64_t>(k_least_bytes / bytes, 1, k_most_records);
  }
  int64_t step = bytes;  // size of one index of the dimension before
  for (size_t d = variable.records ? 1 : 0; d < chunk.size(); ++d) {
    if (chunk[d] == 0 || step <= k_most_bytes) {
      chunk[d] = std::max<int64_t>(chunk[d], 1);
      continue;
    }
    step /= chunk[d];
    const int64_t fit = std::clamp<int64_t>(k_most_bytes / step, 1, chunk[d]);
    const int64_t parts = (chunk[d] + fit - 1) / fit;
    chunk[d] = (chunk[d] + parts - 1) / parts;
  }
  return chunk;
}

}  // namespace scorpio::format
