/* Decompositions: which elements of a global array each rank holds. */
#ifndef SCORPIO_DECOMPOSITION_H
#define SCORPIO_DECOMPOSITION_H

#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A decomposition holds for any element type and any variable of the same extents. All constructors are
 * Collective over the I/O system: ranks learn whether parts overlap or leave holes (a reduction and a
 * gathering of a few numbers per rank; an exchange of runs only where blocks do not tell). ndims and dims
 * must be equal on all ranks (MISMATCH). Where ranks hold the same element, the highest rank's value is
 * written; on reading each gets it. */

/* A block per rank: start, count [ndims]. A zero count: this rank holds nothing.
 * Errors: SHAPE when the block leaves the array (with dimension and values). */
SCORPIO_API int scorpio_decomp_block(scorpio_iosystem* iosystem, int ndims, const int64_t* dims,
                                     const int64_t* start, const int64_t* count, scorpio_decomp** decomp);

/* Rows of dimension 0, equal shares in rank order; the first dims[0] mod ranks ranks hold one more. */
SCORPIO_API int scorpio_decomp_uniform(scorpio_iosystem* iosystem, int ndims, const int64_t* dims,
                                       scorpio_decomp** decomp);

/* `rows` rows of dimension 0 for this rank, packed in rank order from row 0. The sum may be less than dims[0]
 * (the rest is not written), not more (SHAPE). */
SCORPIO_API int scorpio_decomp_rows(scorpio_iosystem* iosystem, int ndims, const int64_t* dims, int64_t rows,
                                    scorpio_decomp** decomp);

/* Hyperslab: count blocks of `block` elements, `stride` apart; [ndims] each; stride, block may be NULL (= 1).
 */
SCORPIO_API int scorpio_decomp_strided(scorpio_iosystem* iosystem, int ndims, const int64_t* dims,
                                       const int64_t* start, const int64_t* stride, const int64_t* count,
                                       const int64_t* block, scorpio_decomp** decomp);

/* Any map: element i of this rank's buffer is global element index[i] (row-major, zero-based); -1: a hole.
 * index [n] is not kept; may be NULL if n is 0. Errors: SHAPE an index outside the array, with its place. */
SCORPIO_API int scorpio_decomp_map(scorpio_iosystem* iosystem, int ndims, const int64_t* dims, int64_t n,
                                   const int64_t* index, scorpio_decomp** decomp);

/* Length of this rank's buffer in elements, holes included. Local. */
SCORPIO_API int scorpio_decomp_local_elements(const scorpio_decomp* decomp, int64_t* elements);

/* Who sends what where, as text (this rank's view). Local. Arguments as scorpio_iosystem_describe. */
SCORPIO_API int scorpio_decomp_describe(const scorpio_decomp* decomp, char* text, size_t capacity,
                                        size_t* length);

/* Local. NULL is fine; what was freed before is HANDLE. Data put with it are not lost: nothing refers to it
 * after put returned, nor after a request of scorpio_iput_record or scorpio_iget_record was carried out. */
SCORPIO_API int scorpio_decomp_free(scorpio_decomp* decomp);

#ifdef __cplusplus
}
#endif

#endif
