/** @file define.h
 * Definitions: define mode and fill mode. group.h, dimension.h, variable.h and attribute.h have the others.
 *
 * **Paths** are absolute or relative to the root group: "/a/b" and "a/b" are the same, and several slashes
 * count as one.
 *
 * **Definitions are local**: all ranks make the same definitions in the same order, and the next
 * synchronisation point compares them; the text of SCORPIO_ERR_MISMATCH names the first rank that differs. In
 * an eager file (option eager) definitions are collective and take effect at once. A definition in a file
 * that was opened for reading fails with SCORPIO_ERR_READ_ONLY.
 *
 * The call that makes a definition checks the limits of the format and returns SCORPIO_ERR_LIMIT,
 * SCORPIO_ERR_TYPE or SCORPIO_ERR_NAME; the text contains the value and says how to avoid the failure. One
 * limit is checked by scorpio_define_end(): in cdf1 and cdf2 only the last variable may be larger than 2 GiB
 * or 4 GiB.
 *
 * **Names** in classic netCDF files and in files of format netcdf4 are stored and looked up in Unicode
 * normalisation form C, as the netCDF libraries do. Files of format hdf5 keep them as they are given.
 *
 * **Define mode.** In the classic netCDF formats the location of all data depends on all definitions. A new
 * file is in define mode until scorpio_define_end() or the first collective call that moves data, such as
 * scorpio_wait(), which can then return the codes of scorpio_define_end() too. Nonblocking requests can be
 * made in define mode. Definitions after define mode need scorpio_define_begin() first and otherwise fail
 * with SCORPIO_ERR_STATE. Exceptions are attributes that need no more space than the value that they replace,
 * removals of attributes, and new names with which the metadata take no more space than at the end of define
 * mode or, in a file that was opened, in the file. HDF5 files have no define
 * mode: scorpio_define_begin() and scorpio_define_end() do nothing there.
 *
 * **Fill mode.** In a variable with fill mode, elements that no rank writes get the fill value. In other
 * variables they are undefined, as in PnetCDF. Fill mode is off unless scorpio_file_fill_set() or
 * scorpio_variable_fill_define() switches it on. */
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
 * This is a synchronisation point. If it returns SCORPIO_ERR_RANGE, the file is in define mode nevertheless.
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
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_define_end(scorpio_file* file);

/** Keeps the definitions of a file as they are now, so that scorpio_definitions_undo() can return to them.
 *
 * They replace those that were kept before. They are dropped by the next call on the file that is collective
 * or makes a request; definitions and inquiries leave them.
 * @local
 * @cost A copy of all definitions of the file in memory.
 * @param[in] file The file.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @retval SCORPIO_ERR_UNSUPPORTED The file is eager, whose definitions take effect at once.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_definitions_keep(scorpio_file* file);

/** Returns to the definitions that scorpio_definitions_keep() has kept, and drops them: the definitions that
 * this rank has made since are undone, and their ids are free again.
 *
 * Ranks of which some have made other definitions than the others can undo them before a synchronisation
 * point compares them, and then make the same ones.
 * @local
 * @param[in] file The file.
 * @retval SCORPIO_ERR_STATE No definitions are kept, because scorpio_definitions_keep() was not called, or
 * another call on the file has dropped them.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @retval SCORPIO_ERR_UNSUPPORTED The file is eager.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_definitions_undo(scorpio_file* file);

/** Sets the fill mode of the variables that are defined after this call: whether elements that no rank writes
 * get the fill value. The fill mode of a new file is off.
 * @local This is a definition.
 * @param[in] file The file.
 * @param[in] filled 1 for fill mode, 0 for none.
 * @param[out] previous The previous setting; may be NULL.
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @retval SCORPIO_ERR_UNSUPPORTED The file is eager, whose variables cannot be filled.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_fill_set(scorpio_file* file, int filled, int* previous);

#ifdef __cplusplus
}
#endif

#endif
