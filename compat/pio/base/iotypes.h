// The I/O types and modes of creation, and the file format that they mean. Local; pure.
#pragma once

#include "pio.h"
#include "scorpio/scorpio.h"

namespace scorpio_pio {

constexpr bool is_iotype(int iotype) { return iotype >= PIO_IOTYPE_PNETCDF && iotype <= PIO_IOTYPE_HDF5C; }

constexpr bool makes_classic(int iotype) {
  return iotype == PIO_IOTYPE_PNETCDF || iotype == PIO_IOTYPE_NETCDF;
}

constexpr bool makes_netcdf4(int iotype) {
  return iotype == PIO_IOTYPE_NETCDF4C || iotype == PIO_IOTYPE_NETCDF4P || iotype == PIO_IOTYPE_HDF5 ||
         iotype == PIO_IOTYPE_HDF5C;
}

// True for the types that compress each variable with dimensions unless the program sets other filters.
constexpr bool compresses(int iotype) { return iotype == PIO_IOTYPE_NETCDF4C || iotype == PIO_IOTYPE_HDF5C; }

constexpr bool is_available(int iotype) { return makes_classic(iotype) || makes_netcdf4(iotype); }

// Bits of a mode of creation that only netCDF's header has names for: NC_NETCDF4 and NC_MPIIO.
constexpr int k_netcdf4_mode = 4096;
constexpr int k_parallel_mode = 8192;

constexpr scorpio_format classic_format(int mode) {
  if ((mode & PIO_64BIT_DATA) != 0) return SCORPIO_FORMAT_CDF5;
  return (mode & PIO_64BIT_OFFSET) != 0 ? SCORPIO_FORMAT_CDF2 : SCORPIO_FORMAT_CDF1;
}

// CDF-1 and CDF-2 have no unsigned types and none of 64-bit integers.
constexpr bool has_first_types_only(scorpio_format format) {
  return format == SCORPIO_FORMAT_CDF1 || format == SCORPIO_FORMAT_CDF2;
}

constexpr bool is_classic(scorpio_format format) {
  return has_first_types_only(format) || format == SCORPIO_FORMAT_CDF5;
}

}  // namespace scorpio_pio
