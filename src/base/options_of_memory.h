// The options of memory: staging, blocks and chunks. Part of the table of options.
#pragma once

#include <array>
#include <cstdint>

#include "base/option_limits.h"
#include "base/option_spec.h"

namespace scorpio {

inline constexpr int64_t k_min_staging_bytes = 64 << 10;
inline constexpr int64_t k_min_block_bytes = 512;
inline constexpr int64_t k_max_block_bytes = int64_t{1} << 30;
inline constexpr int64_t k_min_stripe_bytes = 64 << 10;
inline constexpr int64_t k_max_stripes = 2000;  // LOV_MAX_STRIPE_COUNT of Lustre

inline constexpr auto k_options_of_memory = std::to_array<OptionSpec>({
    {.id = Option::staging_bytes,
     .name = "staging_bytes",
     .kind = OptionKind::bytes,
     .default_value = "16MiB",
     .minimum = k_min_staging_bytes,
     .maximum = k_any_option_value,
     .help = "bytes of staging memory of each I/O rank, all its buffers together; at least 64 KiB",
     .cost = "memory of the node (in /dev/shm where ranks share it)",
     .when = "memory is short: lower it, for more and smaller writes; raise it for fewer and larger writes, "
             "and more overlap"},
    {.id = Option::staging_files,
     .name = "staging_files",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_option_ranks,
     .help =
         "the number of open files among which the staging memory is divided: evenly or, with "
         "`asynchronous`, as they need it. 0: each file takes half of what is left when it is opened, and "
         "the "
         "last one that can have memory of its own takes all that is left; with `asynchronous` on several "
         "nodes: as 3",
     .cost = "files that are opened beyond this number share one buffer and are written slowly",
     .when = "the program has one file open at a time: `1` gives it all of `staging_bytes` for data, and up "
             "to 5 % in addition for control data"},
    {.id = Option::block_bytes,
     .name = "block_bytes",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .minimum = k_min_block_bytes,
     .maximum = k_max_block_bytes,
     .zero_is_automatic = true,
     .power_of_two = true,
     .per_file = true,
     .help = "bytes of the unit in which a file is divided among I/O ranks, a power of two from 512 B to 1 "
             "GiB; 0: that of the file system, 1 MiB if unknown",
     .cost = "a large block leaves I/O ranks idle for small data; one smaller than the stripe makes writers "
             "share locks",
     .when = "the stripe or block of the file system is known, and the library does not find it"},
    {.id = Option::stripe_count,
     .name = "stripe_count",
     .kind = OptionKind::integer,
     .default_value = "0",
     .minimum = -1,
     .maximum = k_max_stripes,
     .per_file = true,
     .help = "on Lustre, the number of servers of data (OSTs) among which a new file is divided; -1: all of "
             "them; 0: as the file system does it. On other file systems it has no effect, and "
             "`scorpio_iosystem_describe` and the report say so",
     .cost = "each server that a file is on makes its open, its size and its removal slower",
     .when = "files are large, and the folder gives them few stripes: as many as there are I/O ranks"},
    {.id = Option::stripe_bytes,
     .name = "stripe_bytes",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .minimum = k_min_stripe_bytes,
     .maximum = k_max_block_bytes,
     .zero_is_automatic = true,
     .power_of_two = true,
     .per_file = true,
     .help =
         "on Lustre, the bytes of each stripe of a new file, a power of two from 64 KiB to 1 GiB; 0: as the "
         "file system does it. The blocks of the file have this size, unless `block_bytes` is given",
     .cost = "a large stripe leaves servers idle for small data",
     .when = "writes are larger than the stripes of the folder: 4 to 16 MiB"},
    {.id = Option::chunk_bytes,
     .name = "chunk_bytes",
     .kind = OptionKind::bytes,
     .default_value = "64MiB",
     .minimum = k_min_staging_bytes,
     .maximum = k_any_option_value,
     .per_file = true,
     .help = "bytes of encoded chunks that each I/O rank keeps in memory until a synchronisation point "
             "determines their addresses, and bytes of incomplete chunks; at least 64 KiB",
     .cost = "memory of I/O ranks, up to twice this; a value that is small compared with a chunk leaves gaps "
             "in the file",
     .when = "variables are stored in chunks, and memory is short: lower it; chunks are larger than a tenth "
             "of it, or are put in parts: raise it"},
    {.id = Option::chunk_goal,
     .name = "chunk_goal",
     .kind = OptionKind::choice,
     .default_value = "write",
     .choices = "write|map|timeseries",
     .per_file = true,
     .help = "for which access the library shapes chunks for which the program gives no shape: `write`: "
             "records as they are put; `map`: one horizontal field in a chunk; `timeseries`: many records of "
             "few points (see Shapes of chunks)",
     .cost = "`map`: more chunks where a field is small; `timeseries`: a chunk is complete only after many "
             "records, so that I/O ranks need more memory (`chunk_bytes`), or encode chunks several times",
     .when = "the files are mostly read by horizontal fields: `map`, or along the unlimited dimension: "
             "`timeseries`"},
    {.id = Option::expected_records,
     .name = "expected_records",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_any_option_value,
     .per_file = true,
     .help = "the number of records that the file is expected to get, by which the library shapes chunks "
             "that hold many records; more or fewer can be put; 0: not known, such chunks have up to 512",
     .cost = "a large number: incomplete chunks need more memory of I/O ranks (`chunk_bytes`)",
     .when = "the file gets much fewer or many more than 512 records, and has one-dimensional variables over "
             "the unlimited dimension, or `chunk_goal` is `timeseries`"},
    {.id = Option::filters,
     .name = "filters",
     .kind = OptionKind::text,
     .default_value = "",
     .per_file = true,
     .help =
         "filters of new variables by their names, such as `T*=lossy:10,*=lossless` (see Filters by variable "
         "name); empty: only the filters that the program defines",
     .cost = "time of I/O ranks for encoding; with `lossy` the file holds rounded numbers",
     .when = "files must become smaller without a change of the program"},
});

}  // namespace scorpio
