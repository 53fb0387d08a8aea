// Where a file stores the dimensions of its model: properties that the model does not have, and that cannot
// be read from the file directly.
#pragma once

#include <string>
#include <vector>

namespace scorpio::format::hdf5 {

struct DimensionTable {
  struct Entry {
    std::string path{};  // path of its scale; empty: the file has none (any more)
    int id = 0;  // in the netCDF-4 format: number of the dimension in the file, in order of definition
  };
  std::vector<Entry> entries;  // [dimensions of the model]
  int next_id = 0;
};

}  // namespace scorpio::format::hdf5
