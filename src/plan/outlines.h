// What each rank tells the others of its part of a decomposition, in a few words, and what follows from it
// for the survey. Local and pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "decomp/local_part.h"
#include "plan/survey.h"

namespace scorpio::plan {

// The range of a rank's elements, whether this has gaps, and its block.
struct Outline {
  decomp::Interval hull;
  int64_t elements;
  int64_t runs;
  bool box;
  bool doubled;  // the rank holds some element more than once
  std::vector<int64_t> start, count;

  bool empty() const { return elements == 0; }
  bool solid() const { return elements == hull.end - hull.begin; }
};

// An outline in words, and the outlines of all ranks from the words of all of them. `runs`: the elements of
// the part, each once; `doubled`: the part has some of them more than once.
std::vector<int64_t> words_of(const decomp::LocalPart& part, const decomp::RunList& runs, bool doubled);
std::vector<Outline> outlines_of(const std::vector<int64_t>& words, size_t ndims);
// Returns true if the outlines alone determine the result; `survey`, of which the total is set, is then
// complete.
bool outlines_tell(const std::vector<Outline>& outlines, Survey& survey);
bool any_doubled(const std::vector<Outline>& outlines);
int64_t most_runs(const std::vector<Outline>& outlines);

}  // namespace scorpio::plan
