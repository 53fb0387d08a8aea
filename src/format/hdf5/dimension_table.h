// The locations and ids of the dimensions in the file, which the schema does not have and which cannot be
// read from the file directly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scorpio::format::hdf5 {

struct DimensionTable {
  struct Entry {
    static constexpr int64_t k_unknown = -1;
    std::string path{};  // path of its scale; empty: the file has none (any more)
    int id = 0;  // in the netCDF-4 format: number of the dimension in the file, in order of definition
    int64_t length = k_unknown;  // of the scale in the file, where the dimension is unlimited
  };
  std::vector<Entry> entries;  // [dimensions of the model]
  int next_id = 0;
};

}  // namespace scorpio::format::hdf5
