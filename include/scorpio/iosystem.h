/* Options, and I/O systems: a communicator, its I/O ranks and their staging memory. */
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

/* An empty set of options, for scorpio_iosystem_create, scorpio_file_create and scorpio_file_open.
 * Precedence: these > environment SCORPIO_<NAME> > configuration file (environment SCORPIO_CONFIG, JSON
 * object of name: value) > default. docs/options.md lists the names. A number of ranks from the environment
 * or the file is an upper bound; one set here must be met. Local. Free with scorpio_options_free. */
SCORPIO_API int scorpio_options_create(scorpio_options** options);

/* name, value: NUL-terminated, copied. Errors: SCORPIO_ERR_NAME unknown option (the text names the nearest);
 * SCORPIO_ERR_ARGUMENT a value that does not parse or is out of range. Local. */
SCORPIO_API int scorpio_options_set(scorpio_options* options, const char* name, const char* value);

SCORPIO_API int scorpio_options_free(scorpio_options* options); /* NULL is fine. Local. */

/* Duplicates `comm`, chooses the I/O ranks and makes the staging memory.
 * Collective over comm. `options` may be NULL; must be equal on all ranks. `iosystem`: out; NULL on failure.
 * Cost: two communicator duplications, up to three splits, a few small reductions and broadcasts.
 * Errors: ARGUMENT also I/O ranks that `comm` does not have, or options that contradict each other about
 * them; MISMATCH options differ between ranks; MEMORY staging could not be had in any form; STATE before
 * MPI_Init or after MPI_Finalize. */
SCORPIO_API int scorpio_iosystem_create(MPI_Comm comm, const scorpio_options* options,
                                        scorpio_iosystem** iosystem);

/* Collective, one agreement. All files must be closed on all ranks, and MPI not be finalized (else STATE on
 * all, and nothing is freed). Its decompositions may be freed later. NULL is fine; what was freed before is
 * HANDLE. Errors also: MISMATCH other ranks are in another call; it is freed on this rank all the same,
 * unless files are open. With option report (docs/report.md) rank 0 writes what was done, after two or three
 * more reductions. */
SCORPIO_API int scorpio_iosystem_free(scorpio_iosystem* iosystem);

/* Number of I/O ranks, and this rank's place among them (-1: none). Either pointer may be NULL. Local. */
SCORPIO_API int scorpio_iosystem_io_ranks(const scorpio_iosystem* iosystem, int* count, int* mine);

/* What was chosen and why: one line per option with where it is from and, where that is something else, what
 * is in force; then the I/O ranks, nodes, the kind of staging and the open files; then notes: what became of
 * options that cannot be met, misspelt environment variables, what was met while files were opened. Local.
 * `text` [capacity] gets a NUL-terminated, perhaps cut, copy; `length` (or NULL) the full length without NUL.
 */
SCORPIO_API int scorpio_iosystem_describe(const scorpio_iosystem* iosystem, char* text, size_t capacity,
                                          size_t* length);

/* This rank's counter since the I/O system was made, by name ("opens", "writes", "bytes_written", ...;
 * docs/counters.md). Times are in nanoseconds. Local. Errors: NAME no such counter. */
SCORPIO_API int scorpio_iosystem_counter(const scorpio_iosystem* iosystem, const char* name, uint64_t* value);

/* Names of all counters, NULL-terminated; the library's. Local. */
SCORPIO_API const char* const* scorpio_counter_names(void);

/* Sets all counters of this rank to zero. Local. */
SCORPIO_API int scorpio_iosystem_reset_counters(scorpio_iosystem* iosystem);

#ifdef __cplusplus
}
#endif

#endif
