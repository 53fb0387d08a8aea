// Scattered arrays: variables of which every rank holds many short runs of elements, in an order of its own
// (w5: a spectral element model on a cubed sphere; w6: the cases of the E3SM I/O benchmark). Which rank holds
// what is read from a text that harness/maps.py writes. Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/arguments.h"
#include "common/element_type.h"
#include "common/stopwatch.h"

namespace bench {

// Elements [start, start + count) of the flattened array; never in two rows of its last dimension.
struct Run {
  int64_t start = 0;
  int64_t count = 0;
};

// How variables of one shape are divided among the ranks.
struct Division {
  std::vector<int64_t> dims;
  int variables = 0;
  std::vector<Run> data;  // that this rank holds, in the order of its memory
  std::vector<Run> fill;  // that this rank writes with the fill value where the library does not
  int64_t held = 0;       // elements that the ranks hold, all together

  int64_t elements() const;  // of one variable
  int64_t local() const;     // that this rank holds
  bool has_holes() const { return held < elements(); }
};

struct Scattered {
  Type type = Type::float64;
  std::vector<Division> divisions;

  int variables() const;
  // All that is written, or all that is read: elements that no rank holds are written as well.
  int64_t bytes(bool read) const;
};

// What elements hold that belong to no rank.
inline constexpr double k_fill_value = 1e20;

// Calls act(zero of the type); it is one of these two.
template <class Act>
void with_real_type(Type type, Act&& act) {
  type == Type::float32 ? act(float{}) : act(double{});
}

inline std::string variable_name(int variable) { return "v" + std::to_string(variable); }

// Throws std::runtime_error if the file is none, or is of another number of ranks.
Scattered read_scattered(const std::string& file, int rank, int ranks);

int64_t elements_of(const std::vector<Run>& runs);
// The places of the runs' elements in the flattened array.
std::vector<int64_t> indices_of(const std::vector<Run>& runs);

// A rank's elements of all variables, one buffer for each, and the elements that it fills at its end.
class ScatteredMemory {
 public:
  explicit ScatteredMemory(const Scattered& job);  // touched

  void fill();
  std::byte* data(int variable) { return store_[static_cast<size_t>(variable)].data(); }
  size_t bytes(int variable) const { return store_[static_cast<size_t>(variable)].size(); }
  // After a read: the numbers of wrong elements, and of bytes after them that were changed.
  int64_t wrong() const;

 private:
  const Scattered& job_;
  std::vector<std::vector<std::byte>> store_;
};

// Of workload w5: the file of the checkpoint after so many steps.
std::string checkpoint_of(const Arguments& arguments, int step);
// The first contents of a run's memory: the values, where it does not read them.
void begin_scattered(const Arguments& arguments, ScatteredMemory& memory);

// Calls move(path, read) for each file of a run: one, or in workload w5 the checkpoint that it begins with,
// if any, and those that it writes, one after so many steps. The model between them takes no time.
template <class Move>
void move_files(const Arguments& arguments, Move&& move) {
  if (arguments.workload != "w5") {
    move(arguments.file, arguments.read);
    return;
  }
  if (!arguments.restart.empty()) move(arguments.restart, true);
  for (int step = arguments.every; step <= arguments.steps; step += arguments.every)
    move(checkpoint_of(arguments, step), false);
}

// What one run took, `decompose_s` of it before the file was opened; checks what was read if that is asked
// for. Collective over MPI_COMM_WORLD.
void print_scattered(const Arguments& arguments, const Scattered& job, const ScatteredMemory& memory,
                     const Stopwatch& watch, double decompose_s, std::map<std::string, Member> extra = {});

// Defines the dimensions and variables of a job in a file: define_dimension(name, length) and
// define_variable(name, dimensions) return ids. `time`: the id of the first dimension of all. The ids of the
// variables.
template <class DefineDimension, class DefineVariable>
std::vector<int> define_scattered(const Scattered& job, int time, DefineDimension&& define_dimension,
                                  DefineVariable&& define_variable) {
  std::vector<int> ids;
  for (size_t k = 0; k < job.divisions.size(); ++k) {
    const Division& division = job.divisions[k];
    std::vector<int> dimensions{time};
    for (size_t d = 0; d < division.dims.size(); ++d) {
      dimensions.push_back(
          define_dimension("d" + std::to_string(k) + "_" + std::to_string(d), division.dims[d]));
    }
    for (int i = 0; i < division.variables; ++i)
      ids.push_back(define_variable(variable_name(static_cast<int>(ids.size())), dimensions));
  }
  return ids;
}

}  // namespace bench
