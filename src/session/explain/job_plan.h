// What puts by a decomposition will cost in a job of any size, and what they would cost with other options:
// computed in one process for all ranks, by the code that carries puts out. Local and pure; no MPI.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "decomp/local_part.h"
#include "exchange/rehearsal.h"
#include "model/element_type.h"

namespace scorpio::session {

struct Job {
  int nodes = 1;      // of consecutive ranks, as even as possible
  int io_ranks = 0;   // > 0: this number of I/O ranks is one of the alternatives
  int variables = 1;  // put one after the other into one new file, each by the same decomposition
  model::ElementType type{};
  std::vector<decomp::LocalPart> parts;  // [ranks]
};

// One choice of options. The values of `io_ranks` and below are not set if the choice is not possible.
struct PlannedChoice {
  std::string name;  // "in force", or the option that differs: "domains = contiguous"
  Status possible;
  std::vector<int> io_ranks;
  int writers = 0;  // of the I/O ranks
  bool contiguous = false, balanced = false;
  bool messages_alone = false;  // no memory is shared
  exchange::Transfer transfer = exchange::Transfer::messages;
  std::string transfer_name;  // the value of the option
  uint64_t block_bytes = 0, unit_bytes = 0;
  int slots = 0;  // of each I/O rank, of which the file has a part
  exchange::PutCounts puts;
  uint64_t cost_ns = 0;
  uint64_t message_bytes = 0;  // of elements, in the messages between nodes
  uint64_t opens = 0;          // of the file, by the metadata rank and the I/O ranks that write
  // Staging memory in bytes: of the node, and of the I/O rank, with the most.
  uint64_t node_memory = 0, io_rank_memory = 0;
  uint64_t coverage_memory = 0;  // of each rank for the decomposition, without its own runs
};

// The least, the median and the greatest value of all ranks.
struct Spread {
  int64_t least = 0, median = 0, most = 0;
};

struct JobPlan {
  int ranks = 0, nodes = 0, variables = 0;
  std::string type;
  std::vector<int64_t> dims;
  uint64_t variable_bytes = 0;
  Spread elements, runs, run_memory;  // of each rank; run_memory in bytes
  int64_t gaps = 0;                   // elements of the array that no rank holds
  int64_t shared = 0;                 // elements that a rank holds and a higher rank writes
  int64_t holes = 0;                  // elements of buffers that belong to no element of the array
  // Of ranges, that each rank receives in a wait for requests: with a reduction, and with a gather.
  uint64_t reduced_bytes = 0, gathered_bytes = 0;
  std::vector<std::string> reasons;    // of the choice in force: options with their values and origins
  std::vector<PlannedChoice> choices;  // the first is the one in force
};

// `options` are those of the I/O system, without rules for files by their names. Fails if the options in
// force cannot be met, or ask for what a plan does not cover (filters).
Result<JobPlan> plan_job(const Job& job, const Options& options);
// As JSON, with one line for each choice. docs/plan.md describes it.
std::string json_of(const JobPlan& plan);

}  // namespace scorpio::session
