/* Handles, element types and other values that the calls of SCORPIO share. */
#ifndef SCORPIO_TYPES_H
#define SCORPIO_TYPES_H

#include <stdint.h>

#ifndef SCORPIO_API
#define SCORPIO_API __attribute__((visibility("default")))
#endif

typedef struct scorpio_options scorpio_options;   /* settings: name = value */
typedef struct scorpio_iosystem scorpio_iosystem; /* a communicator, its I/O ranks and their staging memory */
typedef struct scorpio_file scorpio_file;         /* an open file */
typedef struct scorpio_decomp scorpio_decomp;     /* a decomposition */

/* Element types, in memory and in files. */
typedef enum scorpio_type {
  SCORPIO_INT8 = 1,
  SCORPIO_UINT8 = 2,
  SCORPIO_INT16 = 3,
  SCORPIO_UINT16 = 4,
  SCORPIO_INT32 = 5,
  SCORPIO_UINT32 = 6,
  SCORPIO_INT64 = 7,
  SCORPIO_UINT64 = 8,
  SCORPIO_FLOAT32 = 9,
  SCORPIO_FLOAT64 = 10,
  SCORPIO_TEXT = 11,  /* fixed-length character strings; an element's length is given where it is defined */
  SCORPIO_OPAQUE = 12 /* bytes without meaning; likewise */
} scorpio_type;

typedef enum scorpio_open_mode { SCORPIO_READ = 0, SCORPIO_WRITE = 1 } scorpio_open_mode;

typedef enum scorpio_object_kind {
  SCORPIO_OBJECT_NONE = 0,
  SCORPIO_OBJECT_GROUP = 1,
  SCORPIO_OBJECT_VARIABLE = 2,
  SCORPIO_OBJECT_LINK = 3
} scorpio_object_kind;

/* How a file is laid out. */
typedef enum scorpio_format {
  SCORPIO_FORMAT_HDF5 = 1,
  SCORPIO_FORMAT_CDF1 = 2, /* netCDF classic */
  SCORPIO_FORMAT_CDF2 = 3, /* 64-bit offsets */
  SCORPIO_FORMAT_CDF5 = 4  /* 64-bit data */
} scorpio_format;

/* A part of a variable: start, count, stride [ndims]; stride may be NULL (= 1); all three may be NULL if the
 * variable has no dimensions. Dimension 0 of a record variable counts records; puts may lie behind the last.
 * `data`: elements of `type`; lasts until the wait. map [ndims]: distances in `data`, in elements, from one
 * element to the next along each dimension, may be negative; NULL: row-major over count. */
typedef struct scorpio_access {
  int variable;
  const int64_t* start;
  const int64_t* count;
  const int64_t* stride;
  scorpio_type type;
  void* data; /* not written to by puts */
  const int64_t* map;
} scorpio_access;

/* Length of a dimension along which records are added. */
#define SCORPIO_UNLIMITED (-1)

#endif
