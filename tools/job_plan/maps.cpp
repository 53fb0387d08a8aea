#include "maps.h"

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace job_plan {

namespace {

// The first of `parts` equal parts of n things that belongs to part i.
int64_t share_begin(int64_t n, int64_t i, int64_t parts) { return n / parts * i + n % parts * i / parts; }

std::vector<int64_t> joined(const Maps& maps, int64_t first, int64_t end) {
  std::vector<int64_t> all;
  for (int64_t rank = first; rank < end; ++rank) {
    const std::vector<int64_t>& one = maps.indices[static_cast<size_t>(rank)];
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

}  // namespace

int64_t Maps::elements() const {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

void check_dims(const std::string& path, const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (const int64_t extent : dims) {
    if (extent < 1)
      throw BadInput(fmt::format("{}: an extent of the array is {}, not 1 or more", path, extent));
    if (extent > std::numeric_limits<int64_t>::max() / 16 / product)
      throw BadInput(fmt::format("{}: an array of {} elements is too large", path, fmt::join(dims, " x ")));
    product *= extent;
  }
}

Maps redistributed(Maps maps, int ranks) {
  const int64_t before = maps.ranks();
  if (ranks == before) return maps;
  Maps changed{maps.form, maps.dims, {}};
  if (ranks < before) {
    for (int64_t rank = 0; rank < ranks; ++rank)
      changed.indices.push_back(
          joined(maps, share_begin(before, rank, ranks), share_begin(before, rank + 1, ranks)));
    return changed;
  }
  for (int64_t from = 0; from < before; ++from) {
    const std::vector<int64_t>& whole = maps.indices[static_cast<size_t>(from)];
    const auto length = static_cast<int64_t>(whole.size());
    const int64_t parts = share_begin(ranks, from + 1, before) - share_begin(ranks, from, before);
    for (int64_t part = 0; part < parts; ++part)
      changed.indices.emplace_back(whole.begin() + share_begin(length, part, parts),
                                   whole.begin() + share_begin(length, part + 1, parts));
  }
  return changed;
}

}  // namespace job_plan
