/* The description of an access: which elements of one variable, and where they are in memory. */
#ifndef SCORPIO_ACCESS_H
#define SCORPIO_ACCESS_H

#include <stddef.h>
#include <stdint.h>

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which ranks move the data of an access by hyperslabs in a collective call. An access by a decomposition,
 * and one of a nonblocking request, is SCORPIO_EACH_RANK. */
typedef enum scorpio_sharing {
  SCORPIO_EACH_RANK = 0, /* Each rank describes hyperslabs of its own; the accesses may differ. */
  SCORPIO_ALL_RANKS = 1, /* All ranks give the same access. Put: with the same data, of which one copy is
                          * written. Get: each rank gets the data. */
  SCORPIO_ONE_RANK = 2   /* Only the access of rank `root` counts. All ranks give `sharing` and `root`; the
                          * other fields are ignored on the other ranks, which put or get nothing. */
} scorpio_sharing;

/* An access selects elements either by a decomposition or by n hyperslabs. Fields that do not apply are 0 or
 * NULL, so that an access can be zero-initialized, or made by scorpio_hyperslab or scorpio_darray, and then
 * be completed. The library keeps no pointer to it: the struct and its arrays can be changed when the call
 * has returned, `data` and `decomp` of a nonblocking request when the request has been carried out.
 *
 * A fixed-length variable has the extents that it was defined with. Dimension 0 of a record variable counts
 * records: a put may select records after the last one, which adds them; a get may not. */
typedef struct scorpio_access {
  int variable; /* the id of the variable */

  /* Elements by a decomposition: this rank's part of it. */
  scorpio_decomp* decomp; /* NULL: the access selects hyperslabs */
  int64_t record;         /* The index along the variable's first dimension, where the decomposition is of the
                           * other dimensions; else 0. Equal on all ranks in a collective call. */
  const void* fill;       /* Collective put: one element of `type`, which is written to the elements that no
                           * rank holds; NULL: these elements keep their values. Equal on all ranks. */

  /* Elements by hyperslabs. */
  int64_t n;            /* The number of hyperslabs; 1 for a variable without dimensions. 0: this rank selects
                         * no elements; start is NULL then. */
  const int64_t* start; /* [n][ndims] the first index along each dimension */
  const int64_t* count; /* [n][ndims] the number of indices along each dimension; may be 0 */
  const int64_t* stride; /* [n][ndims] the distance between indices, at least 1; NULL: 1 */
  scorpio_sharing sharing;
  int root; /* the rank whose access counts, for SCORPIO_ONE_RANK */

  /* The memory. */
  scorpio_type type; /* The type of the elements in memory, which are converted to or from the variable's
                      * type. TEXT and OPAQUE elements are as long in memory as in the variable. */
  void* data;        /* [local elements of decomp], or the elements of the hyperslabs. Puts do not write to
                      * it. May be NULL on a rank that selects no elements. */
  const int64_t* offset; /* [n] the element of `data` at which each hyperslab begins; NULL: each begins after
                          * the elements of the one before it */
  const int64_t* map; /* [ndims] the distance in `data`, in elements, between neighbors along each dimension,
                       * the same for all hyperslabs; may be negative; NULL: row-major over count */
} scorpio_access;

/* One hyperslab of a variable: start, count [ndims], NULL for a variable without dimensions. Local. */
static inline scorpio_access scorpio_hyperslab(int variable, const int64_t* start, const int64_t* count,
                                               scorpio_type type, const void* data) {
#ifdef __cplusplus
  void* const memory = const_cast<void*>(data);
#else
  void* const memory = (void*)data;
#endif
  const scorpio_access access = {variable,          NULL, 0,    NULL,   1,    start, count, NULL,
                                 SCORPIO_EACH_RANK, 0,    type, memory, NULL, NULL};
  return access;
}

/* This rank's part of a decomposition, at index `record` along the variable's first dimension where the
 * decomposition is of the other dimensions. Local. */
static inline scorpio_access scorpio_darray(int variable, scorpio_decomp* decomp, int64_t record,
                                            scorpio_type type, const void* data) {
  scorpio_access access = scorpio_hyperslab(variable, NULL, NULL, type, data);
  access.decomp = decomp;
  access.record = record;
  access.n = decomp != NULL ? 0 : -1; /* a call with this access fails */
  return access;
}

#ifdef __cplusplus
}
#endif

#endif
