/** @file define.h
 * Definitions: define mode and fill mode. group.h, dimension.h, variable.h and attribute.h have the others.
 *
 * **Paths** are absolute or relative to the root group: "/a/b" and "a/b" are the same, and several slashes
 * count as one.
 *
 * **Definitions are local**: all ranks make the same definitions in the same order, and the next
 * synchronisation point compares them (SCORPIO_ERR_MISMATCH names the first rank that differs). In an eager
 * file they are collective and take effect at once. Limits of the file's format are checked by the call that
 * makes the definition: SCORPIO_ERR_LIMIT, SCORPIO_ERR_TYPE or SCORPIO_ERR_NAME, with the value and what to
 * do. Only the limit that in cdf1 and cdf2 the last variable alone may exceed is checked by
 * scorpio_define_end().
 *
 * **Names** in classic netCDF files are stored and looked up in Unicode normalisation form C, as the netCDF
 * libraries do. HDF5 files keep them as they are given.
 *
 * **Define mode.** In the classic netCDF formats the location of all data depends on all definitions. A new
 * file is in define mode until scorpio_define_end() or the first collective call that moves data, such as
 * scorpio_wait(); nonblocking requests can be made before. Later
 * definitions need scorpio_define_begin() first (SCORPIO_ERR_STATE otherwise), except attributes that need no
 * more space than the value they replace, removals of attributes, and names that are no longer than before.
 * HDF5 files have no define mode: both calls do nothing there. */
#ifndef SCORPIO_DEFINE_H
#define SCORPIO_DEFINE_H

#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Enters define mode again; data in the file are kept.
 *
 * This is a synchronisation point. After SCORPIO_ERR_RANGE define mode has begun.
 * @collective Over the ranks of the I/O system.
 * @cost As scorpio_file_sync().
 * @param[in] file The file.
 * @retval SCORPIO_ERR_STATE The file is in define mode already.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @retval SCORPIO_ERR_RANGE Values that were put before did not fit the type of their variable and were
 * clipped.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_define_begin(scorpio_file* file);

/** Leaves define mode: every variable gets its location in the file, and variables with fill mode are filled.
 *
 * If the location of data in the file changes, all I/O ranks copy the file to a new one, which
 * takes its name only when it is complete. The option header_free reserves space that makes this rare. This
 * is a synchronisation point.
 * @collective Over the ranks of the I/O system.
 * @cost One agreement (an allreduce); a copy of the data where their location changes; the writes of fill
 * values.
 * @param[in] file The file.
 * @retval SCORPIO_ERR_STATE The file is not in define mode.
 * @retval SCORPIO_ERR_MISMATCH The definitions differ between ranks.
 * @retval SCORPIO_ERR_LIMIT A variable is too large for the format.
 * @retval SCORPIO_ERR_NO_SPACE The file system is full, or a quota is used up.
 * @retval SCORPIO_ERR_IO A system call on the file failed.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_define_end(scorpio_file* file);

/** Sets whether elements that no rank writes get the fill value, for the variables that are defined from now
 * on. The fill mode of a new file is off.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] filled 1 for fill mode, 0 for none.
 * @param[out] previous The setting before; may be NULL.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_fill_set(scorpio_file* file, int filled, int* previous);

#ifdef __cplusplus
}
#endif

#endif
