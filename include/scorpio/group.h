/** @file group.h
 * Groups, soft links, and what a path names. define.h says when definitions are possible.
 *
 * **Objects.** Functions that concern a variable or a group take its id: that of a variable is 0 or more,
 * ::SCORPIO_GLOBAL stands for the root group (the file itself), and the ids of other groups are less than
 * that. scorpio_variable_find() and scorpio_group_find() give ids, as do the calls that define. An id belongs
 * to one rank and one open file. It is valid until the file is closed or the object is removed; a group has
 * the same id each time it is found. Calls with an id that no object has return SCORPIO_ERR_HANDLE. */
#ifndef SCORPIO_GROUP_H
#define SCORPIO_GROUP_H

#include <stddef.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Creates a group and its missing parent groups. A group that exists already is not an error.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] path The path of the group.
 * @param[out] group The id of the group; may be NULL.
 * @retval SCORPIO_ERR_NAME The path is empty, or the format cannot hold it.
 * @retval SCORPIO_ERR_EXISTS A variable, a dimension or a link has this path.
 * @retval SCORPIO_ERR_UNSUPPORTED The format has no groups.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_group_define(scorpio_file* file, const char* path, int* group);

/** Finds a group by its path. Soft links are followed.
 * @local In an eager file the call is collective, with equal arguments on all ranks.
 * @param[in] file The file.
 * @param[in] path The path of the group; "/" gives ::SCORPIO_GLOBAL.
 * @param[out] group The id of the group.
 * @retval SCORPIO_ERR_NOT_FOUND No group has this path.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_group_find(scorpio_file* file, const char* path, int* group);

/** Returns the path of a group.
 * @local
 * @param[in] file The file.
 * @param[in] group The id of the group.
 * @param[out] path [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `path` in bytes.
 * @param[out] length The length of the whole path in bytes, without the NUL; may be NULL.
 * @retval SCORPIO_ERR_HANDLE No group has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_group_path(scorpio_file* file, int group, char* path, size_t capacity,
                                   size_t* length);

/** Returns the number of members of a group: the groups, variables and soft links that are directly in it.
 * @local
 * @param[in] file The file.
 * @param[in] group The id of the group.
 * @param[out] members The number of members.
 * @retval SCORPIO_ERR_HANDLE No group has this id.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_group_count(scorpio_file* file, int group, int* members);

/** Returns the member of a group at a position. First come the groups in order of their names, then the
 * variables in order of definition, then the soft links in order of their names. Output arguments may be
 * NULL.
 * @local In an eager file, objects that the application made through its HDF5 id are members after a call has
 * found them by their path.
 * @param[in] file The file.
 * @param[in] group The id of the group.
 * @param[in] i The position, from 0 to members - 1.
 * @param[out] name [capacity] Receives a NUL-terminated copy of the name, without the path of the group,
 * which is cut if it does not fit.
 * @param[in] capacity The size of `name` in bytes.
 * @param[out] length The length of the whole name in bytes, without the NUL.
 * @param[out] kind A value of ::scorpio_object_kind; SCORPIO_OBJECT_LINK for each soft link, whether or not
 * its target exists.
 * @param[out] object The id of the group or variable; not changed for a link.
 * @retval SCORPIO_ERR_HANDLE No group has this id.
 * @retval SCORPIO_ERR_ARGUMENT There is no member at this position.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_group_member(scorpio_file* file, int group, int i, char* name, size_t capacity,
                                     size_t* length, int* kind, int* object);

/** Returns the kind and the id of the object at a path. Soft links are followed. Output arguments may be
 * NULL.
 * @local In an eager file the call is collective, because the application may have changed the file through
 * its HDF5 id.
 * @param[in] file The file.
 * @param[in] path The path of a group, variable or link.
 * @param[out] kind A value of ::scorpio_object_kind: SCORPIO_OBJECT_NONE if nothing has this path, which is
 * not an error; SCORPIO_OBJECT_LINK for a soft link whose target does not exist.
 * @param[out] object The id of the group or variable; not changed where there is none.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_object_find(scorpio_file* file, const char* path, int* kind, int* object);

/** Creates a soft link.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] path The path of the link.
 * @param[in] target The path to which it leads, absolute or relative to the group of the link. It need not
 * exist.
 * @retval SCORPIO_ERR_EXISTS An object has this path already.
 * @retval SCORPIO_ERR_NAME The format cannot hold one of the paths.
 * @retval SCORPIO_ERR_UNSUPPORTED The format has no links: only hdf5 has them.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_link_define(scorpio_file* file, const char* path, const char* target);

/** Returns the target of a soft link. Links within the path are followed, except the last one.
 * @local In an eager file the call is collective, with equal arguments on all ranks.
 * @param[in] file The file.
 * @param[in] path The path of the link.
 * @param[out] target [capacity] Receives a NUL-terminated copy of the target as it is stored, absolute or
 * relative to the group of the link; it is cut if it does not fit.
 * @param[in] capacity The size of `target` in bytes.
 * @param[out] length The length of the whole target in bytes, without the NUL; may be NULL.
 * @retval SCORPIO_ERR_NOT_FOUND No soft link has this path.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_link_target(scorpio_file* file, const char* path, char* target, size_t capacity,
                                    size_t* length);

/** Removes a variable, a link, or a group with everything in it. The ids of other objects do not change.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] path The path of the object.
 * @retval SCORPIO_ERR_ARGUMENT The path is that of the root group.
 * @retval SCORPIO_ERR_NOT_FOUND Nothing has this path.
 * @retval SCORPIO_ERR_EXISTS Variables elsewhere have a dimension of the group, and the root group, to which
 * the dimension would move, has an object of its name.
 * @retval SCORPIO_ERR_UNSUPPORTED A classic file holds the variable already.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_object_remove(scorpio_file* file, const char* path);

#ifdef __cplusplus
}
#endif

#endif
