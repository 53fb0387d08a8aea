/** @file string_elements.h
 * Variables whose elements are strings of variable length (NC_STRING of netCDF-4), in HDF5 and netCDF-4
 * files.
 *
 * The metadata rank keeps their elements with the metadata of the file, in its memory until the next
 * synchronisation point. They are meant for names and descriptions, and not for large amounts of data.
 * scorpio_variable_inquire() returns SCORPIO_OPAQUE for such a variable. */
#ifndef SCORPIO_STRING_ELEMENTS_H
#define SCORPIO_STRING_ELEMENTS_H

#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Defines a variable of strings over named dimensions. Elements that are never put are empty.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] path The path of the variable.
 * @param[in] ndims The number of its dimensions; 0 for one element.
 * @param[in] dimensions [ndims] The ids of its dimensions, slowest first; may be NULL if `ndims` is 0.
 * @param[out] variable The id of the variable in this file.
 * @retval SCORPIO_ERR_TYPE The file is a classic one or has the classic model.
 * @retval SCORPIO_ERR_UNSUPPORTED The file is eager, or a dimension other than the first one is unlimited.
 * @retval SCORPIO_ERR_ARGUMENT `variable` or `dimensions` is NULL, or `ndims` is not possible.
 * @retval SCORPIO_ERR_HANDLE No dimension has one of these ids.
 * @retval SCORPIO_ERR_NAME The format cannot hold the path.
 * @retval SCORPIO_ERR_LIMIT More dimensions are unlimited than the library supports in one variable.
 * @retval SCORPIO_ERR_EXISTS An object has this path already.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_define_strings(scorpio_file* file, const char* path, int ndims,
                                                const int* dimensions, int* variable);

/** Returns whether the elements of a variable are strings of variable length.
 * @local
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[out] strings 1 or 0.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @retval SCORPIO_ERR_ARGUMENT `strings` is NULL.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_variable_strings_inquire(scorpio_file* file, int variable, int* strings);

/** Puts strings into a hyperslab of a variable, which all ranks pass equally. The next synchronisation point
 * writes them. This call is not one: it does not return failures of earlier puts.
 * @collective Over the ranks of the I/O system.
 * @cost A comparison and a broadcast.
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[in] start [ndims] The first element in each dimension; may be NULL if the variable has none.
 * @param[in] count [ndims] The number of elements in each dimension; may be NULL if the variable has none. A
 * put after the last record adds records.
 * @param[in] stride [ndims] The distance between elements in each dimension; NULL for 1.
 * @param[in] strings [product of `count`] On rank `root`, the strings in row-major order; NULL stands for an
 * empty one. The other ranks can pass NULL. The call copies them.
 * @param[in] root The rank of the I/O system whose strings are put.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @retval SCORPIO_ERR_TYPE The variable does not hold strings of variable length.
 * @retval SCORPIO_ERR_SHAPE The hyperslab exceeds the variable.
 * @retval SCORPIO_ERR_LIMIT The format cannot have as many records.
 * @retval SCORPIO_ERR_ARGUMENT `root` is no rank, or one of the pointers is NULL.
 * @retval SCORPIO_ERR_MISMATCH The ranks passed different hyperslabs, or are in different calls.
 * @retval SCORPIO_ERR_STATE This rank has ended its use of the file (scorpio_file_finish()).
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_strings_put(scorpio_file* file, int variable, const int64_t* start,
                                    const int64_t* count, const int64_t* stride, const char* const* strings,
                                    int root);

/** Gets the strings of a hyperslab of a variable, which all ranks pass equally, on all ranks.
 *
 * This is a synchronisation point: all ranks return the same code, which includes failures of puts since the
 * last one.
 * @collective Over the ranks of the I/O system.
 * @cost A comparison, an agreement and a broadcast. If the file is open for writing, a scorpio_file_sync()
 * precedes them; that values were clipped before is returned by the next synchronisation point all the same.
 * @param[in] file The file.
 * @param[in] variable The id of the variable.
 * @param[in] start [ndims] The first element in each dimension; may be NULL if the variable has none.
 * @param[in] count [ndims] The number of elements in each dimension; may be NULL if the variable has none.
 * @param[in] stride [ndims] The distance between elements in each dimension; NULL for 1.
 * @param[out] strings [product of `count`] Receives the strings in row-major order. The caller releases each
 * of them by free(). Not changed after a failure.
 * @retval SCORPIO_ERR_HANDLE No variable has this id.
 * @retval SCORPIO_ERR_TYPE The variable does not hold strings of variable length.
 * @retval SCORPIO_ERR_SHAPE The hyperslab exceeds the variable.
 * @retval SCORPIO_ERR_ARGUMENT One of the pointers is NULL.
 * @retval SCORPIO_ERR_MISMATCH The ranks passed different hyperslabs, or are in different calls.
 * @retval SCORPIO_ERR_FORMAT HDF5 cannot read the strings: the file is damaged.
 * @retval SCORPIO_ERR_STATE This rank has ended its use of the file (scorpio_file_finish()).
 * @retval SCORPIO_ERR_NO_SPACE As for scorpio_file_sync(), as is SCORPIO_ERR_IO, in a file that is open for
 * writing.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_strings_get(scorpio_file* file, int variable, const int64_t* start,
                                    const int64_t* count, const int64_t* stride, char** strings);

#ifdef __cplusplus
}
#endif

#endif
