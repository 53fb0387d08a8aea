/** @file file.h
 * Files: creating, opening, synchronising and closing.
 *
 * In an *eager* file (option eager = "true") each definition is written when it is made, and the application
 * can get an HDF5 id of the file. It is for programs that also call HDF5 for the same file.
 */
#ifndef SCORPIO_FILE_H
#define SCORPIO_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Creates a file.
 *
 * Until its first sync or close the file has a temporary name (`path`.scorpio-tmp). It then takes the name
 * `path`, replaces an earlier file of this name, and takes over its owner, group and mode as far as the user
 * may set them; access control lists are not copied, and other hard links keep the old file. The option
 * file_name = "close" delays this until the close. With the option eager = "true" the file has its final name
 * at once, and an HDF5 id is available (scorpio_file_hdf5_id()). A call that fails leaves no file behind, and
 * does not change a file that was at the path.
 * @collective Over the ranks of the I/O system.
 * @cost One open, and one more of a file that is replaced, to learn whether it is being written; one
 * agreement (an allreduce); while files are posted, what scorpio_iosystem_wait() says.
 * @param[in] iosystem The I/O system.
 * @param[in] path The path of the file. Equal on all ranks.
 * @param[in] format The format. SCORPIO_FORMAT_DEFAULT: that of the option `format` ("hdf5", "netcdf4",
 * "cdf1", "cdf2" or "cdf5"), which is "hdf5" unless the program, the environment or the configuration file
 * set it; any other value takes precedence over the option. Equal on all ranks.
 * @param[in] options Options that take precedence over those of the I/O system for this file, or NULL. Equal
 * on all ranks.
 * @param[out] file The file; NULL after a failure other than SCORPIO_ERR_POSTED.
 * @retval SCORPIO_ERR_ARGUMENT `format` is not a format, or `options` give another value than the I/O system
 * has to an option that concerns the whole I/O system (docs/options.md).
 * @retval SCORPIO_ERR_UNSUPPORTED The option eager is "true", and the format is not an HDF5 format.
 * @retval SCORPIO_ERR_NO_SPACE The file system is full, or a quota is used up.
 * @retval SCORPIO_ERR_PERMISSION The file system refused the access, or the existing file is write-protected.
 * @retval SCORPIO_ERR_NOT_FOUND The folder does not exist.
 * @retval SCORPIO_ERR_EXISTS The path is that of a folder, a symbolic link or a device; or of a file, with
 * the option replace = "false".
 * @retval SCORPIO_ERR_BUSY Another job or handle is writing the file, or another I/O system has posted
 * its close; or an undo journal is beside it whose job, in a file system without locks, was on another node.
 * @retval SCORPIO_ERR_NAME The name is longer than the file system allows, or the path is, with the 16 bytes
 * that the names of the temporary file and of the journal add.
 * @retval SCORPIO_ERR_MISMATCH The path, the format or the options differ between ranks.
 * @retval SCORPIO_ERR_IO A system call on the file failed.
 * @retval SCORPIO_ERR_POSTED The file was created and is open; an earlier file could not be completed
 * (scorpio_iosystem_wait()).
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_create(scorpio_iosystem* iosystem, const char* path, scorpio_format format,
                                    const scorpio_options* options, scorpio_file** file);

/** Opens a file of any format that scorpio_file_create() makes, written by this or another program.
 *
 * One rank reads the metadata and all ranks receive a copy. If a job was killed while it changed the file,
 * the earlier state is restored first (from `path`.scorpio-journal). Symbolic links are followed. Data that
 * the header of a classic file describes after the end of the file are read as zeros; they are counted
 * (missing_bytes) and reported by scorpio_iosystem_describe().
 * @collective Over the ranks of the I/O system.
 * @cost One open, two agreements (allreduces), and one broadcast of the metadata; while files are posted,
 * what scorpio_iosystem_wait() says.
 * @param[in] iosystem The I/O system.
 * @param[in] path The path of the file. Equal on all ranks.
 * @param[in] mode SCORPIO_READ or SCORPIO_WRITE. Equal on all ranks.
 * @param[in] options As for scorpio_file_create().
 * @param[out] file The file; NULL after a failure other than SCORPIO_ERR_POSTED.
 * @retval SCORPIO_ERR_NOT_FOUND The file does not exist.
 * @retval SCORPIO_ERR_PERMISSION The file system refused the access.
 * @retval SCORPIO_ERR_FORMAT The file is not an HDF5 or netCDF file, is damaged, or is not a regular file;
 * or, with the option strict = "true", a classic file ends before its data.
 * @retval SCORPIO_ERR_UNSUPPORTED With `mode` SCORPIO_WRITE: as for scorpio_file_create().
 * @retval SCORPIO_ERR_NAME As for scorpio_file_create().
 * @retval SCORPIO_ERR_BUSY With `mode` SCORPIO_WRITE: another job or handle is writing the file. With
 * SCORPIO_READ: this program is writing a new file of this path through another handle or I/O system, which
 * may have posted its close; or a run has been changing the metadata of the file for two seconds, and a later
 * call finds it complete.
 * @retval SCORPIO_ERR_MISMATCH The path, the mode or the options differ between ranks.
 * @retval SCORPIO_ERR_IO A system call on the file failed.
 * @retval SCORPIO_ERR_POSTED The file is open; an earlier file could not be completed
 * (scorpio_iosystem_wait()).
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_open(scorpio_iosystem* iosystem, const char* path, scorpio_open_mode mode,
                                  const scorpio_options* options, scorpio_file** file);

/** Completes the file as it is now: when the call returns, all data put so far are in the file, and other
 * programs can read them.
 *
 * With the options asynchronous = "true" and sync = "post" the call returns when the data are in the staging
 * memory of the I/O ranks. A later sync, close or scorpio_iosystem_wait(), or any call that completes posted
 * files, completes this file when its data are written, in its state at that time.
 *
 * This is a synchronisation point: a failure of any rank since the last one is returned on all ranks.
 * @collective Over the ranks of the I/O system.
 * @cost Two agreements (allreduces), and one write of changed metadata; one agreement where the metadata of a
 * classic file have not changed since they were written.
 * @param[in] file The file.
 * @retval SCORPIO_ERR_MISMATCH Ranks made different definitions or calls; the text names the first
 * difference.
 * @retval SCORPIO_ERR_RANGE Values that were put did not fit the type of their variable and were clipped.
 * @retval SCORPIO_ERR_LIMIT The file is in define mode, and a variable is too large for the format.
 * @retval SCORPIO_ERR_NO_SPACE The file system is full, or a quota is used up.
 * @retval SCORPIO_ERR_IO A system call on the file failed.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_sync(scorpio_file* file);

/** Returns the value of one option that is in force for a file, and where it comes from: the options of the
 * I/O system, overridden by the rules of its option file_options for the name of the file, and these by the
 * options with which the program has created or opened it.
 * @local
 * @param[in] file The file.
 * @param[in] name The name of an option, of scorpio_option_names().
 * @param[out] value [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `value` in bytes.
 * @param[out] length The length of the whole value in bytes, without the NUL; may be NULL.
 * @param[out] origin Where the value comes from; may be NULL.
 * @retval SCORPIO_ERR_NAME No option has this name; the text of the failure names the most similar one.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_option(const scorpio_file* file, const char* name, char* value, size_t capacity,
                                    size_t* length, scorpio_option_origin* origin);

/** Completes the file as scorpio_file_sync() does, closes it and releases the handle.
 *
 * The handle is released also when the call fails. A new file that failed does not get its final name. Every
 * later call with the handle, a second close included, returns SCORPIO_ERR_HANDLE.
 *
 * With the options asynchronous = "true" and close = "post" the call returns when all data of a file that was
 * written are in the staging memory of the I/O ranks. A thread of each I/O rank writes them, and a later call
 * completes the file (scorpio_iosystem_wait()). Until then other programs may find the earlier contents of
 * the file, or no new file, and no program may rename the file or put another one in its place, because I/O
 * ranks that have not opened it yet do so by its path. The call waits as without these options if a call on
 * the file has failed on any rank since the last synchronisation point, if nonblocking requests are pending,
 * and if the file is eager or shares its staging memory with other files.
 * @collective Over the ranks of the I/O system.
 * @cost Two agreements, and one write of changed metadata; one agreement if the close is posted; while files
 * are posted, what scorpio_iosystem_wait() says.
 * @param[in] file The file, or NULL.
 * @retval SCORPIO_ERR_STATE MPI was finalized. The file is not closed.
 * @retval SCORPIO_ERR_MISMATCH As for scorpio_file_sync(), as are SCORPIO_ERR_RANGE, SCORPIO_ERR_LIMIT,
 *         SCORPIO_ERR_NO_SPACE and SCORPIO_ERR_IO.
 * @retval SCORPIO_ERR_POSTED The file is closed; an earlier file could not be completed
 * (scorpio_iosystem_wait()).
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_close(scorpio_file* file);

/** Returns the format of the file and what can be done with it. Output arguments may be NULL.
 * @local
 * @param[in] file The file.
 * @param[out] format The format that was found or chosen.
 * @param[out] mode SCORPIO_READ, or SCORPIO_WRITE also for a new file.
 * @param[out] defining 1 if the file is in define mode, which only classic files have, else 0.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_inquire(scorpio_file* file, scorpio_format* format, scorpio_open_mode* mode,
                                     int* defining);

/** Returns the name of a format, as the option `format` has it.
 * @local
 * @param[in] format A value of ::scorpio_format, or any other number.
 * @return "hdf5", "cdf1", "cdf2", "cdf5" or "netcdf4"; "default" for SCORPIO_FORMAT_DEFAULT, and "unknown"
 * for any other number. The string belongs to the library and stays valid.
 * @anythread
 * @since 0.1 */
SCORPIO_API const char* scorpio_format_name(scorpio_format format);

/** Finds a format by its name.
 * @local
 * @param[in] name A name that scorpio_format_name() returns, except "unknown".
 * @param[out] format The format; not changed by a failure.
 * @retval SCORPIO_ERR_NAME No format has this name; the text of the failure lists the names.
 * @anythread
 * @since 0.1 */
SCORPIO_API int scorpio_format_find(const char* name, scorpio_format* format);

/** Returns the absolute path of the file, which is that of its final name while a new file has a temporary
 * one.
 * @local
 * @param[in] file The file.
 * @param[out] path [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `path` in bytes.
 * @param[out] length The length of the whole path in bytes, without the NUL; may be NULL.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_path(scorpio_file* file, char* path, size_t capacity, size_t* length);

/** Returns an HDF5 id (hid_t) of the open file for use with HDF5's own calls.
 *
 * On the first I/O rank (the metadata rank), for an eager file and for a file that was opened for reading, it
 * is the *live id*, that of the file itself: what is written, created, extended or deleted through it is
 * kept. Any other I/O rank has the id that the last scorpio_file_mirror() made. The id belongs to the
 * library; do not close it.
 *
 * The library enters HDF5 with one thread at a time, but it cannot control the calls of the application.
 * While one thread calls HDF5, with this or any other id, no other thread may call HDF5 or use HDF5 files
 * through this library, unless HDF5 was built thread-safe. Classic netCDF files are not affected.
 * @local
 * @param[in] file The file.
 * @param[out] id The id; -1 on ranks that have none.
 * @retval SCORPIO_ERR_STATE The file was neither opened for reading nor made with the option eager.
 * @retval SCORPIO_ERR_UNSUPPORTED The file is a classic netCDF file that was opened for reading.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_hdf5_id(scorpio_file* file, int64_t* id);

/** Gives each I/O rank except the first an HDF5 id of the file as it is now, with all data and definitions so
 * far, including those that were made through the live id.
 *
 * The id that the previous call returned is closed, unless the application holds objects open through it;
 * then it stays valid until the file is closed. Such an id is for reading: objects that the application
 * creates through it exist in its process only. Data that it writes through such an id are not stored in the
 * file, and the next scorpio_file_mirror() fails with SCORPIO_ERR_STATE.
 * @collective Over the ranks of the I/O system.
 * @cost Two agreements (allreduces), one where there is a single I/O rank, and one write of changed metadata.
 * An I/O rank opens the file if it has not accessed it before.
 * @param[in] file The file.
 * @retval SCORPIO_ERR_STATE The file is neither eager nor open for reading, or data were written through an
 * id of an earlier call.
 * @retval SCORPIO_ERR_IO A system call on the file failed.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_mirror(scorpio_file* file);

/** Ends this rank's use of an eager file, or of a file that was opened for reading, for programs that close a
 * file on some ranks only.
 *
 * On the first I/O rank the file is completed and closed, so that any program can open it; on other ranks
 * descriptors are closed. Afterwards only scorpio_file_close() is possible, which all ranks must call at some
 * time and which releases the rest.
 * @independent
 * @cost No communication; on the first I/O rank one write of changed metadata.
 * @param[in] file The file.
 * @retval SCORPIO_ERR_STATE The file is neither eager nor open for reading, or data were put since the last
 * synchronisation point.
 * @retval SCORPIO_ERR_NO_SPACE The file system is full, or a quota is used up.
 * @retval SCORPIO_ERR_IO A system call on the file failed.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_finish(scorpio_file* file);

/** Returns the ids of all variables, of all groups, in order of definition.
 * @local In an eager file, variables that the application made through its HDF5 id are among them after a
 * call has found them by their path.
 * @param[in] file The file.
 * @param[out] variables [capacity] The first `capacity` ids; may be NULL if `capacity` is 0.
 * @param[in] capacity The number of elements of `variables`.
 * @param[out] count The number of variables.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_file_variables(scorpio_file* file, int* variables, int capacity, int* count);

#ifdef __cplusplus
}
#endif

#endif
