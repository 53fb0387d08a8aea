/* Common definitions of scorpio.h and parallelIO.h: the structures that applications allocate and read, and
 * the headers that applications of the 2012 interface expect. Include scorpio.h or parallelIO.h instead of
 * this header.
 *
 * Sizes and offsets are those of the libraries of 2010 to 2023, so that objects compiled against them link
 * and run. May be included inside extern "C" of an application.
 */
#ifndef SCORPIO_UTIL_2012_H
#define SCORPIO_UTIL_2012_H

#ifdef __cplusplus
extern "C++" {
#endif
#include <assert.h>
#include <hdf5.h>
#include <limits.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
}
#endif

#ifndef SCORPIO_2012_API
#define SCORPIO_2012_API __attribute__((visibility("default")))
#endif

/* Applications that write through iofile_t.fid request collective transfers unless this is defined. HDF5
 * rejects these on a file that each process opens separately. */
#ifndef SERIAL_HDF5
#define SERIAL_HDF5 1
#endif

#ifndef FAILURE
#define FAILURE (-1)
#endif
#ifndef MAX_FILENAME
#define MAX_FILENAME 100
#endif

/* Set by the caller of IOgroup_init. */
typedef struct {
  int numIOgroups;        /* if > 0: ranks per group = ranks / numIOgroups; preferredGroupSize is not read */
  int preferredGroupSize; /* ranks per group if numIOgroups <= 0; init stores the size in use */
  MPI_Comm commIncoming;  /* duplicated; may be any intracommunicator */
} iogroup_conf_t;

/* An open file, on I/O roots only. Applications use `fid` only; the other fields keep the layout of the
 * structure. */
typedef struct {
  int handle;
  char filename[MAX_FILENAME]; /* a longer name is truncated */
  hid_t fid; /* HDF5 id of the library, which the application must not close; -1 after close_file */
  hid_t acc_tpl;
  hid_t xfer_plist;
  hid_t link_plist;
  hid_t sid;
  hid_t file_dataspace;
  hid_t mem_dataspace;
  hid_t dataset;
  hid_t groupid;
} iofile_t;

/* A group of I/O groups; allocated by the caller, and set by IOgroup_init. Applications only read it. */
typedef struct {
  int localrank;  /* in localcomm; 0: the I/O root of its I/O group */
  int globalrank; /* in globalcomm */
  int localsize;
  int globalsize;
  int iogroupRank; /* number of this rank's I/O group */
  int iogroupSize; /* number of I/O groups */
  int numIOgroups; /* the same */
  int preferredGroupSize;
  MPI_Comm localcomm;
  MPI_Comm globalcomm;
  MPI_Comm iocomm; /* of the I/O roots; MPI_COMM_NULL on other ranks */
  iofile_t** file; /* I/O roots: [numFiles], by handle. NULL on other ranks */
  int numFiles;    /* I/O roots: number of handles so far. 0 on other ranks */
  int datatype_size;
  MPI_Datatype mpi_type;
  hid_t hdf_type;
} iogroup_t;

#endif
