// The options of the transfer of data between ranks. Part of the table of options.
#pragma once

#include <array>

#include "base/option_limits.h"
#include "base/option_spec.h"

namespace scorpio {

inline constexpr auto k_options_of_transfer = std::to_array<OptionSpec>({
    {.id = Option::domains,
     .name = "domains",
     .kind = OptionKind::choice,
     .default_value = "auto",
     .choices = "auto|cyclic|contiguous|balanced",
     .help =
         "how the blocks of a file are distributed over the I/O ranks: `cyclic`: in turn; `contiguous`: each "
         "has one range of a variable (only in HDF5 files); `auto`: the one of these with the lower "
         "[estimated cost](plan.md); `balanced`: as `contiguous`, in ranges of equal bytes instead of whole "
         "blocks, and in small units",
     .cost = "`cyclic`: each I/O rank accesses the whole file; `contiguous`: a partial write uses few I/O "
             "ranks, and several variables in one call are one operation each; `auto`: the first put is "
             "planned twice on all ranks; `balanced`: I/O ranks share blocks",
     .when = "the file system is faster with one range per writer: `contiguous`; a later put differs much "
             "from the first one: the better one for it; to measure what aligned domains spare: `balanced`"},
    {.id = Option::cost_model,
     .name = "cost_model",
     .kind = OptionKind::text,
     .default_value = "",
     .help = "the parameters of the [estimated cost](plan.md), as `write_ns=20000 "
             "open_ns=1000000`; parameters that are not given have their defaults",
     .cost = "nothing",
     .when = "the costs of the machine were measured, and differ much from the defaults"},
    {.id = Option::writers,
     .name = "writers",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_option_ranks,
     .per_file = true,
     .help =
         "the number of I/O ranks that write and read a file, evenly chosen; 0: all of them, but on Lustre "
         "no more than the file has stripes; a number that exceeds the I/O ranks is reduced to them",
     .cost = "the other I/O ranks have nothing to do for the file",
     .when = "the file is small, or its servers are slow with many writers: a few; a stripe is faster with "
             "several writers: a multiple of the stripes"},
    {.id = Option::nodes,
     .name = "nodes",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_option_ranks,
     .help = "the number of nodes into which the library divides the ranks; 0: the real nodes",
     .cost = "ranks of one node exchange messages as if they were on several",
     .when = "to test or to debug the communication between nodes on one node"},
    {.id = Option::exchange,
     .name = "exchange",
     .kind = OptionKind::choice,
     .default_value = "auto",
     .choices = "auto|shared|messages",
     .help = "how data reach the I/O ranks: `shared` (node-shared memory), `messages`, or `auto`: the first "
             "that works",
     .cost = "`messages`: one more copy, one message per unit, and at most 8 MiB of `staging_bytes`",
     .when = "node-shared memory is small or forbidden: `messages`; the call is to fail instead of falling "
             "back: `shared`"},
    {.id = Option::transfer,
     .name = "transfer",
     .kind = OptionKind::choice,
     .default_value = "messages",
     .choices = "messages|alltoall|neighbor",
     .help = "how data cross [between nodes](decisions/transfer.md): `messages`: each on its own, several "
             "pending; `alltoall`, `neighbor`: in rounds, by MPI_Ialltoallw or MPI_Ineighbor_alltoallw",
     .cost =
         "`alltoall`, `neighbor`: in each round the I/O ranks and a rank of each node wait for each other",
     .when = "the network is faster in collective operations; to compare them"},
    {.id = Option::ranges,
     .name = "ranges",
     .kind = OptionKind::choice,
     .default_value = "allreduce",
     .choices = "allreduce|allgather",
     .help = "how the ranks find out which parts of a file the requests of `scorpio_wait` access: by a "
             "reduction, or `allgather`: each rank gets the ranges of every other rank",
     .cost = "`allgather`: memory and bytes in proportion to the number of ranks",
     .when = "to measure what the reduction saves"},
});

}  // namespace scorpio
