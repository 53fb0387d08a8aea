// Reads of an open file, and the part of a rank that cannot make a call. Collective over the I/O system.
#pragma once

#include <cstdint>
#include <vector>

#include "pio/file/open_file.h"

namespace scorpio_pio {

// `code`: the failure by which this rank cannot make the call. `read`: whether the data were read, also
// where the call returns the failure of an earlier one.
int read_access(File& file, Call call, const scorpio_access& access, int code, bool* read = nullptr);
// The same by a layout whose array is the first part of an array of these extents, on all ranks.
int read_part(File& file, Layout& layout, const std::vector<int64_t>& array, scorpio_access access);
// The elements of a hyperslab of a variable of strings; the caller releases them by free(). An empty
// `stride` is 1.
int read_strings(File& file, int varid, const std::vector<int64_t>& start, const std::vector<int64_t>& count,
                 const std::vector<int64_t>& stride, char** texts);
// Takes part in a call of other ranks, which this rank cannot make because of `code`.
int refuse_call(File& file, Call call, int code);

}  // namespace scorpio_pio
