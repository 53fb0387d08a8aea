// Determines the I/O ranks from the options. Pure: the same on all ranks if the values and origins of the
// options are the same.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "comm/node_placement.h"

namespace scorpio::plan {

// The options that select the I/O ranks.
inline constexpr std::array k_io_rank_options = {
    Option::io_ranks,  Option::io_ranks_per_node, Option::io_placement, Option::group_size,
    Option::io_stride, Option::io_base,           Option::io_rank_list};

struct IoRankChoice {
  std::vector<int> ranks;          // the first is the metadata rank
  std::vector<std::string> notes;  // on options that could not be met, or had no effect
};

// A number that the program set and that cannot be met is Code::argument. A number from the environment or
// the configuration file is an upper bound, because every I/O system of the program reads them, also a small
// one. Of options that contradict each other, the one with the higher precedence is used, and a note reports
// it; Code::argument if both have the same origin. Sets the values in force in `options`.
Result<IoRankChoice> choose_io_ranks(const comm::NodePlacement& nodes, Options& options);

}  // namespace scorpio::plan
