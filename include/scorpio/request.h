/* Nonblocking requests: puts and gets of single ranks, which are carried out together later. */
#ifndef SCORPIO_REQUEST_H
#define SCORPIO_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A rank posts a request without communication, in any number and order, and without any other rank. The wait
 * carries out the requests of all ranks by two-phase I/O: the union of their bytes is divided among the I/O
 * ranks, in as many rounds as the staging memory needs. Requests that are still posted at the next
 * scorpio_file_sync, scorpio_file_close or scorpio_define_begin are carried out there. data.h states the
 * order of effects. With option combine = "false" each request is an operation of its own. Source: Gao, Liao,
 * Choudhary, Ross, Latham, "Combining I/O operations for multiple array variables in parallel netCDF" (2009).
 */

typedef int64_t scorpio_request; /* > 0; the id of a request, in one file and on one rank */
#define SCORPIO_REQUEST_NULL ((scorpio_request)0)
#define SCORPIO_ALL_REQUESTS (-1)

/* Posts a put (iput), a get (iget) or a buffered put (bput) of one access.
 *
 * Local: it checks the access and never waits.
 *
 * @param file     in
 * @param access   in: `sharing` is SCORPIO_EACH_RANK, `fill` is NULL. By a decomposition: all elements that
 *                 this rank holds; of an element that it holds more than once, the last is put. `data` and
 *                 `decomp` must last until the request has been carried out or cancelled; `data` of a
 * buffered put can be used again at once.
 * @param request  out: the id, SCORPIO_REQUEST_NULL after an error; may be NULL: then only a wait for all
 *                 requests finds it
 *
 * Cost: no message; a buffered put copies the data once more, into the attached buffer.
 *
 * Errors, after which nothing is posted: HANDLE; ARGUMENT: fields of the access contradict each other, `data`
 * or an array is NULL; SHAPE: an element leaves the variable; TYPE; STATE: the file is in define mode, or for
 * a buffered put no buffer is attached; READ_ONLY; LIMIT: more records than the format or a file can hold, or
 * the attached buffer is full; UNSUPPORTED: the variable cannot be written, or cannot be read
 * (scorpio_variable_access_inquire). */
SCORPIO_API int scorpio_iput(scorpio_file* file, const scorpio_access* access, scorpio_request* request);
SCORPIO_API int scorpio_iget(scorpio_file* file, const scorpio_access* access, scorpio_request* request);
SCORPIO_API int scorpio_bput(scorpio_file* file, const scorpio_access* access, scorpio_request* request);

/* Posts n requests: all of them, or after an error none. Local.
 *
 * @param n         in: the number of accesses; may be 0
 * @param accesses  in: [n]; may be NULL if n is 0
 * @param requests  out: [n] the ids, or after an error SCORPIO_REQUEST_NULL; may be NULL
 *
 * Cost, errors: as one request for each access; ARGUMENT also: n is negative. */
SCORPIO_API int scorpio_iput_n(scorpio_file* file, int n, const scorpio_access* accesses,
                               scorpio_request* requests);
SCORPIO_API int scorpio_iget_n(scorpio_file* file, int n, const scorpio_access* accesses,
                               scorpio_request* requests);
SCORPIO_API int scorpio_bput_n(scorpio_file* file, int n, const scorpio_access* accesses,
                               scorpio_request* requests);

/* Attaches a buffer for buffered puts, detaches it, or reports it. Local.
 *
 * @param bytes     in: how many bytes buffered puts may hold together; the memory is allocated put by put
 * @param attached  out: that number, 0 where no buffer is attached; may be NULL
 * @param used      out: the bytes of buffered puts that are still posted; may be NULL
 *
 * Errors. HANDLE; ARGUMENT: bytes is negative; STATE: a buffer is attached already, or (detach) no buffer is
 * attached, or buffered puts are still posted. */
SCORPIO_API int scorpio_buffer_attach(scorpio_file* file, int64_t bytes);
SCORPIO_API int scorpio_buffer_detach(scorpio_file* file);
SCORPIO_API int scorpio_buffer_inquire(scorpio_file* file, int64_t* attached, int64_t* used);

/* Carries out requests.
 *
 * Collective; the requests and their number may differ between ranks. Where no rank gets, the call is no sync
 * point: all memory of the requests can be used again, each rank returns RANGE for its own clipped values,
 * and errors of writing come back on all ranks at the next sync point. Where any rank gets, even no elements,
 * the call is a sync point and returns the same code on all ranks.
 *
 * @param file      in
 * @param n         in: the number of requests, which may be 0; SCORPIO_ALL_REQUESTS: all that this rank has
 *                  posted, `requests` and `statuses` are ignored
 * @param requests  in, out: [n]; each request that was carried out becomes SCORPIO_REQUEST_NULL. Entries that
 *                  are SCORPIO_REQUEST_NULL are skipped.
 * @param statuses  out: [n] the code of each request: SCORPIO_OK, RANGE or the error; may be NULL
 *
 * Cost: one agreement, and one more with gets; unless the requests cover all bytes between the first and the
 * last one, a reduction of 16 bytes per unit of staging memory. Gets of variables that are read through HDF5
 * (chunked, compressed, compact, external, virtual) cost one agreement more, two in an eager file, and for
 * each such variable what a wait for its requests alone would cost.
 *
 * Errors. A wrong argument on any rank (HANDLE: no such request, or a request is named twice; ARGUMENT) fails
 * the call on all ranks before any data are moved, and the requests stay posted. RANGE as above. Other errors
 * as scorpio_put. */
SCORPIO_API int scorpio_wait(scorpio_file* file, int n, scorpio_request* requests, int* statuses);

/* Reports whether requests of this rank have been completed: carried out by any call, or cancelled.
 *
 * Local: it does not carry out any request, and never waits.
 *
 * @param n         in: the number of requests; SCORPIO_ALL_REQUESTS: all that this rank has posted,
 * `requests` is ignored
 * @param requests  in: [n]; entries that are SCORPIO_REQUEST_NULL count as completed
 * @param done      out: 1 if all of them have been completed, else 0
 *
 * Errors. HANDLE: an id that this file has never issued on this rank; ARGUMENT. */
SCORPIO_API int scorpio_test(scorpio_file* file, int n, const scorpio_request* requests, int* done);

/* Removes requests that have not been carried out; each becomes SCORPIO_REQUEST_NULL. Local. n as in
 * scorpio_wait. Errors: HANDLE: no such request, or a request is named twice; nothing is removed then. */
SCORPIO_API int scorpio_cancel(scorpio_file* file, int n, scorpio_request* requests);

#ifdef __cplusplus
}
#endif

#endif
