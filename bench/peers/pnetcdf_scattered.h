// A PnetCDF file of scattered arrays: each variable has one record. Collective over the communicator.
#pragma once

#include <mpi.h>
#include <pnetcdf.h>

#include <string>
#include <vector>

#include "common/arguments.h"
#include "common/scattered.h"
#include "peers/pnetcdf_calls.h"

namespace bench {

inline int open_scattered(MPI_Comm comm, const std::string& path, bool read, MPI_Info info) {
  int file = -1;
  if (read) {
    check_pnetcdf(ncmpi_open(comm, path.c_str(), NC_NOWRITE, info, &file), "ncmpi_open");
  } else {
    check_pnetcdf(ncmpi_create(comm, path.c_str(), NC_CLOBBER | NC_64BIT_DATA, info, &file), "ncmpi_create");
  }
  return file;
}

inline int define_dimension(int file, const std::string& name, MPI_Offset length) {
  int id = -1;
  check_pnetcdf(ncmpi_def_dim(file, name.c_str(), length, &id), "ncmpi_def_dim");
  return id;
}

inline int define_variable(int file, const std::string& name, Type type, const std::vector<int>& dimensions) {
  int id = -1;
  check_pnetcdf(ncmpi_def_var(file, name.c_str(), element_type(type).file,
                              static_cast<int>(dimensions.size()), dimensions.data(), &id),
                "ncmpi_def_var");
  return id;
}

inline std::vector<int> define_scattered(int file, const Scattered& job) {
  std::vector<int> ids = define_scattered(
      job, define_dimension(file, "time", NC_UNLIMITED),
      [&](const std::string& name, int64_t length) { return define_dimension(file, name, length); },
      [&](const std::string& name, const std::vector<int>& dimensions) {
        return define_variable(file, name, job.type, dimensions);
      });
  check_pnetcdf(ncmpi_enddef(file), "ncmpi_enddef");
  return ids;
}

inline std::vector<int> find_scattered(int file, const Scattered& job) {
  std::vector<int> ids;
  for (int v = 0; v < job.variables(); ++v)
    check_pnetcdf(ncmpi_inq_varid(file, variable_name(v).c_str(), &ids.emplace_back()), "ncmpi_inq_varid");
  return ids;
}

// All posted requests.
inline void wait_for_all(int file, std::vector<int>& requests) {
  std::vector<int> statuses(requests.size());
  check_pnetcdf(ncmpi_wait_all(file, static_cast<int>(requests.size()), requests.data(), statuses.data()),
                "ncmpi_wait_all");
  for (const int status : statuses) check_pnetcdf(status, "ncmpi_wait_all, a request");
  requests.clear();
}

}  // namespace bench
