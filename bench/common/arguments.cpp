#include "common/arguments.h"

#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

namespace bench {

namespace {

struct HelpIsWanted {
  std::string text;
};

}  // namespace

Arguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  std::string direction = "write";
  std::vector<std::string> options;
  CLI::App app{"One side of a benchmark of parallel array I/O; prints one JSON line."};
  app.add_option("--workload", arguments.workload,
                 "w1, w2d, memory, big, sparse; w2, w2v, w3, w4, w7, w8; w5, w6; climate; netcdf4")
      ->capture_default_str();
  app.add_option("--form", arguments.form, "form of the workload (w2 and later)");
  app.add_option("--extent", arguments.extent, "elements along each axis; 0: the workload's");
  app.add_option("--variables", arguments.variables, "number of variables; 0: the workload's");
  app.add_option("--steps", arguments.steps, "dumps, records or segments; 0: the workload's");
  app.add_option("--step-s", arguments.step_s, "climate: seconds of the model in each step");
  app.add_option("--every", arguments.every, "climate, w5: steps from one restart (checkpoint) to the next")
      ->check(CLI::PositiveNumber);
  app.add_flag("--last", arguments.last, "climate: a restart also at the last step");
  app.add_flag("--fixed", arguments.fixed, "climate: time is a dimension of a fixed length");
  app.add_flag("--watch-memory", arguments.watch_memory, "climate: measure memory after each step");
  app.add_option("--work", arguments.work, "climate: what a busy model does in a step; 0: for --step-s");
  app.add_option("--format", arguments.format, "format of our file: netcdf4; patterns: hdf5")
      ->capture_default_str();
  app.add_option("--chunk", arguments.chunk, "netcdf4: block: what a rank holds");
  app.add_option("--filters", arguments.filters, "netcdf4: number:parameter, separated by commas");
  app.add_option("--keep-bits", arguments.keep_bits, "netcdf4: bits of the mantissa that are kept; 0: all")
      ->check(CLI::Range(0, 23));
  app.add_option("--job-ranks", arguments.job_ranks, "raw: ranks of the job whose data are moved");
  app.add_option("--direction", direction, "write or read")->check(CLI::IsMember({"write", "read"}));
  app.add_option("--file", arguments.file, "file to write or read")->required();
  app.add_option("--restart", arguments.restart, "w5: checkpoint that the run begins with");
  app.add_option("--input", arguments.input,
                 "demonstration: folder of the files to read; w5, w6, climate: who holds what");
  app.add_option("--mode", arguments.mode,
                 "peers: collective, independent, nonblocking, posix, varn, rearranged; ours: combined, "
                 "each, separate, put, put_variables")
      ->check(CLI::IsMember({"collective", "independent", "nonblocking", "posix", "varn", "rearranged",
                             "combined", "each", "separate", "put", "put_variables", "darray", "sync_each",
                             "idle", "busy"}));
  app.add_flag("--tuned", arguments.tuned,
               "MPI-IO hints: cb_nodes, 16 MiB buffers, no data sieving; 1 MiB alignment");
  app.add_option("--io-ranks", arguments.io_ranks, "ranks that open the file (ours, hints)")
      ->check(CLI::PositiveNumber);
  app.add_flag("--reuse-buffer", arguments.reuse_buffer, "one buffer for all variables");
  app.add_flag("--overwrite", arguments.overwrite, "write into the datasets of an existing file");
  app.add_flag("--verify", arguments.verify, "check every element read");
  app.add_option("--option", options, "name=value of a SCORPIO option (may be repeated)");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    throw HelpIsWanted{app.help()};
  }
  arguments.read = direction == "read";
  for (const std::string& option : options) {
    const size_t equals = option.find('=');
    if (equals == std::string::npos)
      throw CLI::ValidationError("--option", "\"" + option + "\" is not name=value");
    arguments.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  }
  return arguments;
}

int run_program(int argc, char** argv, void (*body)(const Arguments&)) {
  MPI_Init(&argc, &argv);
  try {
    body(parse_arguments(argc, argv));
  } catch (const HelpIsWanted& help) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::fputs(help.text.c_str(), stdout);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}

}  // namespace bench
