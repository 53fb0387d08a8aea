// Where a file keeps the dimensions of its model: what the model does not know, and the file does not say at
// once.
#pragma once

#include <string>
#include <vector>

namespace scorpio::format::hdf5 {

struct DimensionTable {
  struct Entry {
    std::string path{};  // of its scale; empty: the file has none (any more)
    int id = 0;          // of the netCDF-4 format: counts the dimensions of the file in order of definition
  };
  std::vector<Entry> entries;  // [dimensions of the model]
  int next_id = 0;
};

}  // namespace scorpio::format::hdf5
