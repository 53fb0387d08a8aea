/** @file request.h
 * Nonblocking requests: puts and gets of single ranks, which are carried out together by a later call.
 *
 * A rank makes requests without communication, in any number and order, independently of the other ranks.
 * scorpio_wait() carries out the requests of all ranks by two-phase I/O: the union of their bytes is divided
 * among the I/O ranks, in as many rounds as the staging memory needs. Requests that are still pending at the
 * next scorpio_file_sync(), scorpio_file_close() or scorpio_define_begin() are carried out there. data.h
 * states the order of effects. With the option combine = "false" each request is an operation of its own.
 *
 * Requests can also be made in define mode, for all variables that are defined by then. scorpio_define_end()
 * leaves them pending. Later definitions may change the location of the data in the file; a request still
 * writes or reads the elements that its access selects.
 *
 * Source: Gao, Liao, Choudhary, Ross, Latham, "Combining I/O operations for multiple array variables in
 * parallel netCDF" (2009). */
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

/** The id of a nonblocking request of one rank on one file; positive. */
typedef int64_t scorpio_request;
/** The null request: the id of no request. */
#define SCORPIO_REQUEST_NULL ((scorpio_request)0)
/** Takes the place of the number of requests, and stands for all pending requests of this rank. */
#define SCORPIO_ALL_REQUESTS (-1)

/** Makes a request to write the elements of an access.
 *
 * The call checks the access and never waits.
 * @local
 * @cost No message and no copy.
 * @param[in] file The file.
 * @param[in] access The elements and the memory. `sharing` is SCORPIO_EACH_RANK and `fill` is NULL. By a
 * decomposition the access selects all elements that this rank holds; of an element that it holds more than
 * once, the last value is written. `data` and `decomp` must last until the request is completed.
 * @param[out] request The id of the request, SCORPIO_REQUEST_NULL after a failure; may be NULL: then only a
 * wait for all requests finds it.
 * @retval SCORPIO_ERR_ARGUMENT Fields of the access contradict each other, or `data` or an array is NULL.
 * @retval SCORPIO_ERR_SHAPE An element lies outside of the variable.
 * @retval SCORPIO_ERR_TYPE The types cannot be converted into each other.
 * @retval SCORPIO_ERR_STATE This rank has ended its use of the file (scorpio_file_finish()).
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @retval SCORPIO_ERR_LIMIT The format or the file cannot hold so many records.
 * @retval SCORPIO_ERR_UNSUPPORTED The variable cannot be written (scorpio_variable_access_inquire()).
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iput(scorpio_file* file, const scorpio_access* access, scorpio_request* request);

/** Makes a request to read the elements of an access.
 *
 * The call checks the access and never waits.
 * @local
 * @cost No message and no copy.
 * @param[in] file The file.
 * @param[in] access The elements and the memory. `sharing` is SCORPIO_EACH_RANK and `fill` is NULL. By a
 * decomposition the access selects all elements that this rank holds. `data` and `decomp` must last until the
 * request is completed.
 * @param[out] request The id of the request, SCORPIO_REQUEST_NULL after a failure; may be NULL: then only a
 * wait for all requests finds it.
 * @retval SCORPIO_ERR_ARGUMENT Fields of the access contradict each other, or `data` or an array is NULL.
 * @retval SCORPIO_ERR_SHAPE An element lies outside of the variable.
 * @retval SCORPIO_ERR_TYPE The types cannot be converted into each other.
 * @retval SCORPIO_ERR_STATE This rank has ended its use of the file (scorpio_file_finish()).
 * @retval SCORPIO_ERR_UNSUPPORTED The variable cannot be read (scorpio_variable_access_inquire()).
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iget(scorpio_file* file, const scorpio_access* access, scorpio_request* request);

/** Makes a request to write the elements of an access, whose data are copied into the attached buffer.
 *
 * The call checks the access and never waits.
 * @local
 * @cost No message, and one copy of the data.
 * @param[in] file The file.
 * @param[in] access The elements and the memory. `sharing` is SCORPIO_EACH_RANK and `fill` is NULL. By a
 * decomposition the access selects all elements that this rank holds; of an element that it holds more than
 * once, the last value is written. `data` can be used again when the call has returned; `decomp` must last
 * until the request is completed.
 * @param[out] request The id of the request, SCORPIO_REQUEST_NULL after a failure; may be NULL: then only a
 * wait for all requests finds it.
 * @retval SCORPIO_ERR_ARGUMENT Fields of the access contradict each other, or `data` or an array is NULL.
 * @retval SCORPIO_ERR_SHAPE An element lies outside of the variable.
 * @retval SCORPIO_ERR_TYPE The types cannot be converted into each other.
 * @retval SCORPIO_ERR_STATE No buffer is attached, or this rank has ended its use of the file
 * (scorpio_file_finish()).
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @retval SCORPIO_ERR_LIMIT The format or the file cannot hold so many records, or the attached
 *         buffer is full.
 * @retval SCORPIO_ERR_UNSUPPORTED The variable cannot be written (scorpio_variable_access_inquire()).
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_bput(scorpio_file* file, const scorpio_access* access, scorpio_request* request);

/** Makes requests to write the elements of several accesses, each as scorpio_iput() does: all of them, or
 * after a failure none.
 * @local
 * @cost As `n` calls of scorpio_iput().
 * @param[in] file The file.
 * @param[in] n The number of accesses; may be 0.
 * @param[in] accesses [n] The accesses; may be NULL if `n` is 0.
 * @param[out] requests [n] The ids of the requests, SCORPIO_REQUEST_NULL after a failure; may be NULL.
 * @retval SCORPIO_ERR_ARGUMENT `n` is negative. The other codes are those of scorpio_iput().
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iput_n(scorpio_file* file, int n, const scorpio_access* accesses,
                               scorpio_request* requests);

/** Makes requests to read the elements of several accesses, each as scorpio_iget() does: all of them, or
 * after a failure none.
 * @local
 * @cost As `n` calls of scorpio_iget().
 * @param[in] file The file.
 * @param[in] n The number of accesses; may be 0.
 * @param[in] accesses [n] The accesses; may be NULL if `n` is 0.
 * @param[out] requests [n] The ids of the requests, SCORPIO_REQUEST_NULL after a failure; may be NULL.
 * @retval SCORPIO_ERR_ARGUMENT `n` is negative. The other codes are those of scorpio_iget().
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_iget_n(scorpio_file* file, int n, const scorpio_access* accesses,
                               scorpio_request* requests);

/** Makes requests to write the elements of several accesses, each as scorpio_bput() does: all of them, or
 * after a failure none.
 * @local
 * @cost As `n` calls of scorpio_bput().
 * @param[in] file The file.
 * @param[in] n The number of accesses; may be 0.
 * @param[in] accesses [n] The accesses; may be NULL if `n` is 0.
 * @param[out] requests [n] The ids of the requests, SCORPIO_REQUEST_NULL after a failure; may be NULL.
 * @retval SCORPIO_ERR_ARGUMENT `n` is negative. The other codes are those of scorpio_bput().
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_bput_n(scorpio_file* file, int n, const scorpio_access* accesses,
                               scorpio_request* requests);

/** Attaches a buffer for the data of buffered puts. The library allocates its memory when requests are made.
 * @local
 * @param[in] file The file.
 * @param[in] bytes The number of bytes that pending buffered puts may hold together, as their elements are in
 * memory.
 * @retval SCORPIO_ERR_ARGUMENT `bytes` is negative.
 * @retval SCORPIO_ERR_STATE A buffer is attached already.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_buffer_attach(scorpio_file* file, int64_t bytes);

/** Detaches the buffer of buffered puts.
 * @local
 * @param[in] file The file.
 * @retval SCORPIO_ERR_STATE No buffer is attached, or buffered puts are pending.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_buffer_detach(scorpio_file* file);

/** Returns the size and the use of the buffer of buffered puts.
 * @local
 * @param[in] file The file.
 * @param[out] attached The size of the buffer in bytes, 0 where none is attached; may be NULL.
 * @param[out] used The number of bytes of pending buffered puts; may be NULL.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_buffer_inquire(scorpio_file* file, int64_t* attached, int64_t* used);

/** Carries out requests of all ranks together.
 *
 * In define mode the call ends it first, as scorpio_define_end() does.
 *
 * If no rank has a get among its requests, the call is not a synchronisation point: all memory of the
 * requests can be used again, each rank returns SCORPIO_ERR_RANGE for its own clipped values, and failures of
 * writing are returned on all ranks by the next synchronisation point. Where any rank has a get, even one of
 * no elements, the call is a synchronisation point and returns the same code on all ranks.
 * @collective Over the ranks of the I/O system. The requests and their number may differ between ranks.
 * @cost One agreement (an allreduce), and one more with gets. Unless the requests of all ranks together cover
 * all bytes between the first and the last one exactly once, also a reduction of 16 bytes for each range of
 * the file that has the length of a slot of the staging memory. Gets of variables that only HDF5 can read
 * (scorpio_get()) cost one agreement more, two in an eager file, and for each such variable the cost of a
 * wait for its requests alone.
 * @param[in] file The file.
 * @param[in] n The number of requests, which may be 0; or SCORPIO_ALL_REQUESTS: `requests` and `statuses` are
 * ignored then, and the call returns the first failure among the requests.
 * @param[in,out] requests [n] The ids. A request that was carried out becomes SCORPIO_REQUEST_NULL. Entries
 * that are SCORPIO_REQUEST_NULL are skipped.
 * @param[out] statuses [n] The code of each request: SCORPIO_OK, SCORPIO_ERR_RANGE or the failure; may be
 * NULL.
 * @retval SCORPIO_ERR_HANDLE A request does not exist or is named twice, on any rank; or its variable was
 * removed in the define mode in which the request was made. The call fails on all ranks before data are
 * moved, and the requests stay pending; the same holds for SCORPIO_ERR_ARGUMENT and SCORPIO_ERR_LIMIT.
 * @retval SCORPIO_ERR_LIMIT A request that was made in define mode puts records that the file cannot hold.
 * @retval SCORPIO_ERR_RANGE Values did not fit their new type and were clipped. The other codes are those of
 *         scorpio_put() and scorpio_get().
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_wait(scorpio_file* file, int n, scorpio_request* requests, int* statuses);

/** Returns whether requests of this rank are completed: carried out by any call, or cancelled.
 *
 * The call does not carry out any request and never waits.
 * @local
 * @param[in] file The file.
 * @param[in] n The number of requests; or SCORPIO_ALL_REQUESTS: `requests` is ignored then.
 * @param[in] requests [n] The ids; entries that are SCORPIO_REQUEST_NULL count as completed.
 * @param[out] done 1 if all of them are completed, else 0.
 * @retval SCORPIO_ERR_HANDLE A request was never made on this file by this rank.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_test(scorpio_file* file, int n, const scorpio_request* requests, int* done);

/** Removes pending requests without carrying them out.
 * @local
 * @param[in] file The file.
 * @param[in] n The number of requests; or SCORPIO_ALL_REQUESTS: `requests` is ignored then.
 * @param[in,out] requests [n] The ids, which become SCORPIO_REQUEST_NULL; entries that are
 * SCORPIO_REQUEST_NULL are skipped.
 * @retval SCORPIO_ERR_HANDLE A request does not exist or is named twice; nothing is removed then.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_cancel(scorpio_file* file, int n, scorpio_request* requests);

#ifdef __cplusplus
}
#endif

#endif
