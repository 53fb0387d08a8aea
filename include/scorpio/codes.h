/** @file codes.h
 * Status codes. Every function of the library returns one: 0 is success, all others are negative. A code
 * never changes its meaning between releases. */
#ifndef SCORPIO_CODES_H
#define SCORPIO_CODES_H

/** What a call returned. Every function that takes a handle or a pointer can return SCORPIO_ERR_ARGUMENT and
 * SCORPIO_ERR_HANDLE; every function can return SCORPIO_ERR_MEMORY and SCORPIO_ERR_INTERNAL. The reference of
 * a function lists its other codes. */
enum scorpio_code {
  SCORPIO_OK = 0,              /**< The call succeeded. */
  SCORPIO_ERR_ARGUMENT = -1,   /**< An argument is out of its range, or NULL where a value is needed. */
  SCORPIO_ERR_HANDLE = -2,     /**< A handle or an id does not exist, or does not exist any more. */
  SCORPIO_ERR_NAME = -3,       /**< The format cannot hold this name or path. */
  SCORPIO_ERR_NOT_FOUND = -4,  /**< There is no such file, group, variable, dimension or attribute. */
  SCORPIO_ERR_EXISTS = -5,     /**< An object of this name exists already. */
  SCORPIO_ERR_TYPE = -6,       /**< The element types cannot be converted into each other. */
  SCORPIO_ERR_SHAPE = -7,      /**< Extents do not match, or an index or a record lies outside of them. */
  SCORPIO_ERR_RANGE = -8,      /**< All data were moved; values that the new type cannot hold were clipped. */
  SCORPIO_ERR_STATE = -9,      /**< The call is not possible in this state, for example in define mode. */
  SCORPIO_ERR_READ_ONLY = -10, /**< The file was opened for reading. */
  SCORPIO_ERR_MISMATCH = -11,  /**< Ranks passed different arguments, or made different collective calls. */
  SCORPIO_ERR_LIMIT = -12,     /**< A limit of the format, of an option or of the system was exceeded. */
  SCORPIO_ERR_MEMORY = -13,    /**< Private or shared memory could not be allocated. */
  SCORPIO_ERR_NO_SPACE = -14,  /**< The file system is full, or a quota is used up. */
  SCORPIO_ERR_PERMISSION = -15,  /**< The file system refused the access. */
  SCORPIO_ERR_IO = -16,          /**< A system call on the file failed. */
  SCORPIO_ERR_FORMAT = -17,      /**< The file is damaged, or not of a format that the library reads. */
  SCORPIO_ERR_UNSUPPORTED = -18, /**< This build or this format cannot do it. */
  SCORPIO_ERR_BUSY = -19,        /**< Another job, or another handle, is writing the file. */
  SCORPIO_ERR_MPI = -20,         /**< An MPI call failed. */
  SCORPIO_ERR_ABORTED = -21,     /**< The call was given up because another rank failed. */
  SCORPIO_ERR_INTERNAL = -22,    /**< An assertion inside the library failed; please report it. */
  SCORPIO_ERR_POSTED = -23       /**< The call has done its work; an earlier file, whose close was posted
                                    (option `close`), could not be completed. */
};

#endif
