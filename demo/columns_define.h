// The variables of columns.h in a PnetCDF file. Collective over the file's communicator.
#pragma once

#include <pnetcdf.h>

#include <vector>

#include "columns.h"
#include "peers/pnetcdf_calls.h"

namespace demo {

inline int define_dimension(int file, const char* name, MPI_Offset length) {
  int id = -1;
  bench::check_pnetcdf(ncmpi_def_dim(file, name, length, &id), "ncmpi_def_dim");
  return id;
}

// Their ids, and the end of the define mode.
inline std::vector<int> define_all(int file) {
  const int time = define_dimension(file, "time", NC_UNLIMITED);
  const int levels = define_dimension(file, "lev", k_levels);
  const int columns = define_dimension(file, "ncol", k_columns);
  const std::vector<int> flat{time, columns};
  const std::vector<int> deep{time, levels, columns};
  std::vector<int> ids;
  for (int v = 0; v < k_variables; ++v) {
    const std::vector<int>& dimensions = is_deep(v) ? deep : flat;
    bench::check_pnetcdf(
        ncmpi_def_var(file, variable_name(v).c_str(), NC_FLOAT, static_cast<int>(dimensions.size()),
                      dimensions.data(), &ids.emplace_back()),
        "ncmpi_def_var");
  }
  bench::check_pnetcdf(ncmpi_enddef(file), "ncmpi_enddef");
  return ids;
}

}  // namespace demo
