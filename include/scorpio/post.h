/* Posts: many requests, carried out in one operation. */
#ifndef SCORPIO_POST_H
#define SCORPIO_POST_H

#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A post is Local: it checks its arguments, never waits, copies nothing (scorpio_bput and bput_many apart)
 * and may be made by any rank, in any number and order. The wait carries out all requests of all ranks
 * together: the union of their bytes is divided among the I/O ranks, in as many rounds as staging needs.
 * Requests that nobody waited for are carried out at the next sync, close or scorpio_define_begin, and their
 * ids are gone then. Puts come before gets; where requests of one rank overlap the later one is written;
 * where those of several ranks do, it is undefined which. Option combine = "false" makes each request an
 * operation of its own. Gets may name variables that are chunked, compressed, compact, external or virtual:
 * the wait reads them through HDF5, one such variable after the other. Source: Gao, Liao, Choudhary, Ross,
 * Latham, "Combining I/O operations for multiple array variables in parallel netCDF" (2009). */

typedef int64_t scorpio_request; /* > 0; of one file and one rank */
#define SCORPIO_REQUEST_NULL ((scorpio_request)0)
#define SCORPIO_ALL_REQUESTS (-1)

/* request: out, may be NULL (then only a wait for all finds it). Errors: HANDLE, SHAPE the part leaves the
 * variable, TYPE, ARGUMENT, READ_ONLY, UNSUPPORTED (scorpio_variable_access_inquire: it cannot be read, or
 * not be written). Nothing is posted then. Local. */
SCORPIO_API int scorpio_iput(scorpio_file* file, const scorpio_access* access, scorpio_request* request);
SCORPIO_API int scorpio_iget(scorpio_file* file, const scorpio_access* access, scorpio_request* request);

/* As iput, but the data are copied into the attached buffer, and `data` can be used again at once. Errors
 * also: STATE no buffer is attached; LIMIT it is full. */
SCORPIO_API int scorpio_bput(scorpio_file* file, const scorpio_access* access, scorpio_request* request);

/* How many bytes buffered puts may hold in all; taken from memory as they are posted. STATE: attached
 * already, or (detach) not attached, or puts are in it. Local. */
SCORPIO_API int scorpio_buffer_attach(scorpio_file* file, int64_t bytes);
SCORPIO_API int scorpio_buffer_detach(scorpio_file* file);
SCORPIO_API int scorpio_buffer_inquire(scorpio_file* file, int64_t* attached, int64_t* used);

/* n parts of one variable in one request: starts, counts [n][ndims]; data holds the parts one behind the
 * other. Where parts of one request overlap it is undefined which is written. Local. */
SCORPIO_API int scorpio_iput_many(scorpio_file* file, int variable, int64_t n, const int64_t* starts,
                                  const int64_t* counts, scorpio_type type, const void* data,
                                  scorpio_request* request);
SCORPIO_API int scorpio_iget_many(scorpio_file* file, int variable, int64_t n, const int64_t* starts,
                                  const int64_t* counts, scorpio_type type, void* data,
                                  scorpio_request* request);
/* ... copied into the attached buffer, as scorpio_bput. */
SCORPIO_API int scorpio_bput_many(scorpio_file* file, int variable, int64_t n, const int64_t* starts,
                                  const int64_t* counts, scorpio_type type, const void* data,
                                  scorpio_request* request);

/* This rank's part of a decomposition, of one record of a variable: all elements that the rank holds,
 * whatever other ranks hold or post. Where ranks that hold the same element post it for the same wait, it is
 * undefined which of them is written (with scorpio_put_darray it is the highest); of an element that the rank
 * holds more than once, the last is. The decomposition must last until the request is carried out or
 * cancelled. Errors: as scorpio_iput. Local. */
SCORPIO_API int scorpio_iput_record(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                                    scorpio_type type, const void* data, scorpio_request* request);
SCORPIO_API int scorpio_iget_record(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                                    scorpio_type type, void* data, scorpio_request* request);

/* Carries out requests[n] (n = SCORPIO_ALL_REQUESTS: all of this rank's; `requests` is ignored then), each
 * set to SCORPIO_REQUEST_NULL; NULL ones are passed over. n may be 0: the rank takes part with nothing.
 * statuses [n] or NULL: SCORPIO_OK, RANGE (values were clipped), or what went wrong. A wrong argument on one
 * rank fails the wait on all of them before anything moves; requests stay posted then. Collective. Where no
 * rank gets, it is as scorpio_put: all buffers can be used again, a rank is told of its own clipped values,
 * and what fails when I/O ranks write comes back on all ranks at the next sync point. Where some rank gets,
 * be it no elements, it is a sync point: the returned code is the same on all ranks. Cost: one agreement, one
 * more with gets, and, unless the requests cover what is stored between the first and the last byte exactly,
 * a reduction of 16 bytes per unit of staging touched. Gets of variables that are read through HDF5 cost
 * one agreement more (in an eager file two), and for each such variable what requests of it alone would cost.
 */
SCORPIO_API int scorpio_wait(scorpio_file* file, int n, scorpio_request* requests, int* statuses);

/* Forgets requests. Local. Errors: HANDLE. */
SCORPIO_API int scorpio_cancel(scorpio_file* file, int n, scorpio_request* requests);

/* n accesses of this rank, and those of the other ranks, in one operation: posts and wait in one call. n may
 * differ between ranks. Collective, a sync point. A wrong access on one rank: its error on all, nothing is
 * done. */
SCORPIO_API int scorpio_put_list(scorpio_file* file, int n, const scorpio_access* accesses);
SCORPIO_API int scorpio_get_list(scorpio_file* file, int n, const scorpio_access* accesses);

#ifdef __cplusplus
}
#endif

#endif
