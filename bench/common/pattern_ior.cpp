// IOR with one shared file: segments, each with one transfer of every rank in rank order.
#include "common/pattern_makers.h"

namespace bench {

Pattern make_ior_pattern(const PatternSizes& sizes, int rank, int ranks) {
  struct Defaults {
    int64_t bytes;
    int segments;
  };
  constexpr Defaults k_contiguous{int64_t{16} << 20, 1};
  constexpr Defaults k_strided{int64_t{1} << 20, 16};
  constexpr Defaults k_hard{47'008, 200};  // the transfer of IO500's ior-hard
  const std::string form = form_among(sizes, {"contiguous", "strided", "hard"});
  const Defaults defaults = form == "contiguous" ? k_contiguous : form == "strided" ? k_strided : k_hard;
  const int64_t bytes = sizes.extent > 0 ? sizes.extent : defaults.bytes;
  const int segments = sizes.steps > 0 ? sizes.steps : defaults.segments;
  Pattern pattern;
  pattern.axes = {{"bytes", bytes * segments * ranks}};
  pattern.arrays = {{"data", Type::uint8, {0}}};
  pattern.steps.emplace_back();
  for (int64_t segment = 0; segment < segments; ++segment) {
    pattern.steps[0].push_back(pattern.dense_part(0, {(segment * ranks + rank) * bytes}, {bytes}));
  }
  return pattern;
}

}  // namespace bench
