// What our programs on scattered arrays share: SCORPIO's calls for the divisions of a job. Collective over
// MPI_COMM_WORLD.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/scattered.h"
#include "common/scorpio_calls.h"
#include "scorpio/scorpio.h"

namespace bench {

// One for each division.
inline std::vector<scorpio_decomp*> make_decomps(scorpio_iosystem* iosystem, const Scattered& job) {
  std::vector<scorpio_decomp*> decomps;
  for (const Division& division : job.divisions) {
    const std::vector<int64_t> mine = indices_of(division.data);
    decomps.push_back(nullptr);
    check(scorpio_decomp_map(iosystem, static_cast<int>(division.dims.size()), division.dims.data(),
                             static_cast<int64_t>(mine.size()), mine.data(), &decomps.back()),
          "scorpio_decomp_map");
  }
  return decomps;
}

inline void free_decomps(std::vector<scorpio_decomp*>& decomps) {
  for (scorpio_decomp* const decomp : decomps) check(scorpio_decomp_free(decomp), "scorpio_decomp_free");
  decomps.clear();
}

inline int define_dimension(scorpio_file* file, const std::string& name, int64_t length) {
  int id = -1;
  check(scorpio_dimension_define(file, name.c_str(), length, &id), "scorpio_dimension_define");
  return id;
}

// The ids of the job's variables, along a time of so many steps, or SCORPIO_UNLIMITED.
inline std::vector<int> define_variables(scorpio_file* file, const Scattered& job, int64_t steps) {
  std::vector<int> ids = define_scattered(
      job, define_dimension(file, "time", steps),
      [&](const std::string& name, int64_t length) { return define_dimension(file, name, length); },
      [&](const std::string& name, const std::vector<int>& dimensions) {
        return define_variable(file, name, job.type, dimensions);
      });
  check(scorpio_define_end(file), "scorpio_define_end");
  return ids;
}

inline const void* fill_value_of(Type type) {
  static constexpr double k_double = k_fill_value;
  static constexpr float k_float = static_cast<float>(k_fill_value);
  return type == Type::float32 ? static_cast<const void*>(&k_float) : &k_double;
}

// Moves variables of one open file at one step of time.
struct ScatteredMover {
  scorpio_file* file;
  const Scattered& job;
  const std::vector<int>& ids;
  ScatteredMemory& memory;
  bool read = false;
  int64_t step = 0;

  // Variables [first, first + n), which have the same decomposition.
  void move(const Division& division, scorpio_decomp* decomp, int first, int n) const {
    std::vector<scorpio_access> accesses;
    for (int v = first; v < first + n; ++v) {
      accesses.push_back(
          scorpio_darray(ids[static_cast<size_t>(v)], decomp, step, type_of(job.type), memory.data(v)));
      if (division.has_holes()) accesses.back().fill = fill_value_of(job.type);
    }
    if (read) {
      check(scorpio_get_n(file, n, accesses.data()), "scorpio_get_n");
    } else {
      check(scorpio_put_n(file, n, accesses.data()), "scorpio_put_n");
    }
  }

  // `together`: the variables of a division in one call.
  void move_all(const std::vector<scorpio_decomp*>& decomps, bool together) const {
    int first = 0;
    for (size_t k = 0; k < job.divisions.size(); ++k) {
      const Division& division = job.divisions[k];
      const int n = together ? division.variables : 1;
      for (const int end = first + division.variables; first < end; first += n)
        move(division, decomps[k], first, n);
    }
  }
};

}  // namespace bench
