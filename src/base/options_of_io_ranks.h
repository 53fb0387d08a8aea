// The options of I/O ranks: how many, and which. Part of the table of options.
#pragma once

#include <array>

#include "base/option_limits.h"
#include "base/option_spec.h"

namespace scorpio {

inline constexpr auto k_options_of_io_ranks = std::to_array<OptionSpec>({
    {.id = Option::io_ranks,
     .name = "io_ranks",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_option_ranks,
     .help = "the number of I/O ranks; 0: 1 per node, 2 where the node has 8 ranks or more",
     .cost = "one open file and one staging budget each; more writers can also slow a file system down",
     .when =
         "the file system is faster than the I/O ranks: raise it; it is slow with many writers: lower it"},
    {.id = Option::io_ranks_per_node,
     .name = "io_ranks_per_node",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_option_ranks,
     .help = "the number of I/O ranks on each node; 0: as `io_ranks` says",
     .cost = "as `io_ranks`",
     .when = "nodes have several network ports or local disks"},
    {.id = Option::io_placement,
     .name = "io_placement",
     .kind = OptionKind::choice,
     .default_value = "spread",
     .choices = "spread|groups",
     .help = "`spread`: I/O ranks are distributed over the nodes; `groups`: the first rank of each group of "
             "consecutive ranks is one",
     .cost = "`groups`: an I/O rank serves its own group only, so an uneven group makes an uneven load",
     .when =
         "the first rank of each group of consecutive ranks is to do the I/O, as with the 2012 interface"},
    {.id = Option::group_size,
     .name = "group_size",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_option_ranks,
     .help = "the number of ranks of a group, with `io_placement` = `groups`; 0: all ranks are one group",
     .cost = "small groups: more I/O ranks; large groups: longer communication",
     .when = "with `io_placement` = `groups` only"},
    {.id = Option::io_stride,
     .name = "io_stride",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_option_ranks,
     .help = "the distance in ranks from one I/O rank to the next, `io_ranks` of them from `io_base` on; 0: "
             "as `io_placement` says",
     .cost = "as `io_ranks`",
     .when = "the program or the site knows which ranks are to do I/O, as with ParallelIO"},
    {.id = Option::io_base,
     .name = "io_base",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_option_ranks,
     .help = "the first I/O rank, with `io_stride`",
     .cost = "nothing",
     .when = "rank 0 has more to do, or less memory, than the others"},
    {.id = Option::io_rank_list,
     .name = "io_rank_list",
     .kind = OptionKind::ranks,
     .default_value = "",
     .maximum = k_max_option_ranks,
     .help = "the I/O ranks, as `0,4,8`; the first one is the metadata rank; empty: as the other options say",
     .cost = "as `io_ranks`",
     .when =
         "the I/O ranks follow no rule, for example the ranks next to the network or those without a GPU"},
});

}  // namespace scorpio
