/** @file attribute.h
 * Attributes of variables, groups and the file. define.h says when definitions are possible. `object` is the
 * path of a group or variable in all functions; "/" stands for the file. */
#ifndef SCORPIO_ATTRIBUTE_H
#define SCORPIO_ATTRIBUTE_H

#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Creates or replaces an attribute.
 *
 * A text is one element whose length is that of the text; an empty text has `ndims` 1, `dims` {0} and
 * `element_bytes` 1.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] object The path of the group or variable.
 * @param[in] name The name of the attribute. `_FillValue` of a variable must be one value of the variable's
 * type.
 * @param[in] type The type of `value`, as which it is stored.
 * @param[in] element_bytes The length of an element in bytes; used for SCORPIO_TEXT and SCORPIO_OPAQUE alone.
 * @param[in] ndims The number of dimensions; 0 for one element.
 * @param[in] dims [ndims] The extents; may be NULL if `ndims` is 0.
 * @param[in] value The elements in row-major order; copied.
 * @retval SCORPIO_ERR_NOT_FOUND No group or variable has this path.
 * @retval SCORPIO_ERR_NAME The format cannot hold the name.
 * @retval SCORPIO_ERR_TYPE The format has no such type, or the type does not suit `_FillValue`.
 * @retval SCORPIO_ERR_LIMIT The value is too large for the format.
 * @retval SCORPIO_ERR_STATE A classic file is not in define mode, and the value needs more space than before.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_put(scorpio_file* file, const char* object, const char* name,
                                      scorpio_type type, size_t element_bytes, int ndims, const int64_t* dims,
                                      const void* value);

/** Returns the type and the extents of an attribute. Output arguments may be NULL.
 * @local In an eager file the call is collective.
 * @param[in] file The file.
 * @param[in] object The path of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[out] type Its element type.
 * @param[out] element_bytes The length of an element in bytes.
 * @param[out] ndims The number of its dimensions.
 * @param[out] dims [capacity] The first `capacity` extents.
 * @param[in] capacity The number of elements of `dims`.
 * @retval SCORPIO_ERR_NOT_FOUND There is no such object or attribute; the text says which.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_inquire(scorpio_file* file, const char* object, const char* name,
                                          scorpio_type* type, size_t* element_bytes, int* ndims,
                                          int64_t* dims, int capacity);

/** Reads the value of an attribute and converts it to `type`. Text and opaque elements are returned as
 * stored.
 * @local In an eager file the call is collective.
 * @param[in] file The file.
 * @param[in] object The path of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[in] type The type of `value`.
 * @param[out] value [capacity_bytes] The elements in row-major order.
 * @param[in] capacity_bytes The size of `value` in bytes.
 * @retval SCORPIO_ERR_NOT_FOUND There is no such object or attribute; the text says which.
 * @retval SCORPIO_ERR_TYPE The stored type cannot be converted to `type`.
 * @retval SCORPIO_ERR_ARGUMENT `value` is too small.
 * @retval SCORPIO_ERR_RANGE Values did not fit `type` and were clipped.
 * @retval SCORPIO_ERR_UNSUPPORTED The library cannot hold the stored type.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_get(scorpio_file* file, const char* object, const char* name,
                                      scorpio_type type, void* value, size_t capacity_bytes);

/** Returns whether scorpio_attribute_get() can read the value of an attribute. Output arguments may be NULL.
 * @local In an eager file the call is collective.
 * @param[in] file The file.
 * @param[in] object The path of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[out] readable 1, or 0: every get of the value fails with the text `reason`.
 * @param[out] reason [capacity] Receives a NUL-terminated copy of the reason, which is cut if it does not
 * fit; empty if the value can be read.
 * @param[in] capacity The size of `reason` in bytes.
 * @param[out] length The length of the whole reason in bytes, without the NUL.
 * @retval SCORPIO_ERR_NOT_FOUND There is no such object or attribute; the text says which.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_access_inquire(scorpio_file* file, const char* object, const char* name,
                                                 int* readable, char* reason, size_t capacity,
                                                 size_t* length);

/** Returns the number of attributes of an object.
 * @local
 * @param[in] file The file.
 * @param[in] object The path of the group or variable.
 * @param[out] count The number of attributes.
 * @retval SCORPIO_ERR_NOT_FOUND No group or variable has this path.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_count(scorpio_file* file, const char* object, int* count);

/** Returns the name of the attribute at a position, in the order of definition.
 * @local
 * @param[in] file The file.
 * @param[in] object The path of the group or variable.
 * @param[in] i The position, from 0 to count - 1.
 * @param[out] name [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `name` in bytes.
 * @param[out] length The length of the whole name in bytes, without the NUL; may be NULL.
 * @retval SCORPIO_ERR_NOT_FOUND No group or variable has this path.
 * @retval SCORPIO_ERR_ARGUMENT There is no attribute at this position.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_name(scorpio_file* file, const char* object, int i, char* name,
                                       size_t capacity, size_t* length);

/** Renames an attribute.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] object The path of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[in] new_name The new name.
 * @retval SCORPIO_ERR_NOT_FOUND There is no such object or attribute; the text says which.
 * @retval SCORPIO_ERR_EXISTS Another attribute of the object has this name.
 * @retval SCORPIO_ERR_NAME The format cannot hold the name.
 * @retval SCORPIO_ERR_STATE A classic file is not in define mode, and the name is longer than before.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_rename(scorpio_file* file, const char* object, const char* name,
                                         const char* new_name);

/** Removes an attribute.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] object The path of the group or variable.
 * @param[in] name The name of the attribute.
 * @retval SCORPIO_ERR_NOT_FOUND There is no such object or attribute; the text says which.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_remove(scorpio_file* file, const char* object, const char* name);

#ifdef __cplusplus
}
#endif

#endif
