// From the options to the I/O ranks. Pure: the same on every rank where values and sources of the options are
// the same.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/result.h"

namespace scorpio::plan {

// The options that say which ranks do I/O.
inline constexpr std::array k_io_rank_options = {
    Option::io_ranks,  Option::io_ranks_per_node, Option::io_placement, Option::group_size,
    Option::io_stride, Option::io_base,           Option::io_rank_list};

struct IoRankChoice {
  std::vector<int> ranks;          // the first is the metadata rank
  std::vector<std::string> notes;  // what became of options that could not be met, or had no effect
};

// What the program asks for and cannot have is Code::argument. A number from the environment or the
// configuration file is an upper bound: they are read by each I/O system of the program, also by a small one.
// Options that contradict each other: the one from the stronger source holds, with a note; Code::argument
// where both are from the same. `ranks_of` as for choose_io_ranks(). Says in `options` what is in force.
Result<IoRankChoice> choose_io_ranks(const std::vector<std::vector<int>>& ranks_of, Options& options);

}  // namespace scorpio::plan
