/** @file pio.h
 * The PIO interface of climate models (E3SM SCORPIO 2.0, NCAR PIO 2): types and constants. pio_api.h, which
 * this header includes, declares the functions. docs/interface-pio.md describes the functions. One thread at
 * a time in a process may call them. */
#ifndef SCORPIO_PIO_H
#define SCORPIO_PIO_H

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pio_config.h"
#include "pio_netcdf_names.h"

/** @name The formats of new files
 * @{ */
#define _PNETCDF 1 /* NOLINT(bugprone-reserved-identifier): programs test this name */
#define _NETCDF 1  /* NOLINT(bugprone-reserved-identifier) */
#define _NETCDF4 1 /* NOLINT(bugprone-reserved-identifier) */
#define _HDF5 1    /* NOLINT(bugprone-reserved-identifier) */
/** @} */

/** Extents, indices and lengths. */
typedef MPI_Offset PIO_Offset;

/** @name I/O types
 * @{ */
enum PIO_IOTYPE {
  PIO_IOTYPE_PNETCDF = 1,         /**< classic netCDF */
  PIO_IOTYPE_NETCDF = 2,          /**< classic netCDF */
  PIO_IOTYPE_NETCDF4C = 3,        /**< netCDF-4, compressed */
  PIO_IOTYPE_NETCDF4P = 4,        /**< netCDF-4 */
  PIO_IOTYPE_NETCDF4P_NCZARR = 5, /**< netCDF-4 in Zarr */
  PIO_IOTYPE_ADIOS = 6,
  PIO_IOTYPE_ADIOSC = 7,
  PIO_IOTYPE_HDF5 = 8, /**< netCDF-4 */
  PIO_IOTYPE_HDF5C = 9 /**< netCDF-4, compressed */
};
/** @} */

/** Rearrangers: the library has one, which every value selects. */
enum PIO_REARRANGERS { PIO_REARR_BOX = 1, PIO_REARR_SUBSET = 2, PIO_REARR_ANY = 3, PIO_REARR_CONTIG = 4 };

/** Kinds of messages between compute and I/O ranks. */
enum PIO_REARR_COMM_TYPE { PIO_REARR_COMM_P2P = 0, PIO_REARR_COMM_COLL = 1 };

/** The directions in which flow control is on. */
enum PIO_REARR_COMM_FC_DIR {
  PIO_REARR_COMM_FC_2D_ENABLE = 0,
  PIO_REARR_COMM_FC_1D_COMP2IO = 1,
  PIO_REARR_COMM_FC_1D_IO2COMP = 2,
  PIO_REARR_COMM_FC_2D_DISABLE = 3
};
#define PIO_REARR_COMM_UNLIMITED_PEND_REQ (-1)

/** Flow control in one direction. */
typedef struct rearr_comm_fc_opt {
  bool hs;          /**< handshakes before messages */
  bool isend;       /**< nonblocking sends */
  int max_pend_req; /**< number of messages in transit */
} rearr_comm_fc_opt_t;

/** Settings of the rearranger. */
typedef struct rearr_opt {
  int comm_type; /**< a value of ::PIO_REARR_COMM_TYPE */
  int fcd;       /**< a value of ::PIO_REARR_COMM_FC_DIR */
  rearr_comm_fc_opt_t comp2io;
  rearr_comm_fc_opt_t io2comp;
} rearr_opt_t;

/** Error handlers. With all but the first, a failing call returns its code and the program goes on: a call
 * that communicates returns the same code on all ranks, any other returns its own at once. */
enum PIO_ERROR_HANDLERS {
  PIO_INTERNAL_ERROR = -51, /**< a failing call prints a message and ends the program */
  PIO_BCAST_ERROR = -52,    /**< a failing call returns its code */
  PIO_REDUCE_ERROR = -53,   /**< the same */
  PIO_RETURN_ERROR = -54    /**< the same */
};

/** Stands for the settings of I/O systems that are created later. */
#define PIO_DEFAULT (-1)

/** @name Types of variables and of values in memory
 * @{ */
#define PIO_NAT 0
#define PIO_BYTE 1
#define PIO_CHAR 2
#define PIO_SHORT 3
#define PIO_INT 4
#define PIO_FLOAT 5
#define PIO_DOUBLE 6
#define PIO_UBYTE 7
#define PIO_USHORT 8
#define PIO_UINT 9
#define PIO_INT64 10
#define PIO_UINT64 11
#define PIO_STRING 12
#define PIO_REAL PIO_FLOAT
/** @} */

/** @name Values of unwritten elements
 * @{ */
#define PIO_FILL_BYTE ((signed char)-127)
#define PIO_FILL_CHAR ((char)0)
#define PIO_FILL_SHORT ((short)-32767)
#define PIO_FILL_INT (-2147483647)
#define PIO_FILL_FLOAT (9.9692099683868690e+36f)
#define PIO_FILL_DOUBLE (9.9692099683868690e+36)
#define PIO_FILL_UBYTE (255)
#define PIO_FILL_USHORT (65535)
#define PIO_FILL_UINT (4294967295U)
#define PIO_FILL_INT64 ((long long)-9223372036854775806LL)
#define PIO_FILL_UINT64 ((unsigned long long)18446744073709551614ULL)
/** @} */

/** @name Modes, limits and other values
 * @{ */
#define PIO_NOWRITE 0
#define PIO_WRITE 1
#define PIO_CLOBBER 0
#define PIO_NOCLOBBER 4
#define PIO_FILL 0
#define PIO_NOFILL 256
#define PIO_64BIT_OFFSET 512
#define PIO_64BIT_DATA 32
#define PIO_UNLIMITED 0
#define PIO_GLOBAL (-1)
#define PIO_REQ_NULL (-1)
#define PIO_MAX_NAME 256
#define PIO_MAX_DIMS 1024
#define PIO_MAX_VARS 8192
#define PIO_MAX_ATTRS 8192
#define PIO_MAX_VAR_DIMS 1024
#define PIO_IODESC_START_ID 512
#define PIO_IODESC_MAX_IDS 65536
/** @} */

/** @name Names in the files of decompositions
 * @{ */
#define DECOMP_VERSION_ATT_NAME "version"
#define DECOMP_MAX_MAPLEN_ATT_NAME "max_maplen"
#define DECOMP_TITLE_ATT_NAME "title"
#define DECOMP_HISTORY_ATT_NAME "history"
#define DECOMP_SOURCE_ATT_NAME "source"
#define DECOMP_ORDER_ATT_NAME "array_order"
#define DECOMP_C_ORDER_STR "C"
#define DECOMP_FORTRAN_ORDER_STR "Fortran"
#define DECOMP_BACKTRACE_ATT_NAME "backtrace"
#define DECOMP_DIM_DIM "dims"
#define DECOMP_TASK_DIM_NAME "task"
#define DECOMP_MAPELEM_DIM_NAME "map_element"
#define DECOMP_NDIMS "ndims"
#define DECOMP_GLOBAL_SIZE_VAR_NAME "global_size"
#define DECOMP_MAPLEN_VAR_NAME "maplen"
#define DECOMP_MAP_VAR_NAME "map"
/** @} */

/** @name Codes
 * 0 is success. PIO_E... has the value of NC_E....
 * @{ */
#define PIO_NOERR 0
#define PIO_EBADID (-33)
#define PIO_ENFILE (-34)
#define PIO_EEXIST (-35)
#define PIO_EINVAL (-36)
#define PIO_EPERM (-37)
#define PIO_ENOTINDEFINE (-38)
#define PIO_EINDEFINE (-39)
#define PIO_EINVALCOORDS (-40)
#define PIO_EMAXDIMS (-41)
#define PIO_ENAMEINUSE (-42)
#define PIO_ENOTATT (-43)
#define PIO_EMAXATTS (-44)
#define PIO_EBADTYPE (-45)
#define PIO_EBADDIM (-46)
#define PIO_EUNLIMPOS (-47)
#define PIO_EMAXVARS (-48)
#define PIO_ENOTVAR (-49)
#define PIO_EGLOBAL (-50)
#define PIO_ENOTNC (-51)
#define PIO_ESTS (-52)
#define PIO_EMAXNAME (-53)
#define PIO_EUNLIMIT (-54)
#define PIO_ENORECVARS (-55)
#define PIO_ECHAR (-56)
#define PIO_EEDGE (-57)
#define PIO_ESTRIDE (-58)
#define PIO_EBADNAME (-59)
#define PIO_ERANGE (-60)
#define PIO_ENOMEM (-61)
#define PIO_EVARSIZE (-62)
#define PIO_EDIMSIZE (-63)
#define PIO_ETRUNC (-64)
#define PIO_EAXISTYPE (-65)
#define PIO_EDAP (-66)
#define PIO_ECURL (-67)
#define PIO_EIO (-68)
#define PIO_ENODATA (-69)
#define PIO_EDAPSVC (-70)
#define PIO_EDAS (-71)
#define PIO_EDDS (-72)
#define PIO_EDATADDS (-73)
#define PIO_EDAPURL (-74)
#define PIO_EDAPCONSTRAINT (-75)
#define PIO_ETRANSLATION (-76)
#define PIO_EHDFERR (-101)
#define PIO_ECANTREAD (-102)
#define PIO_ECANTWRITE (-103)
#define PIO_ECANTCREATE (-104)
#define PIO_EFILEMETA (-105)
#define PIO_EDIMMETA (-106)
#define PIO_EATTMETA (-107)
#define PIO_EVARMETA (-108)
#define PIO_ENOCOMPOUND (-109)
#define PIO_EATTEXISTS (-110)
#define PIO_ENOTNC4 (-111)
#define PIO_ESTRICTNC3 (-112)
#define PIO_ENOTNC3 (-113)
#define PIO_ENOPAR (-114)
#define PIO_EPARINIT (-115)
#define PIO_EBADGRPID (-116)
#define PIO_EBADTYPID (-117)
#define PIO_ETYPDEFINED (-118)
#define PIO_EBADFIELD (-119)
#define PIO_EBADCLASS (-120)
#define PIO_EMAPTYPE (-121)
#define PIO_ELATEFILL (-122)
#define PIO_ELATEDEF (-123)
#define PIO_EDIMSCALE (-124)
#define PIO_ENOGRP (-125)
#define PIO_ESTORAGE (-126)
#define PIO_EBADCHUNK (-127)
#define PIO_ENOTBUILT (-128)
#define PIO_EDISKLESS (-129)
#define PIO_EINDEP (-203)
#define PIO_EADIOSREAD (-300)
#define PIO_FIRST_ERROR_CODE (-500)
#define PIO_EBADIOTYPE (-500)
#define PIO_EINTERNAL (-501)
#define PIO_EHDF5ERR (-700)
/** @} */

#include "pio_api.h"

#endif
