/* Every call of the interface with all its arguments in one struct, so that any of them can be spoiled. The
 * functions of the table have the scope of the call they make. */
#pragma once

#define SCORPIO_2012_DECLARE_ALL
#include "scorpio.h"

typedef struct Arguments {
  iogroup_t* group;
  int file;
  const char* name;
  int type;
  int ndims;
  int global[4];
  int local[4];
  int start[4];
  int pattern;
  const char* attribute;
  int64_t n;
  int64_t index[6];
  int64_t location;
  void* buffer;
} Arguments;

/* Which arguments a call has. */
enum {
  HAS_NAME = 1,
  HAS_TYPE = 2,
  HAS_NDIMS = 4,
  HAS_GLOBAL = 8,
  HAS_LOCAL = 16,
  HAS_START = 32,
  HAS_PATTERN = 64,
  HAS_ATTRIBUTE = 128,
  HAS_INDEX = 256,
  HAS_LOCATION = 512,
  HAS_BUFFER = 1024,
  MUST_EXIST = 2048, /* the dataset */
  WRITES = 4096,
  ANSWERS = 8192, /* 0 (no) where others fail */
  READS_ATTRIBUTE = 16384,
  MATCHES_FILE = 32768 /* extents are compared with the dataset's */
};

typedef struct Call {
  const char* what;
  int has;
  int (*run)(Arguments*);
  int pattern; /* the right one */
} Call;

/* Ends with an entry without name. */
extern const Call k_calls[];
