// The options of reports, and of tests of a program. Part of the table of options.
#pragma once

#include <array>
#include <cstdint>

#include "base/option_spec.h"

namespace scorpio {

inline constexpr int64_t k_max_seconds = 1 << 30;

inline constexpr auto k_options_of_observation = std::to_array<OptionSpec>({
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
    {.id = Option::messages,
     .name = "messages",
     .kind = OptionKind::choice,
     .default_value = "none",
     .choices = "none|errors|all",
     .help = "the failures of calls whose text is printed on standard error, each text once (see "
             "[the messages](#messages-of-failures)): `none`; `errors`: of all calls, except of a rank that "
             "asks for something that is not there (NOT_FOUND); `all`: of all calls",
     .cost = "8 KiB of memory of each node; nothing while no call fails",
     .when = "a program shows codes only, and the reason of a failure is to be known without a change of it"},
    {.id = Option::timeout_s,
     .name = "timeout_s",
     .kind = OptionKind::integer,
     .default_value = "0",
     .maximum = k_max_seconds,
     .help =
         "seconds that a rank waits for other ranks inside a call before it ends the job with a message "
         "on standard error; 0: no limit. It does not hold while MPI makes or frees communicators, when an "
         "I/O system is created or freed",
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

}  // namespace scorpio
