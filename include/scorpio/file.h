/* Files: from create or open to close. */
#ifndef SCORPIO_FILE_H
#define SCORPIO_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `options` [both calls]: NULL, or what goes before the I/O system's for this file; an option that is the I/O
 * system's alone (docs/options.md) with another value than there is ARGUMENT. */

/* Makes a new file in the format that option `format` names ("hdf5", "cdf1", "cdf2", "cdf5"). It carries a
 * temporary name (`path`.scorpio-tmp) until its first sync or close, then `path`, replacing what was there,
 * whose permissions it takes; option file_name = "close" delays that until close, and eager = "true" gives
 * the final name and a live HDF5 id at once. Collective. `path` must be equal on all ranks. Errors: NO_SPACE,
 * PERMISSION (also: what is there is write-protected), NOT_FOUND (the folder), EXISTS (the name is that of a
 * folder, symbolic link or device; or of a file, with option replace = "false"), BUSY (another run, or
 * another handle, is writing this file), NAME (longer than the file system takes, or the path with the 16
 * bytes that the temporary and the journal add to it), IO. */
SCORPIO_API int scorpio_file_create(scorpio_iosystem* iosystem, const char* path,
                                    const scorpio_options* options, scorpio_file** file);

/* Opens a file of any of these formats, whoever wrote it; what a killed run left half changed is put back
 * first (from `path`.scorpio-journal). Symbolic links are followed. Collective. One rank reads the metadata,
 * all ranks get a copy. Errors: NOT_FOUND, PERMISSION, FORMAT (not HDF5 or netCDF, damaged, or no regular
 * file but a pipe, folder or device), NAME (as above), BUSY, IO. What the header of a classic file describes
 * behind the file's end reads as zeros, is counted (missing_bytes) and told by scorpio_iosystem_describe;
 * with option strict = "true" such a file is FORMAT. */
SCORPIO_API int scorpio_file_open(scorpio_iosystem* iosystem, const char* path, scorpio_open_mode mode,
                                  const scorpio_options* options, scorpio_file** file);

/* All data put so far are in the file and a stock reader finds them. Collective, a sync point: failures of
 * any rank since the last one come back here, the same on all ranks. */
SCORPIO_API int scorpio_file_sync(scorpio_file* file);

/* As sync, then closes. `file` is gone also when an error comes back; a new file that failed is not left
 * under its final name. Collective. NULL is fine. Every later call with `file` returns HANDLE on its rank, a
 * second close too. Errors also: STATE after MPI_Finalize; the file is not closed then. */
SCORPIO_API int scorpio_file_close(scorpio_file* file);

/* The format that was found or asked for. Local. */
SCORPIO_API int scorpio_file_format(scorpio_file* file, scorpio_format* format);

/* The live HDF5 id (hid_t) of an eager file, or of one opened for reading, on the first I/O rank (the
 * metadata rank). It is lent: whatever is written, made, extended or deleted through it is kept. On the other
 * I/O ranks the id that the last scorpio_file_mirror made; -1 where there is none. Local. Errors: STATE the
 * file is not eager.
 * Threads: the calls of this library enter HDF5 one at a time, but a caller's own HDF5 calls are outside of
 * that. While one thread calls HDF5 (with this or any other id), no other thread may call HDF5, nor this
 * library with HDF5 files, unless HDF5 was built thread-safe; netCDF classic files are of no concern. */
SCORPIO_API int scorpio_file_hdf5_id(scorpio_file* file, int64_t* id);

/* Gives every I/O rank but the first an HDF5 id of the file as it is now, with all that was put, defined, or
 * written through the live id before. The earlier id is closed unless a client holds objects open on it (then
 * it lasts until close). What a client makes through such an id stays in its process; data written through it
 * are in no file, and the next mirror fails with STATE. Collective. Cost: two agreements, one write of
 * changed metadata; no file is opened. Errors: STATE the file is not eager; IO. */
SCORPIO_API int scorpio_file_mirror(scorpio_file* file);

/* Ends this rank's use of an eager file, or of one opened for reading: on the first I/O rank the file is
 * completed and closed on disk, so that any tool may open it; elsewhere descriptors are closed. For programs
 * that close on some ranks only. Only scorpio_file_close may follow, sooner or later on all ranks; it frees
 * the rest. Independent: no communication. Errors: STATE the file is not eager, or data were put since the
 * last sync; IO, NO_SPACE. */
SCORPIO_API int scorpio_file_finish(scorpio_file* file);

/* What `path` names, soft links followed; SCORPIO_OBJECT_LINK for one that leads nowhere. `kind` gets a
 * scorpio_object_kind, SCORPIO_OBJECT_NONE if there is nothing (not an error). Local; in an eager file
 * Collective, because a client may have changed the file through its id. */
SCORPIO_API int scorpio_file_object(scorpio_file* file, const char* path, int* kind);

/* Number of variables, and the path of the i-th (0 <= i < count) into path[capacity]. Local. */
SCORPIO_API int scorpio_file_variable_count(scorpio_file* file, int* count);
SCORPIO_API int scorpio_file_variable_path(scorpio_file* file, int i, char* path, size_t capacity,
                                           size_t* length);

#ifdef __cplusplus
}
#endif

#endif
