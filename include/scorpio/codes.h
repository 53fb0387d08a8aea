/* Status codes of every SCORPIO call. 0 is success, everything else is negative and stable across releases.
 */
#ifndef SCORPIO_CODES_H
#define SCORPIO_CODES_H

enum scorpio_code {
  SCORPIO_OK = 0,
  SCORPIO_ERR_ARGUMENT = -1,     /* an argument is out of its range, or NULL where it is needed */
  SCORPIO_ERR_HANDLE = -2,       /* not, or no longer, a handle or id of this file or I/O system */
  SCORPIO_ERR_NAME = -3,         /* a name or path that the format cannot hold */
  SCORPIO_ERR_NOT_FOUND = -4,    /* no such file, group, variable or attribute */
  SCORPIO_ERR_EXISTS = -5,       /* already there */
  SCORPIO_ERR_TYPE = -6,         /* the element types cannot be converted into each other */
  SCORPIO_ERR_SHAPE = -7,        /* extents do not fit together, or an index or record is outside of them */
  SCORPIO_ERR_RANGE = -8,        /* all is moved, but values did not fit their new type: they were clipped */
  SCORPIO_ERR_STATE = -9,        /* not possible now: closed, not eager, define mode, ... */
  SCORPIO_ERR_READ_ONLY = -10,   /* the file was opened for reading */
  SCORPIO_ERR_MISMATCH = -11,    /* ranks passed different arguments to a collective call, or made others */
  SCORPIO_ERR_LIMIT = -12,       /* a limit of the format, an option or the system (ulimit -f) is exceeded */
  SCORPIO_ERR_MEMORY = -13,      /* memory (private or shared) could not be had */
  SCORPIO_ERR_NO_SPACE = -14,    /* the file system is full, or a quota is used up */
  SCORPIO_ERR_PERMISSION = -15,  /* the file system refused */
  SCORPIO_ERR_IO = -16,          /* a system call on the file failed */
  SCORPIO_ERR_FORMAT = -17,      /* the file is damaged, or not of the expected format */
  SCORPIO_ERR_UNSUPPORTED = -18, /* this build or this format cannot do it */
  SCORPIO_ERR_BUSY = -19,        /* another run holds the file */
  SCORPIO_ERR_MPI = -20,         /* an MPI call failed */
  SCORPIO_ERR_ABORTED = -21,     /* given up because another rank failed */
  SCORPIO_ERR_INTERNAL = -22     /* a promise inside the library was broken: please report it */
};

#endif
