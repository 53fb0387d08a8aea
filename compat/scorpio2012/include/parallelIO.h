/* The C interface of ASCEM-IO 2.0 to 2.4, as Amanzi uses it. docs/interface-2012.md describes how to link,
 * which functions are new, and which errors are corrected. The functions are those of scorpio.h, where they
 * are described.
 *
 * Every rank of the group's communicator makes the same calls in the same order, except close_file,
 * close_dataset_group (required on the I/O roots only) and name_exists (any rank). A rank without data may
 * skip write_dataset_block. The outcome is the same on all ranks; 0 is success, negative is failure, and a
 * call that fails changes nothing. The library never prints, exits or aborts, unless the environment variable
 * SCORPIO_VERBOSE, or the options `messages`, `report`, `explain` or `timeout_s`, ask for it. One thread at a
 * time.
 * dims[0] is the slowest and the distributed dimension; buffers are contiguous and row-major.
 */
#ifndef SCORPIO_PARALLELIO_2012_H
#define SCORPIO_PARALLELIO_2012_H

#include "ascemio_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Other libraries define macros of these names. */
#undef PIO_INTEGER
#undef PIO_DOUBLE
#undef PIO_FLOAT
#undef PIO_LONG
#undef PIO_CHAR
#undef PIO_BYTE
#undef PIO_STRING

typedef enum {
  UNIFORM_CONTIGUOUS_READ = 0, /* equal shares of dims[0]; the first dims[0] mod ranks ranks have one more */
  NONUNIFORM_CONTIGUOUS_READ = 1,   /* localdims[0] rows of each rank, packed in rank order */
  NONCONTIGUOUS_READ = 2,           /* the elements of set_index_list */
  EVERYONE_ENTIRE_DATASET_READ = 3, /* the block at the origin, on every rank */
  UNIFORM_CONTIGUOUS_WRITE = 4,
  NONUNIFORM_CONTIGUOUS_WRITE = 5,
  NONCONTIGUOUS_WRITE = 6,
  EVERYONE_ENTIRE_DATASET_WRITE = 7 /* data of rank 0 */
} iopattern_t;

typedef enum {
  FILE_CREATE = 0,   /* create or truncate */
  FILE_READONLY = 1, /* must exist; any other number means this too */
  FILE_READWRITE = 2 /* must exist */
} file_mode_t;

typedef enum {
  PIO_INTEGER = 0,
  PIO_DOUBLE = 1,
  PIO_FLOAT = 2,
  PIO_LONG = 3,
  PIO_CHAR = 4,  /* a number, not text */
  PIO_BYTE = 5,  /* 8-bit integers in the file */
  PIO_STRING = 6 /* attributes only: NUL-terminated text */
} datatype_t;

/* ---- groups of ranks ---- */

/* Divides the ranks into I/O groups; the lowest rank of each group is its I/O root, which opens files for
 * the group. */
SCORPIO_2012_API int parallelIO_IOgroup_init(iogroup_conf_t* conf, iogroup_t* group);

/* Closes open files and releases all resources; `group` may be initialised again. */
SCORPIO_2012_API int parallelIO_IOgroup_cleanup(iogroup_t* group);

/* Sets the buffer size of each I/O root in bytes, at least 65536; 0: the default (environment variable
 * SCORPIO_MAX_BUFFER, or 16 MiB). Fails while the group has an open file. */
SCORPIO_2012_API int parallelIO_set_max_buffer(int64_t bytes, iogroup_t* group);

/* Sets whether <file>.xmf is written for each file that is closed after writing (also with environment
 * variable SCORPIO_XDMF=1). */
SCORPIO_2012_API int parallelIO_set_xdmf(int on, iogroup_t* group);

/* The reason of the last failed call of this process: "parallelIO_open_file: out.h5: ...", in
 * text[capacity], truncated if necessary, with a final NUL. Returns the length of the whole text; 0: no
 * call failed. A failure on all ranks has the same reason on all. With environment variable
 * SCORPIO_VERBOSE=1 each such text is printed once, to stderr. No communication. */
SCORPIO_2012_API int parallelIO_get_last_error(char* text, int capacity);

/* ---- files ---- */

/* Returns a handle >= 0, or -1 on all ranks. Handles are numbered 0, 1, 2... and are not used again; a
 * failed open uses a number, too. */
SCORPIO_2012_API int parallelIO_open_file(const char* filename, iogroup_t* group, file_mode_t mode);

/* The file in storage is complete when the call returns on rank 0. No communication. */
SCORPIO_2012_API int parallelIO_close_file(int fhandle, iogroup_t* group);

/* ---- inquiry ---- */

/* get_dataset_dims and get_dataset_size return -1 for extents and numbers of elements above INT_MAX. */
SCORPIO_2012_API int parallelIO_get_dataset_ndims(int* ndims, int fhandle, const char* dset,
                                                  iogroup_t* group);
SCORPIO_2012_API int parallelIO_get_dataset_dims(int* dims, int fhandle, const char* dset, iogroup_t* group);
SCORPIO_2012_API int parallelIO_get_dataset_size(int* size, int fhandle, const char* dset, iogroup_t* group);
SCORPIO_2012_API int parallelIO_get_dataset_dims64(int64_t* dims, int fhandle, const char* dset,
                                                   iogroup_t* group);
SCORPIO_2012_API int parallelIO_get_dataset_size64(int64_t* size, int fhandle, const char* dset,
                                                   iogroup_t* group);

/* Return 1 or 0 on all ranks, 0 also for an invalid handle. The current group of the file does not change. */
SCORPIO_2012_API int parallelIO_group_exists(const char* name, int fhandle, iogroup_t* group);
SCORPIO_2012_API int parallelIO_dataset_exists(const char* name, int fhandle, iogroup_t* group);

/* Whether the object `fid` has an attribute or a link of that name. No communication. */
SCORPIO_2012_API bool parallelIO_name_exists(hid_t fid, const char* name);

/* ---- reading ---- */

/* Reads a dataset; data are converted to `type`. */
SCORPIO_2012_API int parallelIO_read_dataset(void* buffer, datatype_t type, int ndims, const int* globaldims,
                                             const int* localdims, int fhandle, const char* dset,
                                             iogroup_t* group, iopattern_t pattern);

/* Every rank reads its own block, which may be empty or overlap those of other ranks. */
SCORPIO_2012_API int parallelIO_read_dataset_block(void* buffer, datatype_t type, int ndims,
                                                   const int* globaldims, const int* localdims,
                                                   const int* localstarts, int fhandle, const char* dset,
                                                   iogroup_t* group);

/* Element i of the buffer is element index[i] of the dataset (row-major, from 0); -1 is a hole, which keeps
 * its value. An index may occur any number of times. */
SCORPIO_2012_API int parallelIO_read_dataset_indexed(void* buffer, datatype_t type, int ndims,
                                                     const int64_t* globaldims, int64_t n,
                                                     const int64_t* index, int fhandle, const char* dset,
                                                     iogroup_t* group);

/* Sets the index list for later calls with a NONCONTIGUOUS pattern on this file. The list is copied. */
SCORPIO_2012_API int parallelIO_set_index_list(int64_t n, const int64_t* index, int fhandle,
                                               iogroup_t* group);

/* ---- writing: the data are in the file when the call returns ---- */

/* Creates the dataset and missing groups above it. Fails if the dataset exists. */
SCORPIO_2012_API int parallelIO_write_dataset(const void* buffer, datatype_t type, int ndims,
                                              const int* globaldims, const int* localdims, int fhandle,
                                              const char* dset, iogroup_t* group, iopattern_t pattern);

/* As read_dataset_indexed. If an index occurs more than once, the value of the highest rank is written. */
SCORPIO_2012_API int parallelIO_write_dataset_indexed(const void* buffer, datatype_t type, int ndims,
                                                      const int64_t* globaldims, int64_t n,
                                                      const int64_t* index, int fhandle, const char* dset,
                                                      iogroup_t* group);

/* ---- strings ---- */

/* Writes the n strings of rank 0 as a dataset of NUL-terminated strings of fixed length. */
SCORPIO_2012_API int parallelIO_write_str_array(char** strings, int n, int fhandle, const char* dset,
                                                iogroup_t* group);

/* Returns all strings on all ranks; the caller frees each string and then the array with free(). */
SCORPIO_2012_API int parallelIO_read_str_array(char*** strings, int* n, int fhandle, const char* dset,
                                               iogroup_t* group);

/* ---- attributes of groups ("/" is the file) and datasets ---- */

/* Write the value of rank 0. If the attribute exists, it keeps its value, and the call returns 0. -1: the
 * object does not exist, or an argument is invalid. */
SCORPIO_2012_API int parallelIO_write_simple_attr(const char* attr, const void* data, datatype_t type,
                                                  int fhandle, const char* object, iogroup_t* group);
SCORPIO_2012_API int parallelIO_write_attr(const char* attr, const void* data, datatype_t type, int ndims,
                                           const int* adims, int fhandle, const char* object,
                                           iogroup_t* group);

/* The caller frees *data and *adims, which is NULL for scalars, with free(). -1: the object does not exist,
 * -2: the attribute has another type, -5: the attribute does not exist, or another failure occurred. */
SCORPIO_2012_API int parallelIO_read_simple_attr(const char* attr, void** data, datatype_t type, int fhandle,
                                                 const char* object, iogroup_t* group);
SCORPIO_2012_API int parallelIO_read_attr(const char* attr, void** data, datatype_t type, int* ndims,
                                          int** adims, int fhandle, const char* object, iogroup_t* group);

/* ---- the file's current group: relative names of all writes but uniform ones are below it ---- */

/* Opens or makes a group and makes it current: 0 or -1 on all ranks. As of ASCEM-IO 2.4. */
SCORPIO_2012_API int parallelIO_create_dataset_group(const char* name, int fhandle, iogroup_t* group);
SCORPIO_2012_API int parallelIO_close_dataset_group(int fhandle, iogroup_t* group);

/* Sets datatype_size, mpi_type and hdf_type of `group`. No communication. */
SCORPIO_2012_API void initialize_datatype(datatype_t type, iogroup_t* group);

/* ---- exported, but declared on demand only ---- */

/* The headers of 2010 to 2023 did not declare these functions, so that applications declare them, with or
 * without const. This header declares them if SCORPIO_2012_DECLARE_ALL is defined before it is included. */
#ifdef SCORPIO_2012_DECLARE_ALL

/* Every rank writes its own block; several calls may write parts of a dataset of the same type and extents.
 * If blocks overlap, the values of the highest rank are written, also across I/O groups. A rank without
 * data may skip the call. */
SCORPIO_2012_API int parallelIO_write_dataset_block(const void* buffer, datatype_t type, int ndims,
                                                    const int* globaldims, const int* localdims,
                                                    const int* localstarts, int fhandle, const char* dset,
                                                    iogroup_t* group);

/* Reads the same block on all ranks. */
SCORPIO_2012_API int parallelIO_read_same_sub_dataset(void* buffer, datatype_t type, int ndims,
                                                      const int* blockdims, const int* starts, int fhandle,
                                                      const char* dset, iogroup_t* group);

/* Functions for the uniform (1), the non-uniform (2) and the entire pattern. */
SCORPIO_2012_API int parallelIO_write_dataset1(const void* buffer, datatype_t type, int ndims,
                                               const int* globaldims, const int* localdims, int fhandle,
                                               const char* dset, iogroup_t* group);
SCORPIO_2012_API int parallelIO_write_dataset2(const void* buffer, datatype_t type, int ndims,
                                               const int* globaldims, const int* localdims, int fhandle,
                                               const char* dset, iogroup_t* group);
SCORPIO_2012_API int parallelIO_read_dataset1(void* buffer, datatype_t type, int ndims, const int* globaldims,
                                              const int* localdims, int fhandle, const char* dset,
                                              iogroup_t* group);
SCORPIO_2012_API int parallelIO_read_dataset2(void* buffer, datatype_t type, int ndims, const int* globaldims,
                                              const int* localdims, int fhandle, const char* dset,
                                              iogroup_t* group);
SCORPIO_2012_API int parallelIO_read_entire_dataset(void* buffer, datatype_t type, int ndims,
                                                    const int* globaldims, const int* localdims, int fhandle,
                                                    const char* dset, iogroup_t* group);

#endif

#ifdef __cplusplus
}
#endif

#endif
