/** @file error.h
 * The version of the library, what it was built with, and the text of the last failure. */
#ifndef SCORPIO_ERROR_H
#define SCORPIO_ERROR_H

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Returns the version of the library, for example "0.1.0".
 * @local
 * @return A string that belongs to the library and stays valid.
 * @anythread
 * @since 0.1 */
SCORPIO_API const char* scorpio_version(void);

/** Returns what the library was built with: MPI, the formats and the filters, with their libraries and
 * versions.
 * @local
 * @return One line for people, for example "Open MPI v4.1.4; formats: hdf5 (HDF5 1.10.8), ...; filters: 1
 * (deflate: libdeflate 1.14), ..."; it belongs to the library and stays valid.
 * @anythread
 * @since 0.1 */
SCORPIO_API const char* scorpio_built_with(void);

/** Returns whether a filter is built in, so that scorpio_variable_define_filters() takes it, and chunks that
 * passed it can be read (H5Zfilter_avail(), nc_inq_filter_avail()).
 * @local
 * @param[in] number The number of the filter in HDF5.
 * @param[out] available 1 if it is built in, else 0.
 * @retval SCORPIO_ERR_ARGUMENT `available` is NULL.
 * @anythread
 * @since 0.1 */
SCORPIO_API int scorpio_filter_available(int number, int* available);

/** Returns the short meaning of a status code.
 * @local
 * @param[in] code A value of ::scorpio_code, or any other number.
 * @return A string that belongs to the library and stays valid; never NULL.
 * @anythread
 * @since 0.1 */
SCORPIO_API const char* scorpio_code_text(int code);

/** A failure, as scorpio_error_last() describes it. */
typedef struct scorpio_error {
  int code;         /**< The status code; SCORPIO_OK if no call of this thread has failed yet. */
  int origin_rank;  /**< The lowest rank of the I/O system on which the failure occurred, if all ranks
                       returned it; -1 if this rank alone did. */
  const char* text; /**< The function in which the failure was found (possibly an earlier call, or a call of
                       another rank), the file, the cause with the offending values, and what to do about it.
                       The text is valid until the next call of this thread that fails. */
} scorpio_error;

/** Describes the last failure that a call of the library returned to this thread.
 * @local
 * @param[out] error The failure. Its text belongs to the library.
 * @retval SCORPIO_ERR_ARGUMENT `error` is NULL.
 * @anythread
 * @since 0.1 */
SCORPIO_API int scorpio_error_last(scorpio_error* error);

#ifdef __cplusplus
}
#endif

#endif
