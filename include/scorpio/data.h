/* Data that all ranks move in one call. */
#ifndef SCORPIO_DATA_H
#define SCORPIO_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes this rank's part. `data` [local elements of decomp] of `type`, converted to the variable's type;
 * reusable when put returns. `record`: the index along the variable's first dimension where the decomposition
 * is of the other dimensions, else 0; equal on all ranks. Where that dimension is unlimited, a put at or
 * after the number of records adds records; a get there, and any call after the end of a dimension of fixed
 * length, fails with SHAPE. Collective: no message where ranks share a node with the I/O ranks; it may wait
 * for others when staging is full. Each byte is copied once before it is written. Errors of this rank:
 * HANDLE, ARGUMENT (NULL data), SHAPE (extents of variable and decomposition differ; outer ones of 1 do not
 * count), TYPE, STATE (closed), READ_ONLY, LIMIT (more records than the format or a file can hold),
 * UNSUPPORTED (an existing variable in chunks or compressed; scorpio_variable_access_inquire says so
 * beforehand), RANGE (values that did not fit; they were clipped). They come back on every rank at the next
 * sync point, but for UNSUPPORTED on all ranks, which costs the file nothing. After RANGE, and when
 * all ranks made the same wrong call, the file has everything else; after any other the file lacks data:
 * a new one does not get its final name, and every later call on it returns the failure. On several nodes a
 * put to a file that holds variables which cannot be written costs one agreement. Files that were opened when
 * staging was used up (options staging_bytes, staging_files) share what is left: where some ranks cannot take
 * part in a call on one of them, the others lack what was put since their last sync point, and say so at the
 * next one (ABORTED); those to which nothing was put since then have lost nothing. */
SCORPIO_API int scorpio_put_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                                   scorpio_type type, const void* data);

/* Reads this rank's part; sees all that was put before on this file. Elements of `data` that are holes of the
 * decomposition keep their value. Collective, a sync point: the same status on all ranks, and failures of
 * puts since the last one come back here. A get that some ranks refuse, or that names different variables on
 * them (MISMATCH), fails on all and costs the file nothing. Errors: as scorpio_put; RANGE: all is read, but
 * values that did not fit `type`, or the variable's type in a put, were clipped; UNSUPPORTED: of a type, or
 * compressed by a filter, that cannot be read here. A variable that is chunked, compressed, compact, external
 * or virtual is read through HDF5, by each I/O rank for itself. TEXT and OPAQUE elements are as long in
 * `data` as in the variable (in the calls with several variables: the first one). */
SCORPIO_API int scorpio_get_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                                   scorpio_type type, void* data);

/* n different variables of one decomposition in one operation, without a message within a node. variables,
 * data [n]; records [n], may be NULL (0 for all). fill [n] or NULL: each points to the element of `type` that
 * is written where no rank holds data, or is NULL: such elements keep what they are. As n calls of
 * scorpio_put_darray otherwise. */
SCORPIO_API int scorpio_put_variables(scorpio_file* file, int n, const int* variables, scorpio_decomp* decomp,
                                      const int64_t* records, scorpio_type type, const void* const* data,
                                      const void* const* fill);
SCORPIO_API int scorpio_get_variables(scorpio_file* file, int n, const int* variables, scorpio_decomp* decomp,
                                      const int64_t* records, scorpio_type type, void* const* data);

/* Data that are not distributed: a part of a variable that one rank holds (put), or that each rank asks for
 * (get; parts may differ between ranks). source: the rank whose `access` counts, on others it may be NULL;
 * SCORPIO_EVERY_RANK: all pass the same, and one is written. Collective, a sync point, as scorpio_put_list:
 * it waits until what was put before is written. Errors: as scorpio_put_list. */
#define SCORPIO_EVERY_RANK (-1)
SCORPIO_API int scorpio_put_array(scorpio_file* file, int source, const scorpio_access* access);
SCORPIO_API int scorpio_get_array(scorpio_file* file, const scorpio_access* access);

#ifdef __cplusplus
}
#endif

#endif
