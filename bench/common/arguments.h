// The command line that all programs of the benchmark share. Local.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct Arguments {
  std::string workload = "w2d";
  std::string form;    // empty: the workload's first
  int64_t extent = 0;  // 0: that of the workload
  int variables = 0;
  int steps = 0;
  double step_s = 0.5;             // climate: the time of the model between two outputs
  int every = 16;                  // climate: steps from one restart to the next; w5: to the next checkpoint
  bool last = false;               // climate: a restart also at the last step
  bool fixed = false;              // climate: time is a dimension of a fixed length
  bool watch_memory = false;       // climate: print the memory of all ranks
  int64_t work = 0;                // climate: what a busy model does in a step; 0: as much as takes step_s
  std::string format = "netcdf4";  // of our file: netcdf4; patterns: hdf5, or else a classic one
  std::string chunk;               // netcdf4: `block`: what a rank holds; else that of the form
  std::string filters;             // netcdf4: number:parameter, separated by commas
  int keep_bits = 0;               // netcdf4: of the mantissa (BitRound); 0: all
  int job_ranks = 0;               // raw: ranks of the job whose data are moved; 0: its own
  bool read = false;
  std::string file;
  std::string restart;  // w5: the checkpoint that the run begins with; empty: with none
  std::string input;    // the demonstration: folder of the files to read; w5, w6, climate: who holds what
  std::string mode = "collective";  // how the data are handed over; each program knows its own
  bool tuned = false;               // peers: the hints of workloads.md instead of the defaults
  int io_ranks = 2;
  bool reuse_buffer = false;  // one buffer for all variables: memory is then the library's, not ours
  bool overwrite = false;     // write into the datasets of an existing file
  bool verify = false;        // compare what was read, after the clock has stopped
  std::vector<std::pair<std::string, std::string>> options;  // ours: scorpio options
};

// Throws CLI::ParseError; run_program turns it into a message.
Arguments parse_arguments(int argc, char** argv);

// MPI_Init, `body`, MPI_Finalize. An exception ends all ranks with a message that names the program.
int run_program(int argc, char** argv, void (*body)(const Arguments&));

}  // namespace bench
