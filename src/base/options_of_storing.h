// The options of how files are stored, and of checks. Part of the table of options.
#pragma once

#include <array>

#include "base/option_spec.h"

namespace scorpio {

inline constexpr auto k_options_of_storing = std::to_array<OptionSpec>({
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
    {.id = Option::recover,
     .name = "recover",
     .kind = OptionKind::choice,
     .default_value = "stopped",
     .choices = "stopped|always",
     .per_file = true,
     .help = "when an open, or a create that will replace the file, restores a file from the undo journal "
             "beside it: `stopped`: if the run that made the journal has ended; on a file system without "
             "locks this is known only on the node of that run, and elsewhere the call fails with BUSY; "
             "`always`: without a question",
     .cost = "`always`: the changes of a run that still writes the file are lost if the file system has no "
             "locks",
     .when = "`always`: once, after a run was killed on another node, if the file system has no locks"},
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
});

}  // namespace scorpio
