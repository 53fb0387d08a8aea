/** @file access.h
 * The description of an access: which elements of one variable are moved, and where they are in memory. */
#ifndef SCORPIO_ACCESS_H
#define SCORPIO_ACCESS_H

#include <stddef.h>
#include <stdint.h>

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which ranks move the data of an access by hyperslabs in a collective call. Accesses by a decomposition and
 * accesses of nonblocking requests have SCORPIO_EACH_RANK. */
typedef enum scorpio_sharing {
  SCORPIO_EACH_RANK = 0, /**< Each rank describes hyperslabs of its own; the accesses may differ. */
  SCORPIO_ALL_RANKS = 1, /**< All ranks give the same access. A put writes the data of rank `root`, and `data`
                            of the other ranks may be NULL. A get gives the data to each rank. */
  SCORPIO_ONE_RANK = 2   /**< Only the access of rank `root` is used. All ranks give `sharing` and `root`; the
                            other fields are ignored on the other ranks, which put or get nothing. */
} scorpio_sharing;

/** Which elements of a variable are accessed, either by a decomposition or by `n` hyperslabs, and where they
 * are in memory.
 *
 * Fields that do not apply are 0 or NULL, so that an access can be zero-initialised, or be made by
 * scorpio_hyperslab() or scorpio_darray() and then be completed. The library keeps no pointer to the
 * structure: it and its arrays can be changed when the call has returned, `data` and `decomp` of a
 * nonblocking request when the request has been completed.
 *
 * Dimension 0 of a record variable counts records: a put may select records after the last one, which appends
 * them; a get may not. examples/tutorial.c and examples/tutorial_requests.c show accesses of each kind. */
typedef struct scorpio_access {
  int variable; /**< The id of the variable. */

  scorpio_decomp* decomp; /**< The decomposition of which this rank accesses its part; NULL for an access by
                             hyperslabs. Its extents are those of the variable; along unlimited dimensions
                             other than the first they can be less and, in a put, more, which extends the
                             dimensions. With `record` 0 the decomposition can also be of all dimensions of
                             a record variable, of any number of records: the call moves these records, from
                             record 0 on; a collective call does so one after the other. */
  int64_t record; /**< With `decomp`: the index along the variable's first dimension, where the decomposition
                     describes the other dimensions; else 0. Equal on all ranks in a collective call. */
  const void* fill; /**< With `decomp`, in a collective put: one element of `type` that is written to the
                       elements which no rank holds; NULL: these keep their values. Equal on all ranks. */

  int64_t n; /**< The number of hyperslabs; 1 for a variable without dimensions. If it is 0, this rank selects
                no elements, and `start` is NULL. */
  const int64_t* start;    /**< [n][ndims] The first index along each dimension. */
  const int64_t* count;    /**< [n][ndims] The number of indices along each dimension; may be 0. */
  const int64_t* stride;   /**< [n][ndims] The distance between indices, at least 1; NULL stands for 1. */
  scorpio_sharing sharing; /**< Which ranks move the data. */
  int root; /**< With SCORPIO_ONE_RANK: the rank whose access is used; with SCORPIO_ALL_RANKS, in a
               put: the rank whose data are written. */

  scorpio_type type; /**< The type of the elements in memory. They are converted to or from the variable's
                        type. Text and opaque elements have the same length in memory as in the variable. */
  void* data; /**< [local elements of `decomp`], or the elements of the hyperslabs. Puts do not write to it.
                 May be NULL on a rank that selects no elements. */
  const int64_t* offset; /**< [n] The element of `data` at which each hyperslab begins; NULL: each begins
                            after the elements of the hyperslab before it. */
  const int64_t*
      map; /**< [ndims] The distance in `data`, in elements, between neighbours along each dimension, the
              same for all hyperslabs; may be negative; NULL: row-major over `count`. */
} scorpio_access;

/** Returns the access of one hyperslab.
 * @local
 * @param[in] variable The id of the variable.
 * @param[in] start [ndims] The first index along each dimension; NULL for a variable without dimensions.
 * @param[in] count [ndims] The number of indices along each dimension; NULL for a variable without
 * dimensions.
 * @param[in] type The type of the elements in memory.
 * @param[in] data The elements in row-major order. Gets write to it.
 * @return The access.
 * @anythread
 * @since 0.1 */
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

/** Returns the access of this rank's part of a decomposition.
 * @local
 * @param[in] variable The id of the variable.
 * @param[in] decomp The decomposition; a call with the access fails where it is NULL.
 * @param[in] record The index along the variable's first dimension where the decomposition describes the
 * other dimensions; else 0.
 * @param[in] type The type of the elements in memory.
 * @param[in] data [local elements of `decomp`] The elements. Gets write to it.
 * @return The access.
 * @anythread
 * @since 0.1 */
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
