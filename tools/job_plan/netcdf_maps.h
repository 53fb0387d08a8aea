// Maps in netCDF files, which the library reads:
//   - the form of the E3SM I/O benchmark: several decompositions D1, D2, ... with the variables D1.nreqs,
//     D1.offsets, D1.lengths and D1.fill_starts;
//   - its older form with one decomposition: variables off_00000, len_00000, ... for each rank;
//   - the form of PIO: variables map, maplen and global_size.
// MPI is started, with one rank.
#pragma once

#include <string>

#include "maps.h"

namespace job_plan {

// `decomposition`: 1 for D1, and so on. BadInput, which begins with `path`, if the file is damaged or has no
// maps.
Maps read_netcdf_maps(const std::string& path, int decomposition);

}  // namespace job_plan
