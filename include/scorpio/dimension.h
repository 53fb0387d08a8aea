/** @file dimension.h
 * Named dimensions. define.h says when definitions are possible. */
#ifndef SCORPIO_DIMENSION_H
#define SCORPIO_DIMENSION_H

#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Defines a named dimension, in the root group or, by a path, in another group, which is created if it is
 * missing.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] name The name of the dimension, or its path: "/grid/x" belongs to the group "/grid".
 * @param[in] length Its length in elements, or SCORPIO_UNLIMITED: puts can extend it. The classic formats
 * have one unlimited dimension, which is the first one of variables; HDF5 has any number, in any place.
 * @param[out] dimension The id of the dimension in this file: 0, 1, ...
 * @retval SCORPIO_ERR_EXISTS A dimension of the group has this name already; in HDF5 files also a group
 * or a link.
 * @retval SCORPIO_ERR_NAME The format cannot hold the name.
 * @retval SCORPIO_ERR_UNSUPPORTED The path contains a group, and the format has no groups; or the file is
 * eager, and the dimension is unlimited.
 * @retval SCORPIO_ERR_LIMIT The length or the number of dimensions exceeds a limit of the format.
 * @retval SCORPIO_ERR_STATE A classic file is not in define mode.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_dimension_define(scorpio_file* file, const char* name, int64_t length,
                                         int* dimension);

/** Finds a dimension by its name or path.
 *
 * NetCDF-4 files can have dimensions of one name in several groups, each with its own id.
 * @local
 * @param[in] file The file.
 * @param[in] name A path ("grid/x"), or a name: it is looked up in the root group, and then stands for the
 * first dimension of this name in any group.
 * @param[out] dimension The id of the dimension.
 * @retval SCORPIO_ERR_NOT_FOUND No dimension has this name.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_dimension_find(scorpio_file* file, const char* name, int* dimension);

/** Returns the properties of a dimension. Output arguments may be NULL.
 * @local
 * @param[in] file The file.
 * @param[in] dimension The id of the dimension.
 * @param[out] name [capacity] Receives a NUL-terminated copy of the name, which is cut if it does not fit.
 * @param[in] capacity The size of `name` in bytes.
 * @param[out] name_length The length of the whole name in bytes, without the NUL.
 * @param[out] extent The length in elements; of an unlimited dimension the number of records so far.
 * @param[out] unlimited 1 if the dimension is unlimited, else 0.
 * @retval SCORPIO_ERR_HANDLE No dimension has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_dimension_inquire(scorpio_file* file, int dimension, char* name, size_t capacity,
                                          size_t* name_length, int64_t* extent, int* unlimited);

/** Returns the path of a dimension: "/x" in the root group, "/grid/x" in another group.
 * @local
 * @param[in] file The file.
 * @param[in] dimension The id of the dimension.
 * @param[out] path [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `path` in bytes.
 * @param[out] length The length of the whole path in bytes, without the NUL; may be NULL.
 * @retval SCORPIO_ERR_HANDLE No dimension has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_dimension_path(scorpio_file* file, int dimension, char* path, size_t capacity,
                                       size_t* length);

/** Returns the number of dimensions of all groups.
 * @local
 * @param[in] file The file.
 * @param[out] count The number of dimensions; their ids are 0 to count - 1.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_dimension_count(scorpio_file* file, int* count);

/** Renames a dimension for all variables that use it.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] dimension The id of the dimension.
 * @param[in] name The new name.
 * @retval SCORPIO_ERR_HANDLE No dimension has this id.
 * @retval SCORPIO_ERR_EXISTS Another dimension has this name.
 * @retval SCORPIO_ERR_NAME The format cannot hold the name.
 * @retval SCORPIO_ERR_STATE A classic file is not in define mode, and the name is longer than before and than
 * the metadata have room for.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_dimension_rename(scorpio_file* file, int dimension, const char* name);

#ifdef __cplusplus
}
#endif

#endif
