// The options of writing while the program goes on. Part of the table of options.
#pragma once

#include <array>
#include <cstdint>

#include "base/option_limits.h"
#include "base/option_spec.h"

namespace scorpio {

inline constexpr int64_t k_max_priority = 100;

inline constexpr auto k_options_of_asynchronous = std::to_array<OptionSpec>({
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
     .maximum = k_any_option_value,
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
     .maximum = k_max_option_ranks,
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
    {.id = Option::progress_thread,
     .name = "progress_thread",
     .kind = OptionKind::boolean,
     .default_value = "false",
     .help = "`true`: in a job of several nodes a thread of the first rank of each node and of each I/O rank "
             "sends and receives the data of files with `asynchronous` = `true` while the program computes; "
             "MPI must be initialized with `MPI_THREAD_MULTIPLE`, and the I/O system freed before "
             "`MPI_Finalize`. `false`: data cross between nodes in calls of the library, of which "
             "`scorpio_progress` is one",
     .cost =
         "`true`: the thread, which looks for messages up to 20000 times in a second while some are under "
         "way, and a lock in each call; MPI may be slower with `MPI_THREAD_MULTIPLE`",
     .when =
         "the program computes for long between its calls, and does not call `scorpio_progress` meanwhile"},
});

}  // namespace scorpio
