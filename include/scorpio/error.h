/* Version, and what the last failure was. */
#ifndef SCORPIO_ERROR_H
#define SCORPIO_ERROR_H

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0". Local. The string is the library's and lives for ever. */
SCORPIO_API const char* scorpio_version(void);

/* Short meaning of a code, never NULL. Local. The string is the library's. */
SCORPIO_API const char* scorpio_code_text(int code);

typedef struct scorpio_error {
  int code;        /* SCORPIO_OK if nothing failed yet */
  int origin_rank; /* lowest rank of the I/O system where it began, if ranks agreed on it; -1: this rank's own
                    */
  const char* text; /* the call in which it was met (which may be an earlier one, or another rank's), the
                     * file, what was wrong, with the values, and what to do; valid until the next failing
                     * call */
} scorpio_error;

/* The last failure that this thread saw in any SCORPIO call. Local.
 * `error`: out, filled; its text is the library's. */
SCORPIO_API int scorpio_error_last(scorpio_error* error);

#ifdef __cplusplus
}
#endif

#endif
