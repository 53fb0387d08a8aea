// The I/O types, and the file format that each of them creates. Local; pure.
#pragma once

#include "pio.h"

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

}  // namespace scorpio_pio
