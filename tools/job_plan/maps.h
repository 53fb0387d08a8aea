// The maps of the ranks of a job: which element of the array each element of a rank's buffer is.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace job_plan {

// What is wrong with a file or an argument, with the value.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Maps {
  std::string form;                           // of the file they are from
  std::vector<int64_t> dims;                  // in the order of the file
  std::vector<std::vector<int64_t>> indices;  // [ranks] zero-based in row-major order; -1 is a hole

  int ranks() const { return static_cast<int>(indices.size()); }
  int64_t elements() const;  // of the array; dims have been checked
};

// Dims have at least one element and their product can be stored; otherwise BadInput, which begins with
// `path`.
void check_dims(const std::string& path, const std::vector<int64_t>& dims);

// The same decomposition on another number of ranks. Fewer: each gets the buffers of neighbouring ranks, one
// after the other. More: the buffer of each rank is divided among neighbouring ones into equal parts.
Maps redistributed(Maps maps, int ranks);

}  // namespace job_plan
