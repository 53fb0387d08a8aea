/** @file scorpio.h
 * SCORPIO: parallel input and output of large distributed arrays by two-phase I/O (collective buffering) in
 * the library: ranks exchange data with a few I/O ranks (aggregators), which write and read one ordinary HDF5
 * or netCDF file in large contiguous pieces. This header includes all others.
 *
 * **Status codes.** Every function returns SCORPIO_OK (0) or a negative code of codes.h; scorpio_error_last()
 * gives the text of the failure, the rank on which it began and the call that failed. The library never
 * prints, exits or aborts, unless the options `messages`, `report`, `explain` or `timeout_s` ask for it; the
 * exception is a file whose close was posted and that fails in MPI_Finalize(), which is reported on standard
 * error.
 *
 * **Handles.** A call with a handle that was closed or released before, or that the library never returned,
 * fails with SCORPIO_ERR_HANDLE. Before MPI_Init and after MPI_Finalize, calls that need MPI return
 * SCORPIO_ERR_STATE.
 *
 * **Communication.** The reference of each function says what it means for other ranks:
 *   - *Collective*: all ranks of the I/O system call it, in the same order; it may wait for other ranks.
 *   - *Independent*: any rank may call it; it may access files but does not communicate.
 *   - *Local*: it neither communicates nor accesses files.
 *
 * If ranks make different collective calls on an I/O system, or calls on different files, they do not wait
 * for each other indefinitely: all ranks return SCORPIO_ERR_MISMATCH, at the latest from the next
 * synchronisation point, and the text names two of the calls and their ranks. Every later call on this I/O
 * system returns the same failure on each rank at once. The program then closes the files and releases the
 * I/O system; each rank does so without waiting for others. A new file that was not complete does not get its
 * final name.
 *
 * **Synchronisation points** are the calls that return the same code on all ranks: sync, close, begin and end
 * of define mode, gets, waits with gets, and puts of hyperslabs that only some ranks know. They also return
 * failures of earlier calls: those of other ranks, and those of I/O ranks that wrote the data of earlier
 * puts.
 *
 * **Terms.** docs/glossary.md defines the terms of this reference. The most frequent ones are
 *   - *I/O rank* (aggregator): a rank that accesses files for other ranks;
 *   - *metadata rank*: the first I/O rank, which alone reads and writes the metadata of files;
 *   - *staging memory*: the collective buffers of the I/O ranks, which ranks of the same node share; each
 *     buffer, a *slot*, holds one *unit* of the file at a time;
 *   - *agreement*: an allreduce of a few numbers over the ranks of the I/O system, which determines the code
 *     that all ranks return;
 *   - *definition*: a call that changes groups, dimensions, variables or attributes of a file;
 *   - *eager file*: an HDF5 file with the option eager = "true", in which definitions are collective and take
 *     effect at once, because the application also uses its HDF5 id.
 *
 * *Cost* states the collective operations and messages of a call, and how often it copies an element. Counts
 * of messages and copies without further conditions are those of ranks that share a node with the I/O ranks.
 *
 * **Units.** Extents, starts, counts and strides are 64-bit numbers of elements, zero-based, slowest
 * dimension first (C order).
 *
 * **Threads.** One thread at a time may use an I/O system with its files and decompositions;
 * MPI_THREAD_SINGLE is enough, except for the option progress_thread. Different threads may use different I/O
 * systems at the same time with MPI_THREAD_MULTIPLE; the library enters HDF5 with one thread at a time. With
 * progress_thread the library has a thread of its own that calls MPI, but never HDF5, between the calls of
 * the program. Such an I/O system is to be freed before MPI_Finalize: MPICH aborts the program if the thread
 * is inside MPI when MPI_Finalize begins. If several threads use I/O systems with posted files, free
 * these before MPI_Finalize as well: it completes the remaining files in the order of the first posted close
 * of each I/O system, which could differ between ranks.
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
#include "plan.h"
#include "request.h"
#include "string_elements.h"
#include "types.h"
#include "variable.h"

/** @name The version of these headers
 * scorpio_version() returns that of the library.
 * @{ */
#define SCORPIO_VERSION_MAJOR 0 /**< Changes when programs have to be changed. */
#define SCORPIO_VERSION_MINOR 1 /**< Changes when functions are added. */
#define SCORPIO_VERSION_PATCH 0 /**< Changes when defects are corrected. */
/** @} */

#endif
