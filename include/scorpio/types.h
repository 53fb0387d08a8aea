/** @file types.h
 * Handles, element types and other values that the functions share. */
#ifndef SCORPIO_TYPES_H
#define SCORPIO_TYPES_H

#include <stdint.h>

#ifndef SCORPIO_API
/** Marks the functions that the library exports. */
#define SCORPIO_API __attribute__((visibility("default")))
#endif

typedef struct scorpio_options scorpio_options; /**< A set of options: names and values. */
typedef struct scorpio_iosystem
    scorpio_iosystem;                         /**< A communicator, its I/O ranks and its staging memory. */
typedef struct scorpio_file scorpio_file;     /**< An open file. */
typedef struct scorpio_decomp scorpio_decomp; /**< A decomposition of a global array. */

/** Element types, in memory and in files. */
typedef enum scorpio_type {
  SCORPIO_INT8 = 1,     /**< signed 8-bit integer */
  SCORPIO_UINT8 = 2,    /**< unsigned 8-bit integer */
  SCORPIO_INT16 = 3,    /**< signed 16-bit integer */
  SCORPIO_UINT16 = 4,   /**< unsigned 16-bit integer */
  SCORPIO_INT32 = 5,    /**< signed 32-bit integer */
  SCORPIO_UINT32 = 6,   /**< unsigned 32-bit integer */
  SCORPIO_INT64 = 7,    /**< signed 64-bit integer */
  SCORPIO_UINT64 = 8,   /**< unsigned 64-bit integer */
  SCORPIO_FLOAT32 = 9,  /**< IEEE 754 single precision */
  SCORPIO_FLOAT64 = 10, /**< IEEE 754 double precision */
  SCORPIO_TEXT = 11,    /**< character strings of a fixed length, which is given with the definition */
  SCORPIO_OPAQUE = 12   /**< bytes without an interpretation, of a length that is given with the definition */
} scorpio_type;

/** The mode in which a file is open. */
typedef enum scorpio_open_mode {
  SCORPIO_READ = 0, /**< The file is open for reading. */
  SCORPIO_WRITE = 1 /**< The file is open for reading and writing. */
} scorpio_open_mode;

/** Where the value of an option comes from; a later one takes precedence. */
typedef enum scorpio_option_origin {
  SCORPIO_ORIGIN_DEFAULT = 0,       /**< It is the default. */
  SCORPIO_ORIGIN_CONFIGURATION = 1, /**< It is in the configuration file that SCORPIO_CONFIG names. */
  SCORPIO_ORIGIN_ENVIRONMENT = 2,   /**< The environment variable SCORPIO_<NAME> has it. */
  SCORPIO_ORIGIN_RULE = 3,          /**< A rule of the option file_options gives it to this file. */
  SCORPIO_ORIGIN_PROGRAM = 4        /**< The program has set it with scorpio_options_set(). */
} scorpio_option_origin;

/** The kind of an object. */
typedef enum scorpio_object_kind {
  SCORPIO_OBJECT_NONE = 0,     /**< There is no object. */
  SCORPIO_OBJECT_GROUP = 1,    /**< The object is a group. */
  SCORPIO_OBJECT_VARIABLE = 2, /**< The object is a variable. */
  SCORPIO_OBJECT_LINK =
      3 /**< The object is a soft link; where links are followed, its target does not exist. */
} scorpio_object_kind;

/** The format of a file. */
typedef enum scorpio_format {
  SCORPIO_FORMAT_DEFAULT = 0, /**< A new file has the format that the option `format` names. */
  SCORPIO_FORMAT_HDF5 = 1,    /**< HDF5 */
  SCORPIO_FORMAT_CDF1 = 2,    /**< netCDF classic */
  SCORPIO_FORMAT_CDF2 = 3,    /**< netCDF with 64-bit offsets */
  SCORPIO_FORMAT_CDF5 = 4,    /**< netCDF with 64-bit data */
  SCORPIO_FORMAT_NETCDF4 = 5  /**< netCDF-4: HDF5 with the conventions of netCDF-C */
} scorpio_format;

/** How the elements of a variable lie in the file. */
typedef enum scorpio_storage {
  SCORPIO_STORAGE_UNKNOWN =
      0, /**< It is not known, because HDF5 does not open the variable or report its layout. */
  SCORPIO_STORAGE_CONTIGUOUS = 1, /**< They lie one after the other, in row-major order. */
  SCORPIO_STORAGE_RECORDS =
      2, /**< They lie by records, which alternate with those of other record variables (classic). */
  SCORPIO_STORAGE_CHUNKED =
      3, /**< They lie in chunks of equal extents, to which filters may have been applied. */
  SCORPIO_STORAGE_COMPACT = 4,  /**< They are part of the metadata of the variable (HDF5's compact layout). */
  SCORPIO_STORAGE_EXTERNAL = 5, /**< They are in other files, as raw data. */
  SCORPIO_STORAGE_VIRTUAL =
      6 /**< They are in other variables, of this or other files (HDF5's virtual layout). */
} scorpio_storage;

/** The byte order of numbers in a file. The values are those of netCDF-C. */
typedef enum scorpio_endianness {
  SCORPIO_ENDIAN_NATIVE = 0, /**< It is that of this machine, or the elements have none, such as text. */
  SCORPIO_ENDIAN_LITTLE = 1, /**< The least significant byte is the first one. */
  SCORPIO_ENDIAN_BIG = 2     /**< The most significant byte is the first one. */
} scorpio_endianness;

/** The id of the root group, to which the global attributes of a file belong (NC_GLOBAL). */
#define SCORPIO_GLOBAL (-1)

/** The length of an unlimited dimension, along which records can be appended (NC_UNLIMITED). */
#define SCORPIO_UNLIMITED (-1)

#endif
