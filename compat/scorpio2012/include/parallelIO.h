/* The C interface of ASCEM-IO 2.0 to 2.4, as Amanzi uses it. docs/interface-2012.md tells how to link, what
 * is new and what is mended. The same functions as in scorpio.h, where they are described.
 *
 * Every rank of the group's communicator makes the same calls in the same order, except close_file,
 * close_dataset_group (the I/O roots are enough) and name_exists (any rank). A rank that holds nothing may
 * skip write_dataset_block. The outcome is the same on all ranks; 0 is success, negative is failure, and a
 * call that failed has changed nothing. The library never exits or aborts, and prints only where environment
 * SCORPIO_VERBOSE is set. One thread at a time.
 * dims[0] is the slowest and the distributed dimension; buffers are contiguous and row-major.
 */
#ifndef SCORPIO_PARALLELIO_2012_H
#define SCORPIO_PARALLELIO_2012_H

#include "ascemio_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Other libraries with the prefix PIO_ make these macros. */
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
  EVERYONE_ENTIRE_DATASET_READ = 3, /* from the origin, for every rank */
  UNIFORM_CONTIGUOUS_WRITE = 4,
  NONUNIFORM_CONTIGUOUS_WRITE = 5,
  NONCONTIGUOUS_WRITE = 6,
  EVERYONE_ENTIRE_DATASET_WRITE = 7 /* data of rank 0 */
} iopattern_t;

typedef enum {
  FILE_CREATE = 0,   /* create or truncate */
  FILE_READONLY = 1, /* must exist; so does any other number */
  FILE_READWRITE = 2 /* must exist */
} file_mode_t;

typedef enum {
  PIO_INTEGER = 0,
  PIO_DOUBLE = 1,
  PIO_FLOAT = 2,
  PIO_LONG = 3,
  PIO_CHAR = 4,  /* a number, no text */
  PIO_BYTE = 5,  /* 8-bit integers in the file */
  PIO_STRING = 6 /* attributes only: NUL-terminated text */
} datatype_t;

/* ---- groups of ranks ---- */

/* Splits the ranks into I/O groups; the lowest rank of each is its I/O root, which opens files for it. */
SCORPIO_2012_API int parallelIO_IOgroup_init(iogroup_conf_t* conf, iogroup_t* group);

/* Closes what is open and frees everything; `group` may be initialised again. */
SCORPIO_2012_API int parallelIO_IOgroup_cleanup(iogroup_t* group);

/* At most so many bytes of buffer per I/O root, at least 65536; 0: the default (environment
 * SCORPIO_MAX_BUFFER, else 16 MiB). Fails while the group has a file open. */
SCORPIO_2012_API int parallelIO_set_max_buffer(int64_t bytes, iogroup_t* group);

/* Whether <file>.xmf is written beside each file that is closed after writing (also: environment
 * SCORPIO_XDMF=1). */
SCORPIO_2012_API int parallelIO_set_xdmf(int on, iogroup_t* group);

/* Why the last call of this process that failed did so: "parallelIO_open_file: out.h5: ...", in
 * text[capacity], cut to fit with a final NUL. Returns the length of the whole text; 0: no call failed. What
 * fails on all ranks has the same reason on all. Environment SCORPIO_VERBOSE=1 prints each such text once, to
 * stderr. No communication. */
SCORPIO_2012_API int parallelIO_get_last_error(char* text, int capacity);

/* ---- files ---- */

/* A handle >= 0, or -1 on all ranks. Handles count 0, 1, 2... and are never used again; a failed open
 * consumes one. */
SCORPIO_2012_API int parallelIO_open_file(const char* filename, iogroup_t* group, file_mode_t mode);

/* No communication. The file on disk is complete when it returns on rank 0. */
SCORPIO_2012_API int parallelIO_close_file(int fhandle, iogroup_t* group);

/* ---- inquiry ---- */

/* Extents and numbers of elements above INT_MAX: -1 from get_dataset_dims and get_dataset_size. */
SCORPIO_2012_API int parallelIO_get_dataset_ndims(int* ndims, int fhandle, const char* dset,
                                                  iogroup_t* group);
SCORPIO_2012_API int parallelIO_get_dataset_dims(int* dims, int fhandle, const char* dset, iogroup_t* group);
SCORPIO_2012_API int parallelIO_get_dataset_size(int* size, int fhandle, const char* dset, iogroup_t* group);
SCORPIO_2012_API int parallelIO_get_dataset_dims64(int64_t* dims, int fhandle, const char* dset,
                                                   iogroup_t* group);
SCORPIO_2012_API int parallelIO_get_dataset_size64(int64_t* size, int fhandle, const char* dset,
                                                   iogroup_t* group);

/* 1 or 0 on all ranks, 0 also for a bad handle; the file's current group is not touched. */
SCORPIO_2012_API int parallelIO_group_exists(const char* name, int fhandle, iogroup_t* group);
SCORPIO_2012_API int parallelIO_dataset_exists(const char* name, int fhandle, iogroup_t* group);

/* Whether the object `fid` has an attribute or a link of that name. No communication. */
SCORPIO_2012_API bool parallelIO_name_exists(hid_t fid, const char* name);

/* ---- reading ---- */

/* Data are converted to `type`. */
SCORPIO_2012_API int parallelIO_read_dataset(void* buffer, datatype_t type, int ndims, const int* globaldims,
                                             const int* localdims, int fhandle, const char* dset,
                                             iogroup_t* group, iopattern_t pattern);

/* Every rank its own block, which may overlap those of others; an empty one is fine. */
SCORPIO_2012_API int parallelIO_read_dataset_block(void* buffer, datatype_t type, int ndims,
                                                   const int* globaldims, const int* localdims,
                                                   const int* localstarts, int fhandle, const char* dset,
                                                   iogroup_t* group);

/* Element i of the buffer is element index[i] of the dataset (row-major, from 0); -1: a hole, which keeps its
 * value. An element may be asked for any number of times. */
SCORPIO_2012_API int parallelIO_read_dataset_indexed(void* buffer, datatype_t type, int ndims,
                                                     const int64_t* globaldims, int64_t n,
                                                     const int64_t* index, int fhandle, const char* dset,
                                                     iogroup_t* group);

/* The index list of the calls with a NONCONTIGUOUS pattern that follow on this file; copied. */
SCORPIO_2012_API int parallelIO_set_index_list(int64_t n, const int64_t* index, int fhandle,
                                               iogroup_t* group);

/* ---- writing: the data are in the file when the call returns ---- */

/* Makes the dataset and missing groups above it; one that exists is an error. */
SCORPIO_2012_API int parallelIO_write_dataset(const void* buffer, datatype_t type, int ndims,
                                              const int* globaldims, const int* localdims, int fhandle,
                                              const char* dset, iogroup_t* group, iopattern_t pattern);

/* As read_dataset_indexed. Of an element that was given more than once the highest rank's value is written.
 */
SCORPIO_2012_API int parallelIO_write_dataset_indexed(const void* buffer, datatype_t type, int ndims,
                                                      const int64_t* globaldims, int64_t n,
                                                      const int64_t* index, int fhandle, const char* dset,
                                                      iogroup_t* group);

/* ---- strings ---- */

/* A dataset of n strings, of fixed length and NUL-terminated: those of rank 0. */
SCORPIO_2012_API int parallelIO_write_str_array(char** strings, int n, int fhandle, const char* dset,
                                                iogroup_t* group);

/* All strings on all ranks; free() each, then the array. */
SCORPIO_2012_API int parallelIO_read_str_array(char*** strings, int* n, int fhandle, const char* dset,
                                               iogroup_t* group);

/* ---- attributes of groups ("/" is the file) and datasets ---- */

/* Rank 0's value is written; an attribute that exists keeps its value, and the call returns 0.
 * -1: no such object, or an argument is wrong. */
SCORPIO_2012_API int parallelIO_write_simple_attr(const char* attr, const void* data, datatype_t type,
                                                  int fhandle, const char* object, iogroup_t* group);
SCORPIO_2012_API int parallelIO_write_attr(const char* attr, const void* data, datatype_t type, int ndims,
                                           const int* adims, int fhandle, const char* object,
                                           iogroup_t* group);

/* free() *data and *adims, which is NULL for scalars. -1: no such object, -2: the attribute has another type,
 * -5: no such attribute, or another failure. */
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

/* The headers of 2010 to 2023 did not declare these functions, so clients do it by themselves, with or
 * without const. Define SCORPIO_2012_DECLARE_ALL before the include to have the declarations from here. */
#ifdef SCORPIO_2012_DECLARE_ALL

/* Every rank its own block; several calls may fill a dataset of the same type and extents. Where blocks
 * overlap the highest rank wins, also across I/O groups. A rank that holds nothing may skip the call. */
SCORPIO_2012_API int parallelIO_write_dataset_block(const void* buffer, datatype_t type, int ndims,
                                                    const int* globaldims, const int* localdims,
                                                    const int* localstarts, int fhandle, const char* dset,
                                                    iogroup_t* group);

/* The same block for all ranks. */
SCORPIO_2012_API int parallelIO_read_same_sub_dataset(void* buffer, datatype_t type, int ndims,
                                                      const int* blockdims, const int* starts, int fhandle,
                                                      const char* dset, iogroup_t* group);

/* The uniform (1), the non-uniform (2) and the entire pattern under names of their own. */
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
