/** @file scorpio.h
 * SCORPIO: parallel input and output of large distributed arrays by two-phase I/O (collective buffering) in
 * the library: ranks exchange data with a few I/O ranks (aggregators), which write and read one ordinary HDF5
 * or netCDF file in large contiguous pieces. This header includes all others.
 *
 * **Status codes.** Every function returns SCORPIO_OK (0) or a negative code of codes.h; scorpio_error_last()
 * gives the text of the failure, the rank on which it began and the call that failed. The library never
 * prints, exits or aborts.
 *
 * **Handles.** A handle that was closed or released before, or that never was one, is SCORPIO_ERR_HANDLE.
 * Before MPI_Init and after MPI_Finalize, calls that need MPI return SCORPIO_ERR_STATE.
 *
 * **Communication.** The reference of each function says what it means for other ranks:
 *   - *Collective*: all ranks of the I/O system call it, in the same order; it may wait for other ranks.
 *   - *Independent*: any rank may call it; it may access files but does not communicate.
 *   - *Local*: it neither communicates nor accesses files.
 *
 * Where ranks are in different collective calls of an I/O system, or in calls on different files, no rank
 * waits for ever: at the latest in the next synchronisation point all ranks get SCORPIO_ERR_MISMATCH, whose
 * text names two of the calls and their ranks. From then on every call on this I/O system returns the same
 * failure on each rank at once. Its files are to be closed and the I/O system is to be released, which each
 * rank does alone. A new file that was not complete is not created.
 *
 * **Synchronisation points** are the calls whose returned code is the same on all ranks: sync, close, define
 * mode, gets, and puts of hyperslabs that only some ranks know. A failure of another rank, or one that an I/O
 * rank met while it wrote data of an earlier call, is returned by the next of them.
 *
 * **Units.** Extents, starts, counts and strides are 64-bit numbers of elements, zero-based, slowest
 * dimension first (C order).
 *
 * **Threads.** One thread at a time may use an I/O system with its files and decompositions;
 * MPI_THREAD_SINGLE is enough. Different threads may use different I/O systems at the same time with
 * MPI_THREAD_MULTIPLE; the library enters HDF5 with one thread at a time.
 */
#ifndef SCORPIO_SCORPIO_H
#define SCORPIO_SCORPIO_H

#include "access.h"
#include "attribute.h"
#include "codes.h"
#include "data.h"
#include "decomposition.h"
#include "define.h"
#include "dimension.h"
#include "error.h"
#include "file.h"
#include "group.h"
#include "iosystem.h"
#include "request.h"
#include "types.h"
#include "variable.h"

/** @name The version of these headers
 * scorpio_version() returns that of the library.
 * @{ */
#define SCORPIO_VERSION_MAJOR 0 /**< Changes when programs have to be changed. */
#define SCORPIO_VERSION_MINOR 1 /**< Changes when functions are added. */
#define SCORPIO_VERSION_PATCH 0 /**< Changes when defects are mended. */
/** @} */

#endif
