// Wall-clock phases of one job, slowest rank of each. All is collective over MPI_COMM_WORLD but lap(), which
// is local.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/arguments.h"

namespace bench {

class Stopwatch {
 public:
  Stopwatch();  // waits for all ranks, then starts
  // Ends the phase that began at the last lap, or at the start; phases of one name are added up.
  void lap(std::string phase);
  // Collective: seconds from the first rank that started to the last that is here. (With more ranks than
  // cores a rank may start its own clock long after the others; independent work would look too fast.)
  double stop_s() const;
  // Seconds per phase, slowest rank of each; on rank 0.
  std::map<std::string, double> phases_s() const;

 private:
  double start_;
  double last_;
  std::vector<std::pair<std::string, double>> laps_;
};

using Numbers = std::map<std::string, uint64_t>;
using NumbersByName = std::map<std::string, Numbers>;
using ListsByName = std::map<std::string, std::vector<uint64_t>>;
// A member of the line that a program prints.
using Member = std::variant<int64_t, std::string, Numbers, NumbersByName, ListsByName>;

// What one run of one program has to say.
struct Outcome {
  double total_s = 0;
  std::map<std::string, double> phases_s{};  // on rank 0
  std::map<std::string, Member> extra{};     // on rank 0: more members for the line
  int64_t wrong_elements = -1;               // of this rank; -1: not checked
};

// One JSON line on rank 0; `bytes` moved by all ranks. Throws if any rank read a wrong element.
void print_result(const Arguments& arguments, int64_t bytes, const Outcome& outcome);

// Sum and maximum over all ranks, on rank 0.
uint64_t sum_over_ranks(uint64_t value);
uint64_t max_over_ranks(uint64_t value);

}  // namespace bench
