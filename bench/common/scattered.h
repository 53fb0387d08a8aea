// Scattered arrays: variables of which every rank holds many short runs of elements, in an order of its own
// (w6: the cases of the E3SM I/O benchmark). Which rank holds what is read from a text that harness/maps.py
// writes. Local.
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
  // After a read: elements that differ from what they should be, and bytes behind them that were changed.
  int64_t wrong() const;

 private:
  const Scattered& job_;
  std::vector<std::vector<std::byte>> store_;
};

// What one run took, `decompose_s` of it before the file was opened; checks what was read if that is asked
// for. Collective over MPI_COMM_WORLD.
void print_scattered(const Arguments& arguments, const Scattered& job, const ScatteredMemory& memory,
                     const Stopwatch& watch, double decompose_s, std::map<std::string, Member> extra = {});

}  // namespace bench
