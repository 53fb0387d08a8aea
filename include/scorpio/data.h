/** @file data.h
 * Collective data calls, and the order in which data calls take effect.
 *
 * | what is written | one access | several accesses | nonblocking |
 * |---|---|---|---|
 * | parts of a decomposition | scorpio_put_darray() | scorpio_put_n() | scorpio_iput() |
 * | hyperslabs of each rank | scorpio_put() | scorpio_put_n() | scorpio_iput(), scorpio_bput() |
 * | a hyperslab that all ranks know | scorpio_put(), SCORPIO_ALL_RANKS | scorpio_put_n() | - |
 * | a hyperslab that one rank knows | scorpio_put(), SCORPIO_ONE_RANK | scorpio_put_n() | - |
 * | a single value | scorpio_put_scalar() | scorpio_put_n() | - |
 *
 * The calls that read have corresponding names (scorpio_get_darray(), ...).
 *
 * **The order of effects** in one file:
 *  1. Collective puts take effect in the order of the calls: of an element that two calls put, the value of
 * the later call is kept. Within one call, of an element that several ranks hold in a decomposition, the
 * value of the highest rank is written. Of an element that several accesses of one rank select by hyperslabs,
 * the value of the last access is written. Of an element that hyperslabs of several ranks select, or several
 * hyperslabs of one access, it is undefined which value is written.
 *  2. A get returns what all collective calls before it have put.
 *  3. A nonblocking request takes effect in the call that carries it out, as if that call put or got its
 * data: scorpio_wait(), or the scorpio_file_sync(), scorpio_file_close() or scorpio_define_begin() that comes
 * first.
 *  4. In one wait all puts of all ranks precede all gets. Of an element that several requests of one rank
 * put, the value of the latest request is written. Of an element that requests of several ranks put, it is
 * undefined which value is written. */
#ifndef SCORPIO_DATA_H
#define SCORPIO_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Writes the elements of one access.
 *
 * **By a decomposition, and by hyperslabs with SCORPIO_ALL_RANKS,** every rank knows what all ranks put. A
 * rank returns its own failures at once, and all ranks return them at the next synchronisation point. A
 * variable that cannot be written is refused on all ranks at once (SCORPIO_ERR_UNSUPPORTED); nothing in the
 * file changes. After SCORPIO_ERR_RANGE, and where all ranks made the same wrong call, the file has all other
 * data. After any other failure the file lacks data: a new file does not get its final name, and each later
 * call on it returns the failure.
 *
 * **By other hyperslabs** the call is a synchronisation point: it waits until all earlier puts are written,
 * and returns the same code on all ranks, which includes the failures of earlier puts. After a failure in the
 * access of any rank nothing is put.
 *
 * @note Files that were opened when the staging memory was used up (options staging_bytes, staging_files)
 * share one slot of it. If a call on one of these files fails on some ranks only, the other files lack the
 * data that were put since their last synchronisation point, and return SCORPIO_ERR_ABORTED from the next
 * one. A file to which no data were put since then is not affected.
 * @collective Over the ranks of the I/O system. All ranks give an access by a decomposition, or all give one
 * by hyperslabs with the same `sharing`.
 * @cost By a decomposition, and with SCORPIO_ALL_RANKS, no message where ranks share a node with the I/O
 * ranks, and one copy of each element; the call may wait for other ranks when the staging memory is full. On
 * several nodes a put to a file with variables that cannot be written costs one agreement (an allreduce), and
 * so does a put to an opened HDF5 file with variables that have no space yet. By other hyperslabs the cost of
 * scorpio_wait() and one agreement.
 * @param[in] file A file that is open for writing.
 * @param[in] access The elements and the memory, which can be used again when the call has returned. By a
 *       decomposition `variable`, `decomp`, `record` and `fill` are equal on all ranks; with
 *       SCORPIO_ALL_RANKS all fields except `data`.
 * @retval SCORPIO_ERR_ARGUMENT Fields of the access contradict each other, `data` or an array is NULL, or
 * `root` is not a rank.
 * @retval SCORPIO_ERR_SHAPE The extents of the variable and of the decomposition differ (outer extents of 1
 * do not count), or a hyperslab leaves the variable.
 * @retval SCORPIO_ERR_TYPE `type` cannot be converted to the type of the variable.
 * @retval SCORPIO_ERR_STATE This rank has ended its use of the file (scorpio_file_finish()).
 * @retval SCORPIO_ERR_READ_ONLY The file was opened for reading.
 * @retval SCORPIO_ERR_LIMIT The format or the file cannot hold so many records.
 * @retval SCORPIO_ERR_UNSUPPORTED The variable cannot be written; scorpio_variable_access_inquire() reports
 * this beforehand, with the reason.
 * @retval SCORPIO_ERR_RANGE Values did not fit the type of the variable and were clipped.
 * @retval SCORPIO_ERR_MISMATCH The ranks named different roots, or (at the next synchronisation point) made
 *         different puts.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_put(scorpio_file* file, const scorpio_access* access);

/** Writes the elements of several accesses.
 *
 * If `n` is positive and each access is by a decomposition or has SCORPIO_ALL_RANKS, the call is the same as
 * `n` calls of scorpio_put(): `n` and the accesses are equal on all ranks, except `data`. Consecutive
 * accesses by the same decomposition are one operation; they must name different variables or records.
 *
 * Otherwise the call is the same as a wait for nonblocking requests of all accesses: `n` and the accesses may
 * differ between ranks, but all ranks give the accesses whose `sharing` is not SCORPIO_EACH_RANK in the same
 * order. Accesses by decompositions have no fill value in this case, and of an element that several ranks
 * hold it is undefined whose value is written.
 * @collective Over the ranks of the I/O system. The same one of the two cases holds on all ranks.
 * @cost As scorpio_put(); by hyperslabs that of one scorpio_put() for all accesses.
 * @param[in] file A file that is open for writing.
 * @param[in] n The number of accesses; may be 0.
 * @param[in] accesses [n] The accesses; may be NULL if `n` is 0.
 * @retval SCORPIO_ERR_ARGUMENT `n` is negative, a record of a variable is named twice in one operation, or as
 * for scorpio_put(). The other codes are those of scorpio_put() too.
 * @retval SCORPIO_ERR_MISMATCH The accesses whose `sharing` is not SCORPIO_EACH_RANK differ between ranks.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_put_n(scorpio_file* file, int n, const scorpio_access* accesses);

/** Reads the elements of one access.
 *
 * This is a synchronisation point: all ranks return the same code, which includes failures of puts since the
 * last one. Elements of `data` that the access does not select, such as holes of a decomposition, keep their
 * values. A get that some ranks refuse, or that differs between ranks, fails on all ranks and changes nothing
 * in the file.
 * @collective Over the ranks of the I/O system. All ranks give an access by a decomposition, or all give one
 * by hyperslabs.
 * @cost By a decomposition, and with SCORPIO_ALL_RANKS, one agreement (an allreduce), two on several nodes,
 * and one copy of each element. By other hyperslabs as scorpio_wait() with gets. A variable that only HDF5
 * can read (compact, external or virtual, with a filter that this library does not have, or chunked in an
 * eager file) is read through HDF5 by each I/O rank for itself. Of a variable that is stored contiguously,
 * gaps between the elements that ranks get are not read if they are longer than an eighth of a staging slot.
 * @param[in] file The file.
 * @param[in] access The elements and the memory; `fill` is ignored. By a decomposition `variable`, `decomp`
 * and `record` are equal on all ranks; with SCORPIO_ALL_RANKS all fields except `data`.
 * @retval SCORPIO_ERR_ARGUMENT As for scorpio_put(), as are SCORPIO_ERR_TYPE and SCORPIO_ERR_STATE.
 * @retval SCORPIO_ERR_SHAPE The file does not have the record, or as for scorpio_put().
 * @retval SCORPIO_ERR_RANGE All elements were read; values that did not fit `type`, or in an earlier put the
 * type of the variable, were clipped.
 * @retval SCORPIO_ERR_UNSUPPORTED The library cannot read the type of the variable, or a filter is missing.
 * @retval SCORPIO_ERR_MISMATCH The ranks named different variables, decompositions or records.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_get(scorpio_file* file, const scorpio_access* access);

/** Reads the elements of several accesses.
 *
 * scorpio_put_n() says how the accesses are carried out.
 * @collective Over the ranks of the I/O system; a synchronisation point.
 * @cost If each access is by a decomposition or has SCORPIO_ALL_RANKS, that of one scorpio_get() for each
 * operation; else that of one scorpio_get() by hyperslabs of each rank.
 * @param[in] file The file.
 * @param[in] n The number of accesses; may be 0.
 * @param[in] accesses [n] The accesses; may be NULL if `n` is 0.
 * @retval SCORPIO_ERR_ARGUMENT As for scorpio_put_n(); the other codes are those of scorpio_get().
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_get_n(scorpio_file* file, int n, const scorpio_access* accesses);

/** @name Short forms
 * @{ */

/** Writes this rank's part of a decomposition: scorpio_put() of the access that scorpio_darray() returns.
 * @collective Over the ranks of the I/O system.
 * @cost As scorpio_put().
 * @param[in] file A file that is open for writing.
 * @param[in] variable The id of the variable. Equal on all ranks.
 * @param[in] decomp The decomposition. Equal on all ranks.
 * @param[in] record As in scorpio_darray(). Equal on all ranks.
 * @param[in] type The type of the elements in memory.
 * @param[in] data [local elements of `decomp`] The elements.
 * @retval SCORPIO_ERR_HANDLE `decomp` is NULL or does not exist. The other codes are those of scorpio_put().
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_put_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                                   scorpio_type type, const void* data);

/** Reads this rank's part of a decomposition: scorpio_get() of the access that scorpio_darray() returns.
 * @collective Over the ranks of the I/O system; a synchronisation point.
 * @cost As scorpio_get().
 * @param[in] file The file.
 * @param[in] variable The id of the variable. Equal on all ranks.
 * @param[in] decomp The decomposition. Equal on all ranks.
 * @param[in] record As in scorpio_darray(). Equal on all ranks.
 * @param[in] type The type of the elements in memory.
 * @param[out] data [local elements of `decomp`] The elements.
 * @retval SCORPIO_ERR_HANDLE `decomp` is NULL or does not exist. The other codes are those of scorpio_get().
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_get_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                                   scorpio_type type, void* data);

/** Writes the value of a variable that has no dimensions or one element: scorpio_put() with
 * SCORPIO_ALL_RANKS and root 0.
 * @collective Over the ranks of the I/O system.
 * @cost As scorpio_put() with SCORPIO_ALL_RANKS: no message where ranks share a node with the I/O ranks.
 * @param[in] file A file that is open for writing.
 * @param[in] variable The id of the variable. Equal on all ranks.
 * @param[in] type The type of the value in memory.
 * @param[in] value One element. That of rank 0 is written.
 * @retval SCORPIO_ERR_SHAPE The variable does not have one element. The other codes are those of
 * scorpio_put().
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_put_scalar(scorpio_file* file, int variable, scorpio_type type, const void* value);

/** Reads the value of a variable that has no dimensions or one element: scorpio_get() with SCORPIO_ALL_RANKS.
 * @collective Over the ranks of the I/O system; a synchronisation point.
 * @cost As scorpio_get() with SCORPIO_ALL_RANKS.
 * @param[in] file The file.
 * @param[in] variable The id of the variable. Equal on all ranks.
 * @param[in] type The type of the value in memory.
 * @param[out] value One element.
 * @retval SCORPIO_ERR_SHAPE The variable does not have one element. The other codes are those of
 * scorpio_get().
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_get_scalar(scorpio_file* file, int variable, scorpio_type type, void* value);

/** @} */

/** Describes as text what scorpio_put_darray() and scorpio_get_darray() of a variable cost, without moving
 * data.
 *
 * The text names the I/O ranks, the file domains, the exchange and the chunks that are in force, with the
 * options that led to them. It contains the number of messages between nodes, the bytes of elements in them,
 * the rounds in which they cross, the units in which the file is written, and, unless the variable is stored
 * in chunks, the writes; these are the numbers of a single put between two synchronisation points, and of
 * a get. A line for each other choice of I/O ranks, domains and option transfer says what the put
 * would cost with it, and a last one names the cheapest. By a decomposition of all dimensions of a record
 * variable, whose records are moved one after the other, it is the text of record 0, with the number of
 * records. The text is the same on all ranks. scorpio_job_plan() computes the costs before a job is run.
 * @collective Over the ranks of the I/O system. The call ends define mode.
 * @cost One agreement, and the computation of the units that the variable touches, for each choice.
 * @param[in] file The file.
 * @param[in] variable The id of the variable. Equal on all ranks.
 * @param[in] decomp The decomposition. Equal on all ranks.
 * @param[in] record The index along the variable's first dimension, as in scorpio_darray(). If the file is
 * open for writing, the index may be greater than that of the last record; the call does not append a record.
 * Equal on all ranks.
 * @param[out] text [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `text` in bytes.
 * @param[out] length The length of the whole text in bytes, without the NUL; may be NULL.
 * @retval SCORPIO_ERR_HANDLE `decomp` is NULL or does not exist, or no variable has this id.
 * @retval SCORPIO_ERR_SHAPE The extents of the variable and of the decomposition differ.
 * @retval SCORPIO_ERR_MISMATCH The ranks passed different arguments.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_explain_darray(scorpio_file* file, int variable, scorpio_decomp* decomp,
                                       int64_t record, char* text, size_t capacity, size_t* length);

#ifdef __cplusplus
}
#endif

#endif
