/* SCORPIO: large distributed arrays of an MPI program into, and out of, one ordinary file.
 *
 * Terms (docs/glossary.md): an I/O rank opens the file for the others; a decomposition says which elements of
 * a global array each rank holds; put and get move a rank's part of a variable.
 *
 * Every function returns SCORPIO_OK (0) or a negative code of codes.h. The text, the rank where it began and
 * the failing call are read with scorpio_error_last(). The library never prints, exits or aborts.
 *
 * Handles are checked: in each call one that was closed or freed before, or never was one, is
 * SCORPIO_ERR_HANDLE. Calls with files or I/O systems need MPI: before MPI_Init and after MPI_Finalize they
 * return SCORPIO_ERR_STATE, but for those that only look at an I/O system.
 *
 * How each call concerns other ranks is given as
 *   Collective  all ranks of the I/O system call it, in the same order (it may wait for them);
 *   Independent any rank may call it, it may do I/O;
 *   Local       no communication at all.
 * Where ranks are in different collective calls of an I/O system, or in calls on different files, no rank
 * waits for ever: at the latest in the next sync point all ranks get MISMATCH, which names two calls and
 * their ranks. Every later call on this I/O system then returns the same on each rank at once; files are to
 * be closed and the I/O system freed, which each rank does alone. A file that was not complete is not made.
 * All extents, starts and counts are in elements, zero-based, slowest dimension first (C order), 64 bit.
 * Thread rule: one thread at a time per I/O system; MPI_THREAD_SINGLE is enough. Threads may use different
 * I/O systems at the same time, with MPI_THREAD_MULTIPLE; of those that need HDF5 one at a time enters it.
 */
#ifndef SCORPIO_SCORPIO_H
#define SCORPIO_SCORPIO_H

#include "codes.h"
#include "data.h"
#include "decomposition.h"
#include "define.h"
#include "error.h"
#include "file.h"
#include "iosystem.h"
#include "post.h"
#include "types.h"

#define SCORPIO_VERSION_MAJOR 0
#define SCORPIO_VERSION_MINOR 1
#define SCORPIO_VERSION_PATCH 0

#endif
