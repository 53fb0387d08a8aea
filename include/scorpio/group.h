/** @file group.h
 * Groups, soft links, and what a path names. define.h says when definitions are possible.
 *
 * **Objects.** Functions that concern a variable or a group take its id: that of a variable is 0 or more,
 * ::SCORPIO_GLOBAL stands for the root group (the file itself), and the ids of other groups are less than
 * that. scorpio_variable_find() and scorpio_group_find() give ids, as do the calls that define. An id belongs
 * to one rank and one open file. It is valid until the file is closed or the object is removed; a group that
 * is found twice has the same id twice. Calls with an id that no object has return SCORPIO_ERR_HANDLE. */
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
 * @retval SCORPIO_ERR_EXISTS A variable or a link has this path.
 * @retval SCORPIO_ERR_UNSUPPORTED The format has no groups.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_group_define(scorpio_file* file, const char* path, int* group);

/** Finds a group by its path. Soft links are followed.
 * @local In an eager file the call is collective.
 * @param[in] file The file.
 * @param[in] path The path of the group; "/" gives ::SCORPIO_GLOBAL.
 * @param[out] group The id of the group.
 * @retval SCORPIO_ERR_NOT_FOUND No group has this path.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_group_find(scorpio_file* file, const char* path, int* group);

/** Finds out what a path names. Soft links are followed. Output arguments may be NULL.
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
 * @retval SCORPIO_ERR_UNSUPPORTED The format has no links.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_link_define(scorpio_file* file, const char* path, const char* target);

/** Removes a variable, a link, or a group with everything in it. The ids of other objects do not change.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] path The path of the object.
 * @retval SCORPIO_ERR_NOT_FOUND Nothing has this path.
 * @retval SCORPIO_ERR_UNSUPPORTED A classic file holds the variable already.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_object_remove(scorpio_file* file, const char* path);

#ifdef __cplusplus
}
#endif

#endif
