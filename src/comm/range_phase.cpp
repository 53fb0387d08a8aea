#include "comm/range_phase.h"

#include <algorithm>
#include <vector>

#include "comm/agree.h"

namespace scorpio::comm {

Status RangePhase::all_max(std::span<uint64_t> values, size_t sums) const {
  if (!gathers) {
    bytes += values.size_bytes();
    return ranks.all_max(values, sums);
  }
  std::vector<int64_t> own;
  for (const uint64_t value : values) own.push_back(static_cast<int64_t>(value));
  SCORPIO_ASSIGN(const std::vector<int64_t> all, ranks.all_gather(own));
  bytes += all.size() * sizeof(int64_t);
  std::ranges::fill(values, 0);
  const size_t maxima = values.size() - sums;
  for (size_t at = 0; at < all.size(); ++at) {
    const size_t i = at % values.size();
    const auto value = static_cast<uint64_t>(all[at]);
    values[i] = i < maxima ? std::max(values[i], value) : values[i] + value;
  }
  return {};
}

// The status is agreed on before the values are gathered, which is the first communication of the call.
Status RangePhase::agree(const Status& mine, std::span<uint64_t> maxima, std::span<uint64_t> sums) const {
  if (!gathers) {
    bytes += maxima.size_bytes() + sums.size_bytes();
    return comm::agree(ranks, mine, maxima, sums);
  }
  SCORPIO_TRY(comm::agree(ranks, mine));
  std::vector<uint64_t> values(maxima.begin(), maxima.end());
  values.insert(values.end(), sums.begin(), sums.end());
  SCORPIO_TRY(all_max(values, sums.size()));
  std::copy_n(values.begin(), maxima.size(), maxima.begin());
  std::copy(values.end() - static_cast<std::ptrdiff_t>(sums.size()), values.end(), sums.begin());
  return {};
}

}  // namespace scorpio::comm
