/** @file attribute.h
 * Attributes of variables, groups and the file. define.h says when definitions are possible. `object` is the
 * id of a variable or group in all functions; ::SCORPIO_GLOBAL stands for the file (group.h). */
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
 * `element_bytes` 1 (HDF5 files hold it as one NUL, those of format netcdf4 without a value, as netCDF-C
 * writes it). scorpio_attribute_put_text() and scorpio_attribute_put_values() are short forms.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] name The name of the attribute. `_FillValue` of a variable must be one value of the variable's
 * type.
 * @param[in] stored The type in the file.
 * @param[in] element_bytes The length of an element in bytes; used only for SCORPIO_TEXT and SCORPIO_OPAQUE.
 * @param[in] ndims The number of dimensions; 0 for one element.
 * @param[in] dims [ndims] The extents; may be NULL if `ndims` is 0.
 * @param[in] type The type of `value`, which is converted to `stored`. SCORPIO_TEXT and SCORPIO_OPAQUE must
 * be the same in both.
 * @param[in] value The elements in row-major order; copied.
 * @retval SCORPIO_ERR_HANDLE No group or variable has this id.
 * @retval SCORPIO_ERR_NAME The format cannot hold the name.
 * @retval SCORPIO_ERR_TYPE The format has no such type, the types cannot be converted, or the type does not
 * suit `_FillValue`.
 * @retval SCORPIO_ERR_SHAPE A file of format netcdf4 has attributes of one dimension only.
 * @retval SCORPIO_ERR_RANGE Values did not fit `stored` and were clipped. The attribute has been put.
 * @retval SCORPIO_ERR_LIMIT The value is too large for the format.
 * @retval SCORPIO_ERR_STATE A classic file is not in define mode, and the value needs more space than before.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_put(scorpio_file* file, int object, const char* name, scorpio_type stored,
                                      size_t element_bytes, int ndims, const int64_t* dims, scorpio_type type,
                                      const void* value);

/** Creates or replaces an attribute that is a text.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[in] text The text, which ends with a NUL that is not stored.
 * @retval SCORPIO_ERR_HANDLE As for scorpio_attribute_put(), as are SCORPIO_ERR_NAME, SCORPIO_ERR_TYPE,
 *         SCORPIO_ERR_LIMIT, SCORPIO_ERR_STATE and SCORPIO_ERR_READ_ONLY.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_put_text(scorpio_file* file, int object, const char* name,
                                           const char* text);

/** Creates or replaces an attribute of `n` numbers, which are stored as they are, in one dimension.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[in] type The numeric type of `values`, and of the attribute.
 * @param[in] n The number of values.
 * @param[in] values [n] The values; may be NULL if `n` is 0.
 * @retval SCORPIO_ERR_HANDLE As for scorpio_attribute_put(), as are SCORPIO_ERR_NAME, SCORPIO_ERR_TYPE,
 *         SCORPIO_ERR_LIMIT, SCORPIO_ERR_STATE and SCORPIO_ERR_READ_ONLY.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_put_values(scorpio_file* file, int object, const char* name,
                                             scorpio_type type, int64_t n, const void* values);

/** Creates or replaces an attribute that is a list of texts, each of which is stored with its own length
 * (NC_STRING of netCDF-4). scorpio_attribute_get() returns them with the length of the longest, padded with
 * NUL characters, and in this form every rank keeps them.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[in] n The number of texts.
 * @param[in] strings [n] The texts, which end with a NUL; NULL stands for an empty one.
 * @retval SCORPIO_ERR_ARGUMENT `n` is negative, or `strings` is NULL.
 * @retval SCORPIO_ERR_TYPE The file is a classic one or has the classic model, or the attribute is
 * `_FillValue`.
 * @retval SCORPIO_ERR_LIMIT The texts, each with the length of the longest one, take more than 64 MiB.
 * Nothing is defined; a variable of strings (scorpio_variable_define_strings()) has no such limit.
 * @retval SCORPIO_ERR_HANDLE As for scorpio_attribute_put(), as are SCORPIO_ERR_NAME, SCORPIO_ERR_STATE and
 * SCORPIO_ERR_READ_ONLY.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_put_strings(scorpio_file* file, int object, const char* name, int64_t n,
                                              const char* const* strings);

/** Returns the number of texts of an attribute that is a list of texts (NC_STRING of netCDF-4): texts of
 * variable length in an HDF5 file, or an array of texts. scorpio_attribute_get() reads them.
 * @local In an eager file the call is collective, with equal arguments on all ranks.
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[out] n The number of texts; -1 if the attribute is not a list of texts.
 * @retval SCORPIO_ERR_HANDLE No group or variable has this id.
 * @retval SCORPIO_ERR_NOT_FOUND The object has no attribute of this name.
 * @retval SCORPIO_ERR_ARGUMENT `n` is NULL.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_string_count(scorpio_file* file, int object, const char* name, int64_t* n);

/** Copies an attribute to an object of the same or of another file, where it replaces an attribute of this
 * name.
 *
 * The copy has the same type, the same extents and the same values; texts keep the NUL characters at their
 * end. A classic file keeps them in one dimension. A text whose length is variable in an HDF5 file gets a
 * fixed length. Compounds, arrays and enumerations (scorpio_attribute_type_describe()) are copied to files of
 * format hdf5 with their type; in other files enumerations become integers.
 * @local This is a definition of `to_file`. If one of the files is eager the call is collective.
 * @param[in] from_file The file with the attribute. The files may have different formats and belong to
 * different I/O systems.
 * @param[in] from_object The id of the group or variable with the attribute.
 * @param[in] name The name of the attribute, also of the copy.
 * @param[in] to_file The file that receives the copy.
 * @param[in] to_object The id of the group or variable in `to_file` that receives the copy.
 * @retval SCORPIO_ERR_HANDLE No group or variable has one of the ids.
 * @retval SCORPIO_ERR_NOT_FOUND The object has no attribute of this name.
 * @retval SCORPIO_ERR_UNSUPPORTED The library cannot hold the stored type.
 * @retval SCORPIO_ERR_NAME As for scorpio_attribute_put() in `to_file`, as are SCORPIO_ERR_TYPE,
 *         SCORPIO_ERR_SHAPE, SCORPIO_ERR_LIMIT, SCORPIO_ERR_STATE and SCORPIO_ERR_READ_ONLY.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_copy(scorpio_file* from_file, int from_object, const char* name,
                                       scorpio_file* to_file, int to_object);

/** Returns the type and the extents of an attribute. Output arguments may be NULL.
 * @local In an eager file the call is collective, with equal arguments on all ranks.
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[out] type Its element type.
 * @param[out] element_bytes The length of an element in bytes.
 * @param[out] ndims The number of its dimensions.
 * @param[out] dims [capacity] The first `capacity` extents.
 * @param[in] capacity The number of elements of `dims`.
 * @retval SCORPIO_ERR_HANDLE No group or variable has this id.
 * @retval SCORPIO_ERR_NOT_FOUND The object has no attribute of this name.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_inquire(scorpio_file* file, int object, const char* name,
                                          scorpio_type* type, size_t* element_bytes, int* ndims,
                                          int64_t* dims, int capacity);

/** Returns a description of the type of an attribute, as scorpio_variable_type_describe() for a variable.
 *
 * Numbers are described without the byte order that they have in the file.
 * @local In an eager file the call is collective, with equal arguments on all ranks.
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[out] text [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `text` in bytes.
 * @param[out] length The length of the whole text in bytes, without the NUL; may be NULL.
 * @retval SCORPIO_ERR_HANDLE No group or variable has this id.
 * @retval SCORPIO_ERR_NOT_FOUND The object has no attribute of this name.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_type_describe(scorpio_file* file, int object, const char* name, char* text,
                                                size_t capacity, size_t* length);

/** Reads the value of an attribute and converts it to `type`. Text and opaque elements are returned as
 * stored.
 *
 * Elements of compounds, arrays and other types of fixed size that have no scorpio_type are the bytes that
 * the file has of them, as those of variables: scorpio_attribute_inquire() returns SCORPIO_OPAQUE and their
 * length. Elements of enumerations are integers.
 * @local In an eager file the call is collective, with equal arguments on all ranks.
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[in] type The type of `value`.
 * @param[out] value [capacity_bytes] The elements in row-major order.
 * @param[in] capacity_bytes The size of `value` in bytes.
 * @retval SCORPIO_ERR_HANDLE No group or variable has this id.
 * @retval SCORPIO_ERR_NOT_FOUND The object has no attribute of this name.
 * @retval SCORPIO_ERR_TYPE The stored type cannot be converted to `type`.
 * @retval SCORPIO_ERR_ARGUMENT `value` is too small.
 * @retval SCORPIO_ERR_RANGE Values did not fit `type` and were clipped.
 * @retval SCORPIO_ERR_UNSUPPORTED The library cannot hold the stored type: a part of each element has a
 * variable length or is a reference.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_get(scorpio_file* file, int object, const char* name, scorpio_type type,
                                      void* value, size_t capacity_bytes);

/** Reads an attribute that is a text.
 * @local In an eager file the call is collective, with equal arguments on all ranks.
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[out] text [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `text` in bytes.
 * @param[out] length The length of the whole text in bytes, without NUL characters at its end; may be NULL.
 * @retval SCORPIO_ERR_HANDLE No group or variable has this id.
 * @retval SCORPIO_ERR_NOT_FOUND The object has no attribute of this name.
 * @retval SCORPIO_ERR_TYPE The attribute is not a text, or is a list of several texts.
 * @retval SCORPIO_ERR_UNSUPPORTED The library cannot hold the stored type.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_get_text(scorpio_file* file, int object, const char* name, char* text,
                                           size_t capacity, size_t* length);

/** Returns whether scorpio_attribute_get() can read the value of an attribute. Output arguments may be NULL.
 * @local In an eager file the call is collective, with equal arguments on all ranks.
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[out] readable 1, or 0: every get of the value fails with the text `reason`.
 * @param[out] reason [capacity] Receives a NUL-terminated copy of the reason, which is cut if it does not
 * fit; empty if the value can be read.
 * @param[in] capacity The size of `reason` in bytes.
 * @param[out] length The length of the whole reason in bytes, without the NUL.
 * @retval SCORPIO_ERR_HANDLE No group or variable has this id.
 * @retval SCORPIO_ERR_NOT_FOUND The object has no attribute of this name.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_access_inquire(scorpio_file* file, int object, const char* name,
                                                 int* readable, char* reason, size_t capacity,
                                                 size_t* length);

/** Returns the number of attributes of an object.
 * @local
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[out] count The number of attributes.
 * @retval SCORPIO_ERR_HANDLE No group or variable has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_count(scorpio_file* file, int object, int* count);

/** Returns the name of the attribute at a position, in the order of definition.
 * @local
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] i The position, from 0 to count - 1.
 * @param[out] name [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `name` in bytes.
 * @param[out] length The length of the whole name in bytes, without the NUL; may be NULL.
 * @retval SCORPIO_ERR_HANDLE No group or variable has this id.
 * @retval SCORPIO_ERR_ARGUMENT There is no attribute at this position.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_name(scorpio_file* file, int object, int i, char* name, size_t capacity,
                                       size_t* length);

/** Renames an attribute.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] name The name of the attribute.
 * @param[in] new_name The new name.
 * @retval SCORPIO_ERR_HANDLE No group or variable has this id.
 * @retval SCORPIO_ERR_NOT_FOUND The object has no attribute of this name.
 * @retval SCORPIO_ERR_EXISTS Another attribute of the object has this name.
 * @retval SCORPIO_ERR_NAME The format cannot hold the name.
 * @retval SCORPIO_ERR_STATE A classic file is not in define mode, and the name is longer than before and than
 * the metadata have room for.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_rename(scorpio_file* file, int object, const char* name,
                                         const char* new_name);

/** Removes an attribute.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] object The id of the group or variable.
 * @param[in] name The name of the attribute.
 * @retval SCORPIO_ERR_HANDLE No group or variable has this id.
 * @retval SCORPIO_ERR_NOT_FOUND The object has no attribute of this name.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_attribute_remove(scorpio_file* file, int object, const char* name);

#ifdef __cplusplus
}
#endif

#endif
