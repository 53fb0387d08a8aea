/** @file plan.h
 * Plans: what puts by a decomposition will cost in a job of any number of ranks and nodes, before it is run.
 * The command `scorpio-plan` computes them from files with decompositions. */
#ifndef SCORPIO_PLAN_H
#define SCORPIO_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A job that puts variables by one decomposition into a new file. Set it to zeros first: members may be
 * added. */
typedef struct scorpio_job {
  int ranks;     /**< The number of ranks. */
  int nodes;     /**< The number of nodes, of consecutive ranks and as even as possible; 0 stands for 1. */
  int io_ranks;  /**< Not 0: this number of I/O ranks is compared too. */
  int variables; /**< The number of variables; 0 stands for 1. */
  scorpio_type type;      /**< The type of their elements, numeric; 0 stands for SCORPIO_FLOAT64. */
  int ndims;              /**< The number of dimensions of the array. */
  const int64_t* dims;    /**< [ndims] The extents of the array in elements, slowest dimension first. */
  const int64_t* lengths; /**< [ranks] The numbers of elements in the buffers of the ranks. */
  /** [sum of lengths] For each element of the buffers of all ranks, one rank after the other, the index in
   * the array as in scorpio_decomp_map(): zero-based in row-major order, -1 for a hole. */
  const int64_t* index;
} scorpio_job;

/** Computes what puts by a decomposition will cost: messages, bytes, writes and memory, with the options in
 * force and with others.
 *
 * The variables are put one after the other, once each, into a new file, which is then closed. The numbers
 * are computed for all ranks by the same code that carries puts out, and are those that the counters of such
 * a run have. They contain no writes of metadata. The file system is not known: without the option
 * `block_bytes` blocks of 1 MiB are assumed.
 *
 * The text is a JSON object with the numbers of the decomposition and a list `choices`. The first choice is
 * the one in force; the others differ from it in one option: one I/O rank on each node, two on each node,
 * `io_ranks` of the job, the other value of the option `domains`, on several nodes the other values of
 * `transfer`, half of the writers, and messages in place of shared memory. docs/plan.md describes each
 * member.
 * @local MPI is not used, and need not be initialised.
 * @param[in] job The job.
 * @param[in] options A set of options, or NULL. The environment and the configuration file are read as by
 * scorpio_iosystem_create().
 * @param[out] text [capacity] Receives a NUL-terminated copy, which is cut if it does not fit.
 * @param[in] capacity The size of `text` in bytes.
 * @param[out] length The length of the whole text in bytes, without the NUL; may be NULL.
 * @retval SCORPIO_ERR_ARGUMENT A number of the job is negative or too large, or the options ask for I/O ranks
 * that the job does not have.
 * @retval SCORPIO_ERR_SHAPE An index is outside of the array; the text names the rank and the index.
 * @retval SCORPIO_ERR_TYPE `type` is no numeric element type.
 * @retval SCORPIO_ERR_UNSUPPORTED The option `filters` is set: the sizes of encoded chunks cannot be planned.
 * @anythread
 * @since 0.1 */
SCORPIO_API int scorpio_job_plan(const scorpio_job* job, const scorpio_options* options, char* text,
                                 size_t capacity, size_t* length);

#ifdef __cplusplus
}
#endif

#endif
