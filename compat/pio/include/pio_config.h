/** @file pio_config.h
 * The configuration of the PIO interface that programs test with #if: the version whose interface it is, and
 * what the library can do. */
#ifndef SCORPIO_PIO_CONFIG_H
#define SCORPIO_PIO_CONFIG_H

/** @name The version of the interface: E3SM SCORPIO 2.0.1
 * @{ */
#define PIO_VERSION_MAJOR 2
#define PIO_VERSION_MINOR 0
#define PIO_VERSION_PATCH 1
#define PIO_VERSION_HASH ""
/** @} */

/** @name What the library can create
 * Files of any I/O type can be opened, netCDF-4 and HDF5 files among them.
 * @{ */
#define PIO_USE_PNETCDF 1
#define PIO_USE_NETCDF 1
#define PIO_USE_NETCDF4 1
#define PIO_USE_NETCDF4_NCZARR 0
#define PIO_USE_ADIOS 0
#define PIO_USE_HDF5 1
/** @} */

#define PIO_USE_MALLOC 1
#define PIO_ENABLE_LOGGING 0
#define PIO_SAVE_DECOMPS 0
#define PIO_SAVE_DECOMPS_REGEX ""
#define PIO_MAX_LUSTRE_OSTS 0
#define PIO_STRIPING_UNIT 0
#define PIO_RESERVED_FILE_HEADER_SIZE 10240
#define PIO_CHUNK_SIZE 0

#define SIZEOF_MPI_OFFSET 8
#define SIZEOF_PIO_OFFSET 8
#define PIO_OFFSET_C_TYPENAME "MPI_Offset"
/** The MPI datatype of a ::PIO_Offset. */
#define PIO_OFFSET MPI_OFFSET

#endif
