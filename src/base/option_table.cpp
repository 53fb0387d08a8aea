#include "base/option_table.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/edit_distance.h"
#include "base/option_value.h"

namespace scorpio {
namespace {

constexpr int64_t k_any = std::numeric_limits<int64_t>::max();
constexpr int64_t k_max_seconds = 1 << 30;
constexpr int64_t k_max_ranks = std::numeric_limits<int32_t>::max();
constexpr int64_t k_min_staging_bytes = 64 << 10;
constexpr int64_t k_min_block_bytes = 512;
constexpr int64_t k_max_alignment_bytes = int64_t{1} << 30;
constexpr int64_t k_max_priority = 100;
constexpr int64_t k_max_block_bytes = int64_t{1} << 30;

constexpr auto k_options = std::to_array<OptionSpec>({
    {.id = Option::io_ranks,
     .name = "io_ranks",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_ranks,
     .help = "the number of I/O ranks; 0: 1 per node, 2 where the node has 8 ranks or more",
     .cost = "one open file and one staging budget each; more writers can also slow a file system down",
     .when =
         "the file system is faster than the I/O ranks: raise it; it is slow with many writers: lower it"},
    {.id = Option::io_ranks_per_node,
     .name = "io_ranks_per_node",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_ranks,
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
     .maximum = k_max_ranks,
     .help = "the number of ranks of a group, with `io_placement` = `groups`; 0: all ranks are one group",
     .cost = "small groups: more I/O ranks; large groups: longer communication",
     .when = "with `io_placement` = `groups` only"},
    {.id = Option::io_stride,
     .name = "io_stride",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_ranks,
     .help = "the distance in ranks from one I/O rank to the next, `io_ranks` of them from `io_base` on; 0: "
             "as `io_placement` says",
     .cost = "as `io_ranks`",
     .when = "the program or the site knows which ranks are to do I/O, as with ParallelIO"},
    {.id = Option::io_base,
     .name = "io_base",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_ranks,
     .help = "the first I/O rank, with `io_stride`",
     .cost = "nothing",
     .when = "rank 0 has more to do, or less memory, than the others"},
    {.id = Option::io_rank_list,
     .name = "io_rank_list",
     .kind = OptionKind::ranks,
     .default_value = "",
     .maximum = k_max_ranks,
     .help = "the I/O ranks, as `0,4,8`; the first one is the metadata rank; empty: as the other options say",
     .cost = "as `io_ranks`",
     .when =
         "the I/O ranks follow no rule, for example the ranks next to the network or those without a GPU"},
    {.id = Option::staging_bytes,
     .name = "staging_bytes",
     .kind = OptionKind::bytes,
     .default_value = "16MiB",
     .minimum = k_min_staging_bytes,
     .maximum = k_any,
     .help = "bytes of staging memory of each I/O rank, all its buffers together; at least 64 KiB",
     .cost = "memory of the node (in /dev/shm where ranks share it)",
     .when = "memory is short: lower it, for more and smaller writes; raise it for fewer and larger writes, "
             "and more overlap"},
    {.id = Option::staging_files,
     .name = "staging_files",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_ranks,
     .help =
         "the number of open files that share the staging memory evenly, or, with `asynchronous`, as they "
         "need it; 0: each file takes half of what is left when it is opened, and the last that can have "
         "memory of its own all of it, or, with `asynchronous` on several nodes, as 3",
     .cost = "files that are opened beyond this number share one buffer and are written slowly",
     .when = "the program has one file open at a time: `1` gives it all of `staging_bytes` for data, and up "
             "to 5 % in addition for the administration"},
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
    {.id = Option::chunk_bytes,
     .name = "chunk_bytes",
     .kind = OptionKind::bytes,
     .default_value = "64MiB",
     .minimum = k_min_staging_bytes,
     .maximum = k_any,
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
     .maximum = k_any,
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
    {.id = Option::domains,
     .name = "domains",
     .kind = OptionKind::choice,
     .default_value = "auto",
     .choices = "auto|cyclic|contiguous|balanced",
     .help =
         "how the blocks of a file are distributed over the I/O ranks: `cyclic`, `contiguous` (HDF5 files "
         "alone), or `auto`: by [counted cost](plan.md). `balanced`: contiguous, "
         "of equal bytes instead of whole blocks, in small units",
     .cost = "`cyclic`: each I/O rank accesses the whole file; `contiguous`: a partial write uses few I/O "
             "ranks, and several variables in one call are one operation each; `auto`: the first put is "
             "planned twice on all ranks; `balanced`: I/O ranks share blocks",
     .when = "the file system is faster with one range per writer: `contiguous`; a later put differs much "
             "from the first one: the better one for it; to measure what aligned domains spare: `balanced`"},
    {.id = Option::cost_model,
     .name = "cost_model",
     .kind = OptionKind::text,
     .default_value = "",
     .help = "the parameters of the [counted cost](plan.md), as `write_ns=20000 "
             "open_ns=1000000`; those that are not given, and empty: the defaults",
     .cost = "nothing",
     .when = "the costs of the machine were measured, and differ much from the defaults"},
    {.id = Option::writers,
     .name = "writers",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_ranks,
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
     .maximum = k_max_ranks,
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
    {.id = Option::file_name,
     .name = "file_name",
     .kind = OptionKind::choice,
     .default_value = "sync",
     .choices = "sync|close",
     .per_file = true,
     .help = "when a new file gets its final name: `sync`: at its first sync (or close); `close`: only at "
             "its close",
     .cost = "nothing",
     .when = "other programs must not see the file before it is complete, although the program calls sync: "
             "`close`"},
    {.id = Option::replace,
     .name = "replace",
     .kind = OptionKind::boolean,
     .default_value = "true",
     .per_file = true,
     .help = "`true`: a new file replaces a file of the same name; `false`: creating it fails with EXISTS",
     .cost = "nothing",
     .when = "earlier results must not be lost by mistake (netCDF's `NC_NOCLOBBER`)"},
    {.id = Option::eager,
     .name = "eager",
     .kind = OptionKind::boolean,
     .default_value = "false",
     .per_file = true,
     .help = "`true`: each object is created in the file when it is defined, and the file has a live HDF5 id",
     .cost = "two agreements per definition; if the job is killed, the file may be damaged",
     .when = "other code uses the live HDF5 id of the file"},
    {.id = Option::combine,
     .name = "combine",
     .kind = OptionKind::boolean,
     .default_value = "true",
     .per_file = true,
     .help =
         "`true`: all requests of a wait are one operation; `false`: each request is an operation of its own",
     .cost = "`false`: one operation per request",
     .when = "to measure the effect of combining"},
    {.id = Option::gather_writes,
     .name = "gather_writes",
     .kind = OptionKind::boolean,
     .default_value = "false",
     .help = "`true`: an I/O rank writes when its staging memory is full or at a synchronisation point, and "
             "neighbouring buffers with one call",
     .cost = "`true`: copying and writing do not overlap",
     .when = "write calls are expensive, or data come in parts that fit into the staging memory"},
    {.id = Option::shared_encoding,
     .name = "shared_encoding",
     .kind = OptionKind::boolean,
     .default_value = "true",
     .help =
         "`true`: ranks that wait inside a call, for example in sync, close or a get, encode and decode "
         "chunks of variables with filters for the I/O ranks of their node; `false`: each I/O rank encodes "
         "and decodes all of its chunks",
     .cost = "`true`: each rank that encodes or decodes needs memory for two or three chunks meanwhile, all "
             "of a node together at most about three times `staging_bytes` for each I/O rank",
     .when = "memory is short, or the cores of the other ranks are needed for something else: `false`"},
    {.id = Option::asynchronous,
     .name = "asynchronous",
     .kind = OptionKind::boolean,
     .default_value = "false",
     .per_file = true,
     .help = "`true`: a thread of each I/O rank writes while the ranks compute; sync, close (see `close`) "
             "and gets wait for it. `false`: I/O ranks write inside library calls",
     .cost = "`true`: a thread on each I/O rank, which competes with the ranks where they use all cores; for "
             "files with chunks a second one, which writes while the first one encodes",
     .when = "the program computes between its output steps; or chunks are encoded, and storage is slow: "
             "encoding and writing take the time of the longer one"},
    {.id = Option::close,
     .name = "close",
     .kind = OptionKind::choice,
     .default_value = "wait",
     .choices = "wait|post",
     .per_file = true,
     .help = "with `asynchronous` = `true`, when `scorpio_file_close` of a file that was written returns: "
             "`wait`: the file is complete; `post`: all its data are in the staging memory of the I/O ranks, "
             "and a later call of the I/O system completes it (`scorpio_iosystem_wait`), unless a thread has "
             "done so before",
     .cost = "`post`: the file has its final name later; a failure is returned by a later call of the I/O "
             "system, with POSTED",
     .when = "the program computes between output steps and closes a file at the end of each of them"},
    {.id = Option::sync,
     .name = "sync",
     .kind = OptionKind::choice,
     .default_value = "wait",
     .choices = "wait|post",
     .per_file = true,
     .help =
         "with `asynchronous` = `true`, when `scorpio_file_sync` returns: `wait`: the data are in the "
         "file and other programs can read them; `post`: they are in the staging memory of the I/O ranks, "
         "and the first later sync, close or `scorpio_iosystem_wait` that finds them written completes the "
         "file as it is then; on one node, a thread completes a `cdf*` file before that",
     .cost = "`post`: data are visible, and safe if the program is killed, later",
     .when =
         "the program calls sync after each array or step, and does not need the file to be complete then"},
    {.id = Option::priority,
     .name = "priority",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_priority,
     .per_file = true,
     .help =
         "with `asynchronous` = `true`, which file an I/O rank writes first: of the files that have data in "
         "staging memory the one with the highest value, after those for which a rank waits",
     .cost = "data of other files stay in staging memory longer",
     .when = "restart files are to be complete before history files that were put earlier"},
    {.id = Option::bandwidth,
     .name = "bandwidth",
     .kind = OptionKind::bytes,
     .default_value = "unlimited",
     .minimum = 1,
     .maximum = k_any,
     .no_limit = "unlimited",
     .per_file = true,
     .help =
         "with `asynchronous` = `true`, the bytes of the file that an I/O rank writes in a second, at most; "
         "the limit does not apply while a rank waits for the file or for staging memory, and at the end "
         "of the I/O system; `unlimited`: none",
     .cost = "the file is complete later, and keeps its staging memory longer",
     .when = "writing slows down the program or other jobs, for example by its use of the network"},
    {.id = Option::async_files,
     .name = "async_files",
     .kind = OptionKind::integer,
     .default_value = "8",
     .minimum = 1,
     .maximum = k_max_ranks,
     .help = "the number of files whose close or sync with `post` may be incomplete at a time; if there "
             "would be more, the oldest of them is completed first",
     .cost = "each keeps its staging memory and, on each I/O rank that wrote it, an open file",
     .when = "many small files are written in each output step: raise it; memory is scarce: lower it"},
    {.id = Option::worker_cpus,
     .name = "worker_cpus",
     .kind = OptionKind::text,
     .default_value = "free",
     .help = "the CPUs on which the threads run that encode and write with `asynchronous` = `true`: `free`: "
             "the CPUs of the node to which no rank is bound, or all CPUs that the job may use if there are "
             "none; `rank`: the CPUs of the I/O rank; or a list, such as `0-3,8`",
     .cost = "nothing",
     .when = "some CPUs of a node are reserved for other work, or for the operating system"},
    {.id = Option::file_options,
     .name = "file_options",
     .kind = OptionKind::text,
     .default_value = "",
     .help = "options of files by their names, such as `*.h0.* close=post; *.r.* durable=true`; the section "
             "Options by file name describes it; empty: none",
     .cost = "nothing",
     .when = "history and restart files are to be written differently, without a change of the program"},
    {.id = Option::durable,
     .name = "durable",
     .kind = OptionKind::boolean,
     .default_value = "false",
     .per_file = true,
     .help = "`true`: sync and close return when the data survive a power failure",
     .cost = "an fsync at each sync and close, often seconds",
     .when = "data must survive a power failure, not only a killed job"},
    {.id = Option::journal,
     .name = "journal",
     .kind = OptionKind::boolean,
     .default_value = "true",
     .per_file = true,
     .help = "`true`: metadata of an existing file that are overwritten are kept in an undo journal until "
             "the change is complete",
     .cost = "the metadata that are overwritten are written twice",
     .when = "a copy of the file exists anyway"},
    {.id = Option::strict,
     .name = "strict",
     .kind = OptionKind::boolean,
     .default_value = "false",
     .per_file = true,
     .help = "`true`: a `cdf*` file that is shorter than its header says fails to open, with FORMAT; "
             "`false`: missing values are read as zeros, as by netCDF-C, and `scorpio_iosystem_describe` "
             "reports their number",
     .cost = "nothing",
     .when = "a truncated file must not be mistaken for one whose last values were never written"},
    {.id = Option::format,
     .name = "format",
     .kind = OptionKind::choice,
     .default_value = "hdf5",
     .choices_by = format_names,
     .per_file = true,
     .help = "the format of new files that are made with SCORPIO_FORMAT_DEFAULT: `hdf5`, `netcdf4`, `cdf1` "
             "(netCDF classic), "
             "`cdf2` (64-bit offsets) or `cdf5` (64-bit data); that of an existing file is read from it",
     .cost = "`cdf1`, `cdf2`: variables up to 2 and 4 GiB; `cdf*`: no groups, one unlimited dimension, "
             "definitions before data",
     .when = "programs that use netCDF-C continue the files: `netcdf4`; records are appended in later runs, "
             "or netCDF without HDF5 reads the files: `cdf5`, for old readers `cdf2`"},
    {.id = Option::model,
     .name = "model",
     .kind = OptionKind::choice,
     .default_value = "enhanced",
     .choices = "enhanced|classic",
     .per_file = true,
     .help = "`classic`: a new file of format `netcdf4` keeps to the classic model of netCDF, and says so to "
             "netCDF-C: one unlimited dimension, no groups, no unsigned types and none of 64-bit integers",
     .cost = "nothing",
     .when = "programs read the file that were written for classic files"},
    {.id = Option::text_padding,
     .name = "text_padding",
     .kind = OptionKind::choice,
     .default_value = "nullpad",
     .choices = "nullpad|nullterm",
     .per_file = true,
     .help = "the string padding of new variables of text in HDF5 files: `nullpad` (H5T_STR_NULLPAD) or "
             "`nullterm` (H5T_STR_NULLTERM); attributes are always `nullterm`, as netCDF-C writes them",
     .cost = "`nullterm`: a reader may drop the last character of a text that uses all of its length",
     .when = "the readers expect texts of C, which end with NUL"},
    {.id = Option::header_free,
     .name = "header_free",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "bytes of free space after the header of a `cdf*` file (`nc__enddef` h_minfree)",
     .cost = "space in the file",
     .when = "later definitions are expected: if they fit into the free space, no data are moved"},
    {.id = Option::data_align,
     .name = "data_align",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "the alignment in bytes of the beginning of the data of a `cdf*` file "
             "(`nc_header_align_size`); 0: 512, as in PnetCDF",
     .cost = "padding",
     .when = "data are to begin at a block"},
    {.id = Option::variable_align,
     .name = "variable_align",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "the alignment in bytes of each variable without records of a `cdf*` file "
             "(`nc_var_align_size`); 0: 4",
     .cost = "padding in front of each variable without records",
     .when = "such variables are large, or are written by other programs in blocks"},
    {.id = Option::variable_free,
     .name = "variable_free",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help =
         "bytes of free space after the variables without records of a `cdf*` file (`nc__enddef` v_minfree)",
     .cost = "space in the file",
     .when = "variables without records are expected to be added when there are records already"},
    {.id = Option::record_align,
     .name = "record_align",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "the alignment in bytes of record 0 of a `cdf*` file (`nc_record_align_size`); 0: 4",
     .cost = "padding",
     .when = "records are to begin at a block"},
    {.id = Option::report,
     .name = "report",
     .kind = OptionKind::text,
     .default_value = "",
     .help = "the file that gets a [report](report.md) in JSON at the end of the I/O system; `-`: as text on "
             "standard output; empty: none",
     .cost = "two or three reductions at the end of the I/O system",
     .when = "to learn what was done and what is in force, without a change of the program"},
    {.id = Option::trace,
     .name = "trace",
     .kind = OptionKind::text,
     .default_value = "",
     .help =
         "the file that gets a trace at the end of the I/O system: what each rank and "
         "each worker did and when, in the trace event format of Chrome, which Perfetto opens; empty: none",
     .cost = "up to 2 MiB of memory of each rank, and each rank opens the file once at the end",
     .when = "to see whether writes overlap with the computation, and which calls wait"},
    {.id = Option::explain,
     .name = "explain",
     .kind = OptionKind::text,
     .default_value = "",
     .help = "the file that gets, at the first put to each file by each decomposition, the text of "
             "`scorpio_explain_darray` for it (see [plans](plan.md)); `-`: standard error; empty: none",
     .cost = "time of rank 0 in these puts; no message",
     .when = "to learn what is in force, why, and what other choices would cost, without a change of the "
             "program"},
    {.id = Option::timeout_s,
     .name = "timeout_s",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_seconds,
     .help = "seconds that a rank waits for other ranks inside a call before it ends the job with a message "
             "on standard error; 0: no limit",
     .cost = "a job also ends if its ranks enter a collective call at times that differ by more, or one "
             "write takes longer",
     .when = "a job that has lost a rank or a connection must not wait until its time limit"},
    {.id = Option::store,
     .name = "store",
     .kind = OptionKind::choice,
     .default_value = "posix",
     .choices = "posix|null",
     .help = "where bytes are stored: `posix`: files; `null`: nowhere",
     .cost = "`null` keeps no data",
     .when = "to count what would be written"},
    {.id = Option::store_faults,
     .name = "store_faults",
     .kind = OptionKind::text,
     .default_value = "",
     .help = "rules by which system calls fail, as `write:3=ENOSPC;write:*5=EINTR;any:7=kill`; the section "
             "Faults describes them; empty: none",
     .cost = "calls fail, or the process dies, as asked",
     .when = "only to test what a program does when its file system fails"},
});

}  // namespace

std::span<const OptionSpec> known_options() { return k_options; }

const OptionSpec& spec_of(Option option) { return k_options[static_cast<size_t>(option)]; }

Result<Option> find_option(std::string_view name) {
  for (const OptionSpec& spec : k_options) {
    if (name == spec.name) return spec.id;
  }
  const auto nearest =
      std::min_element(k_options.begin(), k_options.end(), [name](const auto& a, const auto& b) {
        return edit_distance(name, a.name) < edit_distance(name, b.name);
      });
  return failure(Code::name, "no option is named \"{}\"; the nearest is \"{}\" (docs/options.md lists all)",
                 name, nearest->name);
}

std::vector<std::string_view> choices_of(const OptionSpec& spec) {
  std::vector<std::string_view> choices;
  std::string_view rest = spec.choices_by == nullptr ? spec.choices : spec.choices_by();
  while (!rest.empty()) {
    const size_t bar = rest.find('|');
    choices.push_back(rest.substr(0, bar));
    rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
  }
  return choices;
}

std::string allowed_values(const OptionSpec& spec) {
  switch (spec.kind) {
    case OptionKind::boolean:
      return "true or false";
    case OptionKind::choice:
      return fmt::format("{}", fmt::join(choices_of(spec), " or "));
    case OptionKind::text:
      return "any text";
    case OptionKind::ranks:
      return "different ranks separated by commas, as 0,4,8";
    case OptionKind::integer:
    case OptionKind::bytes:
      break;
  }
  const bool bytes = spec.kind == OptionKind::bytes;
  const auto show = [bytes](int64_t value) { return bytes ? format_bytes(value) : fmt::format("{}", value); };
  std::string text = spec.zero_is_automatic ? "0, or " : "";
  if (spec.power_of_two) text += "a power of two ";
  if (*spec.no_limit != '\0') text += fmt::format("{}, or ", spec.no_limit);
  text += spec.maximum == k_any ? fmt::format("{} or more", show(spec.minimum))
                                : fmt::format("{} to {}", show(spec.minimum), show(spec.maximum));
  return text;
}

}  // namespace scorpio
