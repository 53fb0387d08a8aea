// The ids of dimensions in the program, with those of dimensions without names, which programs see as
// netCDF-C shows them. Only opened HDF5 files of other programs have such dimensions. Local; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scorpio/scorpio.h"

namespace scorpio_pio {

// A dimension without a name is shared by the variables of its group that have its length there, and a
// variable has it once. A named dimension of the group that has this length takes its place.
struct PhonyDimension {
  std::string group;  // path
  std::string name;   // phony_dim_<id>
  int64_t length = 0;
  bool unlimited = false;
};

class DimensionIds {
 public:
  static constexpr int k_none = -1;

  // Of a file that was opened just now.
  void find(scorpio_file* file);

  // In the underlying library. k_none: the dimension has no name there, or the id is wrong.
  int native(int id) const;
  int of_native(int native) const { return native < first_ ? native : native + size(); }
  int size() const { return static_cast<int>(phony_.size()); }
  // NULL: a named dimension, or none.
  const PhonyDimension* phony(int id) const;
  std::vector<int> unlimited_phony() const;  // ids
  // The id of the dimension of this name without a name in the file; k_none.
  int find(const std::string& name) const;
  // Gives the dimensions of a variable, with the ids of the underlying library, those of the program.
  void translate(int native_variable, int* dimensions, int ndims) const;

 private:
  struct Unnamed;
  void name(scorpio_file* file, const std::string& group, const std::vector<Unnamed>& variables);
  int dimension_of(scorpio_file* file, const std::string& group, const std::vector<int>& taken,
                   int64_t length, bool unlimited);

  int first_ = 0;  // the ids below are those of the named dimensions that the opened file had
  std::vector<PhonyDimension> phony_;
  std::map<int, std::vector<int>> of_variables_;  // by native id: [ndims] ids in the program
};

}  // namespace scorpio_pio
