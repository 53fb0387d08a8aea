/** @file decomposition.h
 * Decompositions. A decomposition describes which elements of a global array each rank holds. It can be used
 * with variables of any element type whose extents are those of the array, and with records of them. All
 * constructors are collective, because ranks learn here whether their parts overlap and which elements no
 * rank holds. Where several ranks hold the same element, the value of the highest rank is written, and each
 * of them receives the element when it is read. */
#ifndef SCORPIO_DECOMPOSITION_H
#define SCORPIO_DECOMPOSITION_H

#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Creates a decomposition in which each rank holds one block.
 * @collective Over the ranks of the I/O system.
 * @cost Two agreements (allreduces). On several nodes, or if elements have no rank or several ranks, also
 * messages between the ranks: O(log ranks) messages of each rank for each 65536 runs of the rank with the
 * most (docs/scale.md).
 * @param[in] iosystem The I/O system.
 * @param[in] ndims The number of dimensions of the array. Equal on all ranks.
 * @param[in] dims [ndims] The extents of the array in elements, slowest dimension first. Equal on all ranks.
 * @param[in] start [ndims] The first index of this rank's block.
 * @param[in] count [ndims] The extents of this rank's block. The rank holds nothing if one of them is 0.
 * @param[out] decomp The decomposition; NULL after a failure.
 * @retval SCORPIO_ERR_SHAPE The block leaves the array; the text names the dimension and the values.
 * @retval SCORPIO_ERR_LIMIT The array has more than 2^63 - 1 elements.
 * @retval SCORPIO_ERR_MISMATCH `ndims` or `dims` differ between ranks.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_decomp_block(scorpio_iosystem* iosystem, int ndims, const int64_t* dims,
                                     const int64_t* start, const int64_t* count, scorpio_decomp** decomp);

/** Creates a decomposition of equal shares of dimension 0 in the order of the ranks. The first
 * `dims[0]` mod (number of ranks) ranks hold one row more than the others: with q = `dims[0]` / ranks and
 * m = `dims[0]` mod ranks, rank r holds the rows from r * q + min(r, m).
 * @collective Over the ranks of the I/O system.
 * @cost As scorpio_decomp_block().
 * @param[in] iosystem The I/O system.
 * @param[in] ndims The number of dimensions of the array. Equal on all ranks.
 * @param[in] dims [ndims] The extents of the array in elements, slowest dimension first. Equal on all ranks.
 * @param[out] decomp The decomposition; NULL after a failure.
 * @retval SCORPIO_ERR_LIMIT The array has more than 2^63 - 1 elements.
 * @retval SCORPIO_ERR_MISMATCH `ndims` or `dims` differ between ranks.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_decomp_uniform(scorpio_iosystem* iosystem, int ndims, const int64_t* dims,
                                       scorpio_decomp** decomp);

/** Creates a decomposition in which each rank holds a number of rows of dimension 0, packed in the order of
 * the ranks from row 0.
 * @collective Over the ranks of the I/O system.
 * @cost As scorpio_decomp_block().
 * @param[in] iosystem The I/O system.
 * @param[in] ndims The number of dimensions of the array. Equal on all ranks.
 * @param[in] dims [ndims] The extents of the array in elements, slowest dimension first. Equal on all ranks.
 * @param[in] rows The number of rows of this rank. The rows after those of the last rank are not written.
 * @param[out] decomp The decomposition; NULL after a failure.
 * @retval SCORPIO_ERR_SHAPE The sum of `rows` over all ranks is larger than `dims[0]`.
 * @retval SCORPIO_ERR_LIMIT The array has more than 2^63 - 1 elements.
 * @retval SCORPIO_ERR_MISMATCH `ndims` or `dims` differ between ranks.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_decomp_rows(scorpio_iosystem* iosystem, int ndims, const int64_t* dims, int64_t rows,
                                    scorpio_decomp** decomp);

/** Creates a decomposition in which each rank holds a hyperslab: `count` blocks of `block` elements in each
 * dimension, `stride` elements apart.
 * @collective Over the ranks of the I/O system.
 * @cost As scorpio_decomp_block().
 * @param[in] iosystem The I/O system.
 * @param[in] ndims The number of dimensions of the array. Equal on all ranks.
 * @param[in] dims [ndims] The extents of the array in elements, slowest dimension first. Equal on all ranks.
 * @param[in] start [ndims] The first index of this rank's hyperslab.
 * @param[in] stride [ndims] The distance from one block to the next in elements; NULL stands for 1.
 * @param[in] count [ndims] The number of blocks.
 * @param[in] block [ndims] The extents of a block in elements; NULL stands for 1.
 * @param[out] decomp The decomposition; NULL after a failure.
 * @retval SCORPIO_ERR_SHAPE The hyperslab leaves the array; the text names the dimension and the values.
 * @retval SCORPIO_ERR_LIMIT The array has more than 2^63 - 1 elements.
 * @retval SCORPIO_ERR_MISMATCH `ndims` or `dims` differ between ranks.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_decomp_strided(scorpio_iosystem* iosystem, int ndims, const int64_t* dims,
                                       const int64_t* start, const int64_t* stride, const int64_t* count,
                                       const int64_t* block, scorpio_decomp** decomp);

/** Creates a decomposition from a map: element i of this rank's buffer is the global element `index[i]`.
 * @collective Over the ranks of the I/O system.
 * @cost As scorpio_decomp_block().
 * @param[in] iosystem The I/O system.
 * @param[in] ndims The number of dimensions of the array. Equal on all ranks.
 * @param[in] dims [ndims] The extents of the array in elements, slowest dimension first. Equal on all ranks.
 * @param[in] n The number of elements of this rank's buffer.
 * @param[in] index [n] Zero-based positions in row-major order; -1 marks an element of the buffer that is not
 *       part of the array. The library does not keep the array. It may be NULL if `n` is 0.
 * @param[out] decomp The decomposition; NULL after a failure.
 * @retval SCORPIO_ERR_SHAPE An index lies outside of the array; the text names its place and value.
 * @retval SCORPIO_ERR_LIMIT The array has more than 2^63 - 1 elements.
 * @retval SCORPIO_ERR_MISMATCH `ndims` or `dims` differ between ranks.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_decomp_map(scorpio_iosystem* iosystem, int ndims, const int64_t* dims, int64_t n,
                                   const int64_t* index, scorpio_decomp** decomp);

/** Creates a decomposition of the same elements with another layout in memory: they are part of a larger
 * local array, with ghost cells around them or other values between them. The element with index i along
 * dimension d of the buffer of `decomp` has index `start[d]` + i * `stride[d]` in the local array. All other
 * elements of the local array are neither read nor written.
 *
 * The dimensions and the extents of the buffer of `decomp` depend on the function that made it:
 *   - scorpio_decomp_block(): `count`;
 *   - scorpio_decomp_uniform() and scorpio_decomp_rows(): those of the array, with the number of rows of this
 *     rank in dimension 0;
 *   - scorpio_decomp_strided(): `count` * `block`;
 *   - scorpio_decomp_map(): one dimension of `n` elements;
 *   - scorpio_decomp_memory(): its `extents`.
 *
 * `decomp` can be released afterwards, and the result can be used wherever `decomp` can.
 * @collective Over the ranks of the I/O system.
 * @cost One allreduce. A put or a get costs as with `decomp`: no further copy and no further message.
 * @param[in] iosystem The I/O system.
 * @param[in] decomp A decomposition of this I/O system. Equal on all ranks.
 * @param[in] ndims The number of dimensions of the buffer of `decomp`.
 * @param[in] extents [ndims] The extents of this rank's local array in elements, slowest dimension first.
 * They are arbitrary on a rank that holds no elements.
 * @param[in] start [ndims] The index in the local array of the first element along each dimension; NULL
 * stands for 0.
 * @param[in] stride [ndims] The distance from one index to the next in the local array; NULL stands for 1.
 * If the local array holds several interleaved variables, the stride of the last dimension is the number of
 *       variables.
 * @param[out] placed The decomposition; NULL after a failure.
 * @retval SCORPIO_ERR_HANDLE `decomp` is NULL, was released before, or belongs to another I/O system.
 * @retval SCORPIO_ERR_ARGUMENT `extents` is NULL, a value of `extents` or `start` is negative, or one of
 *       `stride` is less than 1.
 * @retval SCORPIO_ERR_SHAPE `ndims` is not the number of dimensions of the buffer, or an element would lie
 *       outside of the local array; the text names the dimension and the values.
 * @retval SCORPIO_ERR_LIMIT The local array would have more than 2^63 - 1 elements.
 * @retval SCORPIO_ERR_MISMATCH `decomp` differs between ranks.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_decomp_memory(scorpio_iosystem* iosystem, const scorpio_decomp* decomp, int ndims,
                                      const int64_t* extents, const int64_t* start, const int64_t* stride,
                                      scorpio_decomp** placed);

/** Returns the length of this rank's buffer.
 * @local
 * @param[in] decomp The decomposition.
 * @param[out] elements The number of elements, including those that the map marks with -1, and those of the
 *       local array of scorpio_decomp_memory() that are not part of the decomposition.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_decomp_local_elements(const scorpio_decomp* decomp, int64_t* elements);

/** Returns the extents of the global array, and how many elements of it this rank holds. Output arguments may
 * be NULL.
 * @local
 * @param[in] decomp The decomposition.
 * @param[out] ndims The number of dimensions.
 * @param[out] dims [capacity] The first `capacity` extents.
 * @param[in] capacity The number of elements of `dims`.
 * @param[out] held The elements of the buffer of this rank that are elements of the array:
 *       scorpio_decomp_local_elements() without those that are none.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_decomp_inquire(const scorpio_decomp* decomp, int* ndims, int64_t* dims, int capacity,
                                       int64_t* held);

/** Returns whether this rank holds a block whose elements follow one another in its buffer in the order of
 * the array, and that block: of scorpio_decomp_block(), scorpio_decomp_uniform() and scorpio_decomp_rows().
 * Output arguments may be NULL.
 * @local The result may differ between ranks.
 * @param[in] decomp The decomposition.
 * @param[out] block 1 for a block, else 0: scorpio_decomp_index() returns the elements.
 * @param[out] start [capacity] The first `capacity` indices at which the block begins; unchanged if there is
 * none.
 * @param[out] count [capacity] The same of its extents.
 * @param[in] capacity The number of elements of `start` and `count`.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_decomp_region(const scorpio_decomp* decomp, int* block, int64_t* start,
                                      int64_t* count, int capacity);

/** Returns a part of the map of this rank in the form of scorpio_decomp_map(), for each kind of
 * decomposition: which element of the array each element of the buffer is.
 *
 * The library keeps runs and not the map. Get a part at a time where the memory for all of it is not at hand.
 * @local
 * @cost One walk through the runs of this rank, whose number scorpio_decomp_describe() returns.
 * @param[in] decomp The decomposition.
 * @param[in] first The first element of the buffer.
 * @param[in] n The number of elements.
 * @param[out] index [n] The positions in the array, row-major and zero-based; -1 for an element of the buffer
 *       that is none of the array.
 * @retval SCORPIO_ERR_ARGUMENT `first` or `n` is negative, or `index` is NULL although `n` is not 0.
 * @retval SCORPIO_ERR_SHAPE The buffer has fewer elements.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_decomp_index(const scorpio_decomp* decomp, int64_t first, int64_t n, int64_t* index);

/** Describes as text the elements that this rank holds, and how the ranks together hold those of the array.
 * @local
 * @param[in] decomp The decomposition.
 * @param[out] text [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `text` in bytes.
 * @param[out] length The length of the whole text in bytes, without the NUL; may be NULL.
 * @return SCORPIO_OK or a code that every call can return.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_decomp_describe(const scorpio_decomp* decomp, char* text, size_t capacity,
                                        size_t* length);

/** Releases a decomposition.
 *
 * It can be released as soon as a collective call that used it has returned. A decomposition that a
 * nonblocking request uses must exist until the request is completed or cancelled.
 * @local
 * @param[in] decomp The decomposition, or NULL.
 * @retval SCORPIO_ERR_HANDLE The decomposition was released before.
 * @onethread
 * @since 0.1 */
SCORPIO_API int scorpio_decomp_free(scorpio_decomp* decomp);

#ifdef __cplusplus
}
#endif

#endif
