// How a survey is completed: from the elements of the nodes, from a sum over all ranks or, if these do not
// determine it, by an exchange of runs. The same decisions for the ranks of a job and for one process that
// has the parts of all ranks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "plan/survey.h"

namespace scorpio::plan {

// What the ranks tell each other of their elements, apart from those of the nodes.
struct Totals {
  int64_t elements = 0;   // of all ranks; an element that several ranks hold counts several times
  int64_t most_runs = 0;  // of a rank
  bool doubled = false;   // some rank holds an element more than once
};

// What is known only from the runs of all ranks. Each function is called at most once, on all ranks. `so_far`
// is the status of this rank's steps since the ranks last agreed: all ranks fail if that of one is a failure.
class AllRanks {
 public:
  virtual ~AllRanks() = default;
  virtual Result<NodeSets> node_sets() = 0;
  virtual uint64_t own_edges() = 0;  // edges_of() the runs of this rank
  // The sum of the edges of all ranks.
  virtual Result<uint64_t> sum_of_edges(const Status& so_far, uint64_t own) = 0;
  // Sets the coverage, whether it is exact and whether ranks overlap, and removes runs that are not written.
  virtual Status exchange_runs(const Status& so_far, int64_t most_runs, Survey& survey) = 0;
  virtual Result<HeldCells> cells(int64_t total) = 0;
};

// The sum of the hashed bounds of all runs. The number of runs that begin and end at an element determines
// the change of the number of holders there: runs that cover an array once therefore have the same sum as the
// whole array. Other runs have it with a probability of 2^-64.
uint64_t edges_of(const decomp::RunList& runs);

// Completes a survey whose total and runs are set.
Status complete(const Totals& totals, size_t nodes, AllRanks& ranks, Survey& survey);

}  // namespace scorpio::plan
