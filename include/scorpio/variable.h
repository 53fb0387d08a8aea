/** @file variable.h
 * Variables: their definition, inquiry and fill values. define.h says when definitions are possible. */
#ifndef SCORPIO_VARIABLE_H
#define SCORPIO_VARIABLE_H

#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Defines a variable of a numeric type by its extents, and its missing parent groups.
 *
 * In the classic formats and in format netcdf4 each dimension has a name: the call uses the dimension
 * "dim_<extent>" for each extent, and defines it if it does not exist. In a file of format hdf5 the
 * dimensions of the variable have no names; programs that read it by netCDF-4 see "phony_dim_<number>".
 * Variables that share dimensions, coordinate variables and record variables need
 * scorpio_variable_define_on().
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] path The path of the variable.
 * @param[in] type Its element type. scorpio_variable_define_sized() defines variables of text and opaque
 * elements.
 * @param[in] ndims The number of its dimensions; 0 for one element.
 * @param[in] dims [ndims] Its extents in elements, slowest dimension first; may be NULL if `ndims` is 0.
 * @param[out] variable The id of the variable in this file, 0 or more. Ids do not change while the file is
 * open.
 * @retval SCORPIO_ERR_EXISTS An object has this path already.
 * @retval SCORPIO_ERR_NAME The format cannot hold the path.
 * @retval SCORPIO_ERR_TYPE The format has no such type.
 * @retval SCORPIO_ERR_LIMIT The variable is too large, or the format allows no more variables.
 * @retval SCORPIO_ERR_UNSUPPORTED The path contains a group, and the format has no groups.
 * @retval SCORPIO_ERR_STATE A classic file is not in define mode.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_define(scorpio_file* file, const char* path, scorpio_type type, int ndims,
                                        const int64_t* dims, int* variable);

/** Defines a variable over named dimensions.
 *
 * In HDF5 files up to 8 dimensions of a variable can be unlimited, in any place. A variable with an unlimited
 * dimension that is not the first one has in the file the extents up to which it was put; elements beyond
 * them are read as its fill value, up to the lengths of the dimensions.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] path The path of the variable.
 * @param[in] type Its element type; SCORPIO_TEXT stands for single characters (NC_CHAR).
 * @param[in] ndims The number of its dimensions; 0 for one element.
 * @param[in] dimensions [ndims] The ids of its dimensions, slowest first; may be NULL if `ndims` is 0.
 * @param[out] variable The id of the variable in this file.
 * @retval SCORPIO_ERR_HANDLE No dimension has one of these ids.
 * @retval SCORPIO_ERR_SHAPE An unlimited dimension is not the first one, and the format is a classic one; or
 * it is an HDF5 format, and another dimension has length 0.
 * @retval SCORPIO_ERR_EXISTS As for scorpio_variable_define(), as are SCORPIO_ERR_NAME, SCORPIO_ERR_TYPE,
 *         SCORPIO_ERR_LIMIT, SCORPIO_ERR_UNSUPPORTED, SCORPIO_ERR_STATE and SCORPIO_ERR_READ_ONLY.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_define_on(scorpio_file* file, const char* path, scorpio_type type, int ndims,
                                           const int* dimensions, int* variable);

/** Defines a variable whose elements are strings of fixed length (SCORPIO_TEXT) or opaque bytes
 * (SCORPIO_OPAQUE), by its extents.
 *
 * The classic formats have only single characters. There, strings of length n are a variable of characters
 * whose last dimension has length n.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] path The path of the variable.
 * @param[in] type Its element type.
 * @param[in] element_bytes The length of an element in bytes; not used for numeric types.
 * @param[in] ndims The number of its dimensions; 0 for one element.
 * @param[in] dims [ndims] Its extents in elements, slowest dimension first; may be NULL if `ndims` is 0.
 * @param[out] variable The id of the variable in this file.
 * @retval SCORPIO_ERR_ARGUMENT `element_bytes` is 0.
 * @retval SCORPIO_ERR_EXISTS As for scorpio_variable_define(), as are SCORPIO_ERR_NAME, SCORPIO_ERR_TYPE,
 *         SCORPIO_ERR_LIMIT, SCORPIO_ERR_UNSUPPORTED, SCORPIO_ERR_STATE and SCORPIO_ERR_READ_ONLY.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_define_sized(scorpio_file* file, const char* path, scorpio_type type,
                                              size_t element_bytes, int ndims, const int64_t* dims,
                                              int* variable);

/** Defines a variable whose elements are strings of fixed length or opaque bytes, over named dimensions.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] path The path of the variable.
 * @param[in] type Its element type.
 * @param[in] element_bytes The length of an element in bytes; not used for numeric types.
 * @param[in] ndims The number of its dimensions; 0 for one element.
 * @param[in] dimensions [ndims] The ids of its dimensions, slowest first; may be NULL if `ndims` is 0.
 * @param[out] variable The id of the variable in this file.
 * @retval SCORPIO_ERR_ARGUMENT `element_bytes` is 0.
 * @retval SCORPIO_ERR_HANDLE No dimension has one of these ids.
 * @retval SCORPIO_ERR_SHAPE As for scorpio_variable_define_on().
 * @retval SCORPIO_ERR_EXISTS As for scorpio_variable_define(), as are SCORPIO_ERR_NAME, SCORPIO_ERR_TYPE,
 *         SCORPIO_ERR_LIMIT, SCORPIO_ERR_UNSUPPORTED, SCORPIO_ERR_STATE and SCORPIO_ERR_READ_ONLY.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_define_sized_on(scorpio_file* file, const char* path, scorpio_type type,
                                                 size_t element_bytes, int ndims, const int* dimensions,
                                                 int* variable);

/** Finds a variable by its path. Soft links are followed.
 * @local In an eager file the call is collective, with equal arguments on all ranks.
 * @param[in] file The file.
 * @param[in] path The path of the variable.
 * @param[out] variable The id of the variable.
 * @retval SCORPIO_ERR_NOT_FOUND No variable has this path.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_find(scorpio_file* file, const char* path, int* variable);

/** Returns the current path of a variable. Ids stay valid when other variables are removed.
 * @local
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[out] path [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `path` in bytes.
 * @param[out] length The length of the whole path in bytes, without the NUL; may be NULL.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_path(scorpio_file* file, int variable, char* path, size_t capacity,
                                      size_t* length);

/** Returns the type and the extents of a variable. Output arguments may be NULL.
 * @local
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[out] type Its element type.
 * @param[out] element_bytes The length of an element in bytes.
 * @param[out] ndims The number of its dimensions.
 * @param[out] dims [capacity] The first `capacity` extents; an unlimited dimension has the number of records
 * so far.
 * @param[in] capacity The number of elements of `dims`.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_inquire(scorpio_file* file, int variable, scorpio_type* type,
                                         size_t* element_bytes, int* ndims, int64_t* dims, int capacity);

/** Returns a description of the type of a variable, as the file has it.
 *
 * It says what scorpio_variable_inquire() cannot: the members of a compound with the bytes at which they
 * begin ("compound {x: float64 at 0, n: int32 at 8} of 16 bytes"), the names and values of an enumeration
 * ("enumeration of int8 {FALSE: 0, TRUE: 1}"), the extents of an array ("array [2][3] of float32"), what a
 * sequence of variable length holds. Other types are described as "int32", "float64 (big-endian)" or
 * "text[12]". If a type has more than 256 members, the description lists the first 256 and the number of the
 * others.
 * @local
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[out] text [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `text` in bytes.
 * @param[out] length The length of the whole text in bytes, without the NUL; may be NULL.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_type_describe(scorpio_file* file, int variable, char* text, size_t capacity,
                                               size_t* length);

/** Returns whether the elements of a variable can be read and written. Output arguments may be NULL.
 *
 * Elements of compounds, arrays and other types that have no scorpio_type are read and written as the bytes
 * that the file has of them: scorpio_variable_inquire() returns SCORPIO_OPAQUE and their length, and
 * scorpio_variable_type_describe() their members; elements of enumerations are integers. A variable cannot
 * be read if a part of its elements has a variable length or is a reference, which only HDF5 itself reads, if
 * its elements are strings of variable length
 * (which only scorpio_strings_get() and scorpio_strings_put() access), if a filter was applied to its chunks
 * that neither this library nor the HDF5 library of this program has, or if HDF5 cannot open it. A variable
 * of a file that was opened cannot be written if it is compact, external or virtual, if a filter was applied
 * to its chunks that this library does not have, if it has chunks and the file is eager, if it is
 * another name (a hard link) of a variable that has chunks or no space in the file, or if the file was opened
 * for reading. A contiguous variable that another program has defined without writing data is read as
 * its fill value, and gets space in the file when it is put. The result is the same on all ranks.
 * @local
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[out] readable 1, or 0: every get of the variable fails with the text `reason`.
 * @param[out] writable 1, or 0: every put of the variable fails with the text `reason`.
 * @param[out] reason [capacity] Receives a NUL-terminated copy of the reason, that of reading first, which is
 * cut if it does not fit; empty if the variable can be read and written.
 * @param[in] capacity The size of `reason` in bytes.
 * @param[out] length The length of the whole reason in bytes, without the NUL.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_access_inquire(scorpio_file* file, int variable, int* readable,
                                                int* writable, char* reason, size_t capacity, size_t* length);

/** Stores a variable in chunks: boxes of equal extents, each of which is written as a whole by one I/O rank.
 *
 * A chunk at the end of a dimension has its full size in the file; its elements outside of the variable hold
 * the fill value. A chunk of which no element is written takes no space. Puts that cover whole chunks are the
 * fastest: the parts of an incomplete chunk are kept in memory until the other parts are put, as far as the
 * option chunk_bytes allows. Chunked variables of a file that was opened are read and written in the same
 * way, if this library has their filters.
 * @local This is a definition, made before data are moved.
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[in] chunk [ndims] The extents of a chunk in elements, slowest dimension first: no more than those of
 * the variable, unless the dimension is unlimited. 0: the library chooses it by the option chunk_goal.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @retval SCORPIO_ERR_SHAPE The extents do not fit the variable.
 * @retval SCORPIO_ERR_LIMIT A chunk is larger than 4 GiB.
 * @retval SCORPIO_ERR_STATE The variable may have data already.
 * @retval SCORPIO_ERR_UNSUPPORTED The format has no chunks, or the file is eager.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_define_chunks(scorpio_file* file, int variable, const int64_t* chunk);

/** Sets the filters that are applied, in this order, to the chunks of a variable when they are written.
 *
 * A filter is applied to all chunks, also where the result is a few bytes longer; only zfp is left out where
 * its result would be longer, or outside the bound that was asked. Every HDF5 library that was
 * built with zlib can read chunks with the filters 1 (deflate), 2 (shuffle) and 3 (fletcher32, a checksum).
 * For 32001 (blosc), 32013 (zfp) and 32015 (zstd), which SCORPIO has if their libraries were found when it
 * was built, a reader needs plugins of HDF5.
 *
 * zfp is lossy but for its reversible mode. Each chunk is decoded for comparison, and is stored without zfp
 * if an element would differ by more than the tolerance, if the fill value, a value of the attributes
 * _FillValue and missing_value, an infinity or NaN would change or another element would become one of them,
 * or if the chunk was stored before and only a part of it is put. Bits of precision set no limit to the
 * error, and a large value takes the digits of its neighbours: a chunk that holds one of these values, also
 * as the padding at the end of a dimension, is then stored without zfp. The counter `lossless_chunks` counts
 * the chunks without zfp. The variable gets the attribute lossy_error_absolute, the largest error of an
 * element, which synchronisation points and the close bring up to date, with a tolerance
 * lossy_bound_absolute, and lossless_chunks if it has chunks without zfp (docs/options.md, Errors of lossy
 * variables). Put whole chunks at once, and let a lossless filter follow for chunks with missing values; zfp
 * must be the first filter. It takes SCORPIO_FLOAT32, SCORPIO_FLOAT64, SCORPIO_INT32 and SCORPIO_INT64.
 * @local This is a definition, made before data are moved.
 * @param[in] file The file.
 * @param[in] variable The id of the variable, which is stored in chunks.
 * @param[in] nfilters The number of filters; 0 for none.
 * @param[in] filters [nfilters] Their numbers as HDF5 registers them, each at most once.
 * @param[in] parameters [nfilters] The parameter of each filter: for deflate the level, 0 to 9; for zstd the
 * level, 1 to 22; for blosc level + 10 * shuffle (0 none, 1 bytes, 2 bits) + 100 * compressor (0 blosclz, 1
 * lz4, 2 lz4hc, 4 zlib, 5 zstd); for zfp 1 to 63 for this number of bits of precision (no bound), 100 for the
 * reversible mode, or 2000 + e, e = -1074 to 1023, for errors of at most 2^e; for shuffle and fletcher32 0.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @retval SCORPIO_ERR_ARGUMENT The variable is not stored in chunks, a filter does not take its parameter or
 * is given more than once, or zfp is not the first filter.
 * @retval SCORPIO_ERR_STATE The variable may have data already.
 * @retval SCORPIO_ERR_TYPE zfp cannot encode the type.
 * @retval SCORPIO_ERR_UNSUPPORTED A filter is not built in.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_define_filters(scorpio_file* file, int variable, int nfilters,
                                                const int* filters, const int* parameters);

/** The methods of rounding elements before their filters are applied. The values are those of netCDF-C. */
typedef enum scorpio_quantization {
  SCORPIO_QUANTIZE_NONE = 0,     /**< no rounding */
  SCORPIO_QUANTIZE_BITGROOM = 1, /**< significant decimal digits: bits are set to zero and one in turn */
  SCORPIO_QUANTIZE_GRANULAR_BITROUND =
      2,                        /**< significant decimal digits, for each element with the bits it needs */
  SCORPIO_QUANTIZE_BITROUND = 3 /**< bits of the mantissa */
} scorpio_quantization;

/** Rounds the elements of a variable when they are written, so that filters make its chunks much smaller.
 *
 * The file then holds other numbers than those that are put: with SCORPIO_QUANTIZE_BITGROOM each differs by
 * at most 10^-digits / 2 of its magnitude, with SCORPIO_QUANTIZE_GRANULAR_BITROUND by at most half of its
 * last decimal digit, with SCORPIO_QUANTIZE_BITROUND by at most 2^-(digits + 1) of its magnitude. The fill
 * value, the values of the attributes _FillValue and missing_value, zeros, infinite and subnormal numbers and
 * NaN keep all bits, and no other number is rounded to one of them. The variable gets the attribute of
 * netCDF-C, for example _QuantizeBitRoundNumberOfSignificantBits, and lossy_bound_relative,
 * lossy_error_relative and lossy_error_absolute: the bound, and the largest errors so far, which
 * synchronisation points and the close bring up to date (docs/options.md, Errors of lossy variables). A
 * variable in chunks that has such an attribute when its first data are put in this program is quantised,
 * also in an opened file.
 * @local This is a definition, made before data are moved.
 * @param[in] file The file.
 * @param[in] variable The id of the variable, which is stored in chunks.
 * @param[in] mode The method; SCORPIO_QUANTIZE_NONE removes the attribute.
 * @param[in] digits The decimal digits that are kept: 1 to 7 of SCORPIO_FLOAT32, 1 to 15 of SCORPIO_FLOAT64;
 * with SCORPIO_QUANTIZE_BITROUND the bits: 1 to 23, 1 to 52. Ignored with SCORPIO_QUANTIZE_NONE.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @retval SCORPIO_ERR_ARGUMENT The variable is not stored in chunks, or the mode or the number of digits is
 * not possible.
 * @retval SCORPIO_ERR_TYPE The variable does not hold floating-point numbers.
 * @retval SCORPIO_ERR_STATE The variable may have data already.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_define_quantization(scorpio_file* file, int variable,
                                                     scorpio_quantization mode, int digits);

/** Sets the byte order in which the numbers of a variable are stored. Puts and gets convert them.
 *
 * Without this call it is the byte order of the machine that creates the file. Classic files are big-endian.
 * @local This is a definition, made before data are moved.
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[in] endianness The byte order.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @retval SCORPIO_ERR_ARGUMENT `endianness` is not one of these values.
 * @retval SCORPIO_ERR_TYPE The elements are not numbers, or a filter of the variable cannot encode them in
 * this byte order (zfp).
 * @retval SCORPIO_ERR_STATE The variable may have data already.
 * @retval SCORPIO_ERR_UNSUPPORTED The format defines the byte order, or the file is eager.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_define_endianness(scorpio_file* file, int variable,
                                                   scorpio_endianness endianness);

/** Returns the byte order in which the numbers of a variable are stored. The result is the same on all ranks.
 * @local
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[out] endianness SCORPIO_ENDIAN_LITTLE or SCORPIO_ENDIAN_BIG; SCORPIO_ENDIAN_NATIVE if the elements
 * are not numbers.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @retval SCORPIO_ERR_ARGUMENT `endianness` is NULL.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_endianness(scorpio_file* file, int variable, scorpio_endianness* endianness);

/** Returns how the elements of a variable are stored in the file. Output arguments may be NULL. The result is
 * the same on all ranks. It does not change any more once data of the variable have been moved.
 * @local
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[out] storage The form of the storage.
 * @param[out] chunk [capacity] The extents of a chunk in elements along the first `capacity` dimensions of a
 * chunked variable; not changed in other forms.
 * @param[in] capacity The number of elements of `chunk`.
 * @param[out] filters [filter_capacity] The first `filter_capacity` filters that are applied when chunks are
 * written, in this order, by their numbers in HDF5: 1 is deflate, 2 is shuffle.
 * @param[in] filter_capacity The number of elements of `filters`.
 * @param[out] nfilters The number of filters; 0 in other forms.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_storage(scorpio_file* file, int variable, scorpio_storage* storage,
                                         int64_t* chunk, int capacity, int* filters, int filter_capacity,
                                         int* nfilters);

/** Returns the filters that are applied to the chunks of a variable when they are written, in this order,
 * with the parameters of scorpio_variable_define_filters(). Output arguments may be NULL. The result is the
 * same on all ranks.
 * @local
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[out] filters [capacity] The numbers of the first `capacity` filters in HDF5.
 * @param[out] parameters [capacity] Their parameters, for example the level of deflate; 0 for a filter that
 * has none, or that this library does not have.
 * @param[in] capacity The number of elements of `filters` and `parameters`.
 * @param[out] nfilters The number of filters; 0 if the variable is not stored in chunks.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_filters(scorpio_file* file, int variable, int* filters, int* parameters,
                                         int capacity, int* nfilters);

/** Returns the ids of the dimensions of a variable.
 * @local
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[out] dimensions [capacity] The first `capacity` ids; -1 for a dimension without a name.
 * @param[in] capacity The number of elements of `dimensions`.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_dimensions(scorpio_file* file, int variable, int* dimensions, int capacity);

/** Returns which dimensions of a variable are unlimited.
 *
 * In HDF5 files of other programs this can also be dimensions without names, along which puts extend the
 * variable alone.
 * @local
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[out] unlimited [capacity] For each of the first `capacity` dimensions: 1 if it is unlimited, else 0.
 * @param[in] capacity The number of elements of `unlimited`.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_unlimited(scorpio_file* file, int variable, int* unlimited, int capacity);

/** Renames a variable within its group: the name "temp" makes "/a/t" to "/a/temp".
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[in] name The new name, without a group.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @retval SCORPIO_ERR_EXISTS An object has this path already.
 * @retval SCORPIO_ERR_NAME The format cannot hold the name.
 * @retval SCORPIO_ERR_STATE A classic file is not in define mode, and the name is longer than before and than
 * the metadata have room for.
 * @retval SCORPIO_ERR_UNSUPPORTED The file is eager.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_rename(scorpio_file* file, int variable, const char* name);

/** Sets the fill mode and the fill value of a variable before it has data.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[in] filled 1: elements that no rank writes get the fill value; 0: they do not.
 * @param[in] value One element of the variable's own type, which also becomes its attribute _FillValue. The
 * value is not converted: a variable of SCORPIO_FLOAT32 needs a `float`. NULL stands for the value of that
 * attribute or, without it, the default of netCDF for the type.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @retval SCORPIO_ERR_STATE The variable may have data already, as all variables of an opened file.
 * @retval SCORPIO_ERR_UNSUPPORTED The file is eager, whose variables cannot be filled.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_fill_define(scorpio_file* file, int variable, int filled, const void* value);

/** Returns the fill mode and the fill value of a variable. Classic files do not store the fill mode: it is
 * off for all variables of such a file that was opened. In an opened HDF5 or netCDF-4 file it is on for a
 * variable that has a fill value of its own and a fill time other than NEVER.
 * @local
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[out] filled 1 or 0; may be NULL.
 * @param[out] value [capacity_bytes] One element of the variable's type; may be NULL.
 * @param[in] capacity_bytes The size of `value` in bytes.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @retval SCORPIO_ERR_ARGUMENT `value` is too small for an element.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_fill_inquire(scorpio_file* file, int variable, int* filled, void* value,
                                              size_t capacity_bytes);

#ifdef __cplusplus
}
#endif

#endif
