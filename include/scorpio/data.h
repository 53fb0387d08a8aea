/* Collective data calls. */
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

/* The order of effects in one file:
 *
 * (1) Collective puts take effect in the order of the calls: of an element that two calls put, the value of
 *     the later call is kept. Within one call, of an element that several ranks hold in a decomposition, the
 *     value of the highest rank is written. Of an element that several accesses of one rank select by
 *     hyperslabs, the value of the last access is written. Of an element that hyperslabs of several ranks
 *     select, or several hyperslabs of one access, it is undefined which value is written.
 * (2) A get returns what all collective calls before it have put.
 * (3) A nonblocking request takes effect in the call that carries it out: scorpio_wait, or the
 *     scorpio_file_sync, scorpio_file_close or scorpio_define_begin that comes first; as if this call put it.
 * (4) In one wait, all puts of all ranks precede all gets. Of an element that several requests of one rank
 *     put, the value of the request that was posted last is written. Of an element that requests of several
 *     ranks put, it is undefined which value is written. */

/* Puts the elements of one access.
 *
 * Collective. All ranks give an access by a decomposition, or all give one by hyperslabs.
 *
 * @param file    in: a file that is open for writing
 * @param access  in: the elements and the memory, which can be used again when the call has returned. By a
 *                decomposition: variable, decomposition, record and fill are equal on all ranks.
 *
 * Cost. By a decomposition: no message where ranks share a node with the I/O ranks, and one copy of each
 * element; the call may wait for other ranks when the staging memory is full. A put to a file that holds
 * variables which cannot be written costs one agreement where there are several nodes. By hyperslabs: as
 * scorpio_wait, and one agreement more.
 *
 * Errors. HANDLE; ARGUMENT: fields of the access contradict each other, `data` or an array is NULL, `root` is
 * no rank; SHAPE: the extents of variable and decomposition differ (outer extents of 1 do not count), or a
 * hyperslab leaves the variable; TYPE; STATE: the file is closed; READ_ONLY; LIMIT: more records than the
 * format or a file can hold; UNSUPPORTED: the variable is stored in chunks or compressed
 * (scorpio_variable_access_inquire reports this beforehand); RANGE: values did not fit the variable's type
 * and were clipped.
 *
 * By hyperslabs the call is a sync point of the data: it waits until all earlier puts are written, and
 * returns the same code on all ranks. After an error in the access of any rank nothing is put. MISMATCH: the
 * ranks named different roots.
 *
 * By a decomposition a rank returns its own errors. They come back on all ranks at the next sync point,
 * except UNSUPPORTED on all ranks, which costs the file nothing. After RANGE, and where all ranks made the
 * same wrong call, the file has everything else. After any other error the file lacks data: a new file does
 * not get its final name, and each later call on it returns the failure. MISMATCH at the next sync point: the
 * ranks made different puts. Files that were opened when the staging memory was used up (options
 * staging_bytes, staging_files) share what is left: where some ranks cannot take part in a call on one of
 * these files, the others lack what was put since their last sync point and return ABORTED at the next one;
 * files to which nothing was put since then have lost nothing. */
SCORPIO_API int scorpio_put(scorpio_file* file, const scorpio_access* access);

/* Puts the elements of n accesses, as scorpio_put does.
 *
 * Collective. The accesses of this rank decide how they are put, and must decide the same on all ranks:
 * - Where n > 0 and all accesses are by decompositions: as so many calls of scorpio_put. n and the accesses
 *   are equal on all ranks, `data` apart. Consecutive accesses by one decomposition are one operation, and
 *   name different variables or records (else ARGUMENT).
 * - Else as one scorpio_wait for requests of all accesses: n and the accesses may differ between ranks,
 * except that all ranks give those that are not SCORPIO_EACH_RANK in the same order (else MISMATCH). Accesses
 * by decompositions among them have no fill value, and of an element that several ranks hold it is undefined
 *   whose value is written.
 *
 * @param file      in: a file that is open for writing
 * @param n         in: the number of accesses; may be 0
 * @param accesses  in: [n]; may be NULL if n is 0
 *
 * Cost, errors: as scorpio_put; ARGUMENT also: n is negative. */
SCORPIO_API int scorpio_put_n(scorpio_file* file, int n, const scorpio_access* accesses);

/* Gets the elements of one access.
 *
 * Collective, a sync point: all ranks return the same code, and errors of puts since the last sync point come
 * back here. All ranks give an access by a decomposition, or all give one by hyperslabs. Elements of `data`
 * that the access does not select, such as holes of a decomposition, keep their values.
 *
 * @param file    in
 * @param access  in: the elements and the memory; `fill` is ignored. By a decomposition: variable,
 *                decomposition and record are equal on all ranks.
 *
 * Cost. By a decomposition: one agreement, two on several nodes. By hyperslabs: as scorpio_wait with gets. A
 * variable that is chunked, compressed, compact, external or virtual is read through HDF5, by each I/O rank
 * for itself.
 *
 * Errors. As scorpio_put; SHAPE also: a record that the file does not have; RANGE: all elements were got, but
 * values that did not fit `type`, or in an earlier put the variable's type, were clipped; UNSUPPORTED: the
 * variable has a type, or is compressed by a filter, that cannot be read here. A get that some ranks refuse,
 * or that differs between ranks (MISMATCH), fails on all ranks and costs the file nothing. */
SCORPIO_API int scorpio_get(scorpio_file* file, const scorpio_access* access);

/* Gets the elements of n accesses, as scorpio_get does. Collective, a sync point. Parameters and the choice
 * between the two ways are those of scorpio_put_n; by decompositions, consecutive accesses by one
 * decomposition are one operation, and each operation costs what one scorpio_get costs. */
SCORPIO_API int scorpio_get_n(scorpio_file* file, int n, const scorpio_access* accesses);

/* ---- short forms ---- */

/* scorpio_put and scorpio_get of the access scorpio_darray(variable, decomp, record, type, data), with HANDLE
 * where `decomp` is NULL. */
SCORPIO_API int scorpio_put_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                                   scorpio_type type, const void* data);
SCORPIO_API int scorpio_get_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                                   scorpio_type type, void* data);

/* scorpio_put and scorpio_get, with SCORPIO_ALL_RANKS, of a variable that has no dimensions or one element.
 * value: one element of `type`, when putting equal on all ranks. SHAPE: the variable has not one element. */
SCORPIO_API int scorpio_put_scalar(scorpio_file* file, int variable, scorpio_type type, const void* value);
SCORPIO_API int scorpio_get_scalar(scorpio_file* file, int variable, scorpio_type type, void* value);

#ifdef __cplusplus
}
#endif

#endif
