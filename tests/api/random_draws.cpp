#include "random_draws.h"

#include <numeric>

namespace scorpio::api_test {

Extents random_extents(std::mt19937_64& random, int64_t least, const MostElements& most) {
  Extents dims(1 + random() % 3);
  const size_t below = dims.size() == 1 ? most.of_one : dims.size() == 2 ? most.of_two : most.of_three;
  for (int64_t& n : dims) n = least + static_cast<int64_t>(random() % below);
  return dims;
}

namespace {

std::string random_list(std::mt19937_64& random, int ranks) {
  std::vector<int> all = shuffled(ranks, random);
  all.resize(1 + random() % all.size());
  std::string list;
  for (const int rank : all) list += (list.empty() ? "" : ",") + std::to_string(rank);
  return list;
}

}  // namespace

Settings random_io_ranks(std::mt19937_64& random, int ranks) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<uint64_t>(n)); };
  switch (below(4)) {
    case 0:
      return {};
    case 1:
      return {{"io_rank_list", random_list(random, ranks)}};
    case 2: {
      const int stride = 1 + below(ranks), different = ranks / std::gcd(ranks, stride);
      Settings settings{{"io_stride", std::to_string(stride)}, {"io_base", std::to_string(below(ranks))}};
      if (below(2) == 0) settings.emplace_back("io_ranks", std::to_string(1 + below(different)));
      return settings;
    }
    default:
      return {{"io_ranks", std::to_string(1 + below(ranks))}};
  }
}

}  // namespace scorpio::api_test
