// The options of files: their names, and what is combined in one write. Part of the table of options.
#pragma once

#include <array>

#include "base/option_spec.h"

namespace scorpio {

inline constexpr auto k_options_of_files = std::to_array<OptionSpec>({
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
     .help = "`true`: each object is created in the file when it is defined, and the program can call HDF5 "
             "with an id of the open file",
     .cost = "two agreements per definition; if the job is killed, the file may be damaged",
     .when = "other parts of the program call HDF5 for the same file"},
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
     .cost =
         "`true`: each rank that encodes or decodes takes about twice the bytes of a chunk meanwhile, all "
         "of a node together about as much as their staging memory",
     .when = "memory is short, or the cores of the other ranks are needed for something else: `false`"},
});

}  // namespace scorpio
