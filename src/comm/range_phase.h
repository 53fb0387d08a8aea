// The phase of a wait in which the ranks find out which parts of a file their requests access. Collective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "comm/group.h"

namespace scorpio::comm {

struct RangePhase {
  const Group& ranks;
  // Each rank gets the values of every other one, in place of a reduction of all (option ranges).
  bool gathers = false;
  uint64_t& bytes;  // the counter of what this rank has received

  // As Group::all_max().
  Status all_max(std::span<uint64_t> values, size_t sums = 0) const;
  // As agree() of comm/agree.h.
  Status agree(const Status& mine, std::span<uint64_t> maxima, std::span<uint64_t> sums) const;
};

}  // namespace scorpio::comm
