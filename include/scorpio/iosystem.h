/** @file iosystem.h
 * Options and I/O systems. An I/O system is a communicator with the I/O ranks (aggregators) that access files
 * for all of its ranks, and with the staging memory through which data pass (two-phase I/O). */
#ifndef SCORPIO_IOSYSTEM_H
#define SCORPIO_IOSYSTEM_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Creates an empty set of options for scorpio_iosystem_create(), scorpio_file_create() and
 * scorpio_file_open().
 *
 * docs/options.md lists the options. A value that is set here takes precedence over the environment variable
 * SCORPIO_<NAME>, which takes precedence over the configuration file (a JSON object of names and values that
 * the environment variable SCORPIO_CONFIG names), which takes precedence over the default. A number of ranks
 * in the environment or in the configuration file is an upper bound; a number that is set here must be met.
 * @local
 * @param[out] options The new set. Release it with scorpio_options_free().
 * @retval SCORPIO_ERR_MEMORY The set could not be allocated.
 * @anythread
 * @since 0.1 */
SCORPIO_API int scorpio_options_create(scorpio_options** options);

/** Sets one option.
 * @local
 * @param[in,out] options The set.
 * @param[in] name The name of an option; copied.
 * @param[in] value Its value as text; copied.
 * @retval SCORPIO_ERR_NAME No option has this name; the text of the failure names the most similar one.
 * @retval SCORPIO_ERR_ARGUMENT The value cannot be parsed or is out of range.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_options_set(scorpio_options* options, const char* name, const char* value);

/** Returns the names of all options.
 * @local
 * @return An array of strings that ends with NULL; it belongs to the library and stays valid.
 * @anythread
 * @since 0.1 */
SCORPIO_API const char* const* scorpio_option_names(void);

/** Releases a set of options. I/O systems and files that were made with it keep their copy.
 * @local
 * @param[in] options The set, or NULL.
 * @retval SCORPIO_ERR_HANDLE The set was released before.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_options_free(scorpio_options* options);

/** Creates an I/O system: duplicates the communicator, chooses the I/O ranks and allocates the staging
 * memory.
 * @collective Over `comm`.
 * @cost Two duplications of the communicator, at most three splits, and a few small reductions and
 * broadcasts.
 * @param[in] comm An intracommunicator; the library does not use it after the call returns.
 * @param[in] options A set of options, or NULL. Equal on all ranks.
 * @param[out] iosystem The I/O system; NULL after a failure.
 * @retval SCORPIO_ERR_ARGUMENT The options ask for I/O ranks that `comm` does not have, or contradict each
 * other; or the option progress_thread is true on several nodes, and MPI was initialized without
 * MPI_THREAD_MULTIPLE.
 * @retval SCORPIO_ERR_MISMATCH The options differ between ranks.
 * @retval SCORPIO_ERR_MEMORY The staging memory could be allocated neither as shared nor as private memory.
 * @retval SCORPIO_ERR_STATE The call came before MPI_Init or after MPI_Finalize.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_create(MPI_Comm comm, const scorpio_options* options,
                                        scorpio_iosystem** iosystem);

/** Creates an I/O system from the communicator of a Fortran program: scorpio_iosystem_create() with
 * `MPI_Comm_f2c(comm)`.
 * @collective Over `comm`.
 * @cost As scorpio_iosystem_create().
 * @param[in] comm A communicator as Fortran names it: an integer, or the component `MPI_VAL` of a
 * `type(MPI_Comm)`.
 * @param[in] options A set of options, or NULL. Equal on all ranks.
 * @param[out] iosystem The I/O system; NULL after a failure.
 * @return The codes of scorpio_iosystem_create().
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_create_f(MPI_Fint comm, const scorpio_options* options,
                                          scorpio_iosystem** iosystem);

/** Waits until files whose close or sync was posted (options close = "post" and sync = "post") are complete:
 * they have all their data and metadata, and their final names.
 *
 * A thread of each I/O rank writes the data of a posted file while the program computes. A later collective
 * call then *completes* the file: it writes the metadata and gives a new file its final name. This call and
 * scorpio_iosystem_free() do so. scorpio_file_create(), scorpio_file_open() and scorpio_file_close() complete
 *   - each posted file whose data are written by then (for a file with chunks on one node, the first of these
 *     calls makes the metadata in memory, which the thread writes, and a later one completes the file);
 *   - a posted file that the call itself creates or opens again;
 *   - the oldest posted file, if there would be more than the option async_files allows, or if a new file
 *     needs its staging memory.
 *
 * If a file cannot be completed, the call that attempted it does its own work nevertheless and then returns
 * SCORPIO_ERR_POSTED; the text names the file and the cause, and the variable and the record of lost data. If
 * that call itself fails, it returns its own failure, and the next of these calls returns SCORPIO_ERR_POSTED.
 * @collective Over the ranks of the I/O system.
 * @cost One agreement (an allreduce); for each file that is completed the cost of scorpio_file_close(). The
 * other calls that complete files have these costs in addition to their own while files are posted.
 * @param[in] iosystem The I/O system.
 * @param[in] path The path of a file that was created or opened for writing through this I/O system, in any
 * spelling and also by symbolic links (by a hard link until the file is complete), or NULL for all of them.
 * Files that were closed before it are completed too. Equal on all ranks.
 * @retval SCORPIO_ERR_POSTED A file could not be completed. A new file does not get its final name then.
 * @retval SCORPIO_ERR_NOT_FOUND No file of this path was written through this I/O system.
 * @retval SCORPIO_ERR_MISMATCH The path differs between ranks.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_wait(scorpio_iosystem* iosystem, const char* path);

/** Returns whether the data of files whose close was posted are written, so that scorpio_iosystem_wait()
 * would not wait for them but only complete the files. Never waits.
 *
 * Call scorpio_iosystem_wait() to wait for the data: on several nodes a loop that calls this function until
 * `done` is 1 may never end.
 * @local The result may differ between ranks: a rank knows the progress of the I/O ranks of its own node
 * only. If there are I/O ranks on other nodes, or if there are several nodes and variables of the file are
 * stored in chunks, `done` is 0 until a collective call has completed the file.
 * @param[in] iosystem The I/O system.
 * @param[in] path As for scorpio_iosystem_wait().
 * @param[out] done 1 if the data are written, or the file is complete or was never posted; else 0.
 * @retval SCORPIO_ERR_NOT_FOUND No file of this path was written through this I/O system.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_test(scorpio_iosystem* iosystem, const char* path, int* done);

/** A function of the application that is called for a file that is complete.
 * @param[in] path The absolute path by which the file was created or opened.
 * @param[in] code SCORPIO_OK, or the code with which the completion of the file failed.
 * @param[in] data As it was passed to scorpio_iosystem_on_completion(). */
typedef void (*scorpio_completion)(const char* path, int code, void* data);

/** Names the function that is called for each file that was created or opened for writing, when it has been
 * closed and is complete or has failed, whether its close was posted or not. A model that names its last
 * restart file in another file can write that file then.
 *
 * The function is called in the thread of the application, at the end of the scorpio_file_create(),
 * scorpio_file_open(), scorpio_file_sync(), scorpio_file_close(), scorpio_iosystem_wait() or
 * scorpio_iosystem_free() that has completed the file: on all ranks that have named one, in the same order.
 * It is not called for files that are only completed in MPI_Finalize(). It may make calls of the library,
 * also collective ones if all ranks have named it, but none for an I/O system that is being freed. It is
 * called once for each close of a file. The call that completed the file returns its own code;
 * scorpio_error_last() then returns the text of the last failure, which may be that of a call of the
 * function.
 * @local
 * @param[in] iosystem The I/O system.
 * @param[in] function The function, which takes the place of an earlier one; NULL: none is called from now
 * on.
 * @param[in] data Is passed to the function; may be NULL.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_on_completion(scorpio_iosystem* iosystem, scorpio_completion function,
                                               void* data);

/** Advances the writing of data that were put, as far as this rank can do so without waiting.
 *
 * An I/O rank passes full slots of the staging memory to its writing thread or, without the option
 * asynchronous, writes them. On several nodes ranks also send and receive the data of other nodes: the I/O
 * ranks, and the lowest rank of each node, which sends for the others. A put or get
 * does this for all open files, a wait, sync or close for its own file. A program that makes no such call for
 * a long time can call this function between its computations, so that data are written in the meantime, at
 * every thread level of MPI. With MPI_THREAD_MULTIPLE and the option progress_thread a thread of the library
 * sends and receives the data of files with asynchronous instead. A unit of the file of which only a part has
 * been put stays in staging memory until a later put fills it, or until the next sync or close.
 * @independent
 * @cost A few microseconds if there is nothing to do.
 * @param[in] iosystem The I/O system.
 * @return SCORPIO_OK or a code that every call can return; failures of the writing are returned by the next
 * synchronisation point of the file.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_progress(scorpio_iosystem* iosystem);

/** Reduces arrays by maximum, element by element, and returns the result on all ranks.
 *
 * The ranks of a node use the memory that they share, which takes less time than MPI_Allreduce() if several
 * ranks run on one core. Programs and interfaces that call this library can use it for agreements of their
 * own.
 * @collective Over the ranks of the I/O system.
 * @cost One agreement (an allreduce).
 * @param[in] iosystem The I/O system.
 * @param[in] count The number of values. Equal on all ranks.
 * @param[in,out] values [count] The values of this rank; when the call returns SCORPIO_OK, the maxima over
 * all ranks. They are unchanged after a failure.
 * @retval SCORPIO_ERR_ARGUMENT `count` is negative, or `values` is NULL on some rank although `count` is not
 * 0.
 * @retval SCORPIO_ERR_MISMATCH `count` differs between ranks, or other ranks are in another call. The I/O
 * system can only be freed.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_reduce_max(scorpio_iosystem* iosystem, int count, uint64_t* values);

/** Releases an I/O system, after it has completed all files whose close was posted. Its decompositions may be
 * released later.
 *
 * With the option `report` (docs/report.md) rank 0 writes a summary of what the I/O system has done.
 * @collective Over the ranks of the I/O system.
 * @cost One allreduce; with a report two or three more; while files are posted, what scorpio_iosystem_wait()
 * says.
 * @param[in] iosystem The I/O system, or NULL. All files must be closed on all ranks.
 * @retval SCORPIO_ERR_STATE Files are open, or MPI was finalized. Nothing is released, on any rank.
 * @retval SCORPIO_ERR_MISMATCH Other ranks are in another call. The I/O system is released on this rank
 * unless files are open.
 * @retval SCORPIO_ERR_POSTED As for scorpio_iosystem_wait(). The I/O system is released.
 * @retval SCORPIO_ERR_HANDLE The I/O system was released before.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_free(scorpio_iosystem* iosystem);

/** Returns the number of I/O ranks, and the position of this rank among them.
 * @local
 * @param[in] iosystem The I/O system.
 * @param[out] count The number of I/O ranks; may be NULL.
 * @param[out] mine The position of this rank, from 0; -1 if it is not an I/O rank; may be NULL.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_io_ranks(const scorpio_iosystem* iosystem, int* count, int* mine);

/** Describes as text the options of an I/O system and the resources that it uses.
 *
 * One line for each option contains its value, the origin of this value (program, environment, configuration
 * file or default) and the value in force, if it differs. Further lines contain what the library was built
 * with, the I/O ranks, the nodes, the kind of staging memory and the open files, with the options that the
 * program or a rule of the option file_options sets for them. They are followed by notes on options that
 * could not be met, on environment variables that are probably misspelt, on defects of files that were
 * opened, and, on the metadata rank, on variables of which chunks are stored without their lossy filter.
 * @local
 * @param[in] iosystem The I/O system.
 * @param[out] text [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `text` in bytes.
 * @param[out] length The length of the whole text in bytes, without the NUL; may be NULL.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_describe(const scorpio_iosystem* iosystem, char* text, size_t capacity,
                                          size_t* length);

/** Returns the value of one option of an I/O system that is in force, and where the value that was asked for
 * comes from.
 *
 * scorpio_iosystem_describe() returns all options as text, with both values where they differ.
 * scorpio_file_option() returns those of a file.
 * @local
 * @param[in] iosystem The I/O system.
 * @param[in] name The name of an option, of scorpio_option_names().
 * @param[out] value [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `value` in bytes.
 * @param[out] length The length of the whole value in bytes, without the NUL; may be NULL.
 * @param[out] origin Where the value comes from; may be NULL.
 * @retval SCORPIO_ERR_NAME No option has this name; the text of the failure names the most similar one.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_option(const scorpio_iosystem* iosystem, const char* name, char* value,
                                        size_t capacity, size_t* length, scorpio_option_origin* origin);

/** Prints a text on standard error, as the library prints its own failures, if the option `messages` is not
 * `none`: each text once on a node, with the rank. For programs and interfaces whose calls fail for reasons
 * of their own.
 * @local
 * @param[in] iosystem The I/O system, whose option counts.
 * @param[in] text The text, one line without a line feed; copied.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_message(const scorpio_iosystem* iosystem, const char* text);

/** Returns the value of a counter of this rank since the I/O system was created or its counters were reset.
 * @local
 * @param[in] iosystem The I/O system.
 * @param[in] name A name of docs/counters.md, for example "opens", "writes" or "bytes_written".
 * @param[out] value The value; times are in nanoseconds.
 * @retval SCORPIO_ERR_NAME No counter has this name.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_counter(const scorpio_iosystem* iosystem, const char* name, uint64_t* value);

/** Returns the names of all counters.
 * @local
 * @return An array of strings that ends with NULL; it belongs to the library and stays valid.
 * @anythread
 * @since 0.1 */
SCORPIO_API const char* const* scorpio_counter_names(void);

/** Sets all counters of this rank to zero.
 * @local
 * @param[in,out] iosystem The I/O system.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iosystem_reset_counters(scorpio_iosystem* iosystem);

#ifdef __cplusplus
}
#endif

#endif
