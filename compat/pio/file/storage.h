// How variables of netCDF-4 files are stored: chunks, compression, and the caches of chunks that programs ask
// for. Local; one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "pio/file/open_file.h"

namespace scorpio_pio {

constexpr int k_deflate = 1;  // numbers of filters, as HDF5 registers them
constexpr int k_shuffle = 2;
constexpr int k_highest_level = 9;
constexpr int k_filter_error = -132;  // NC_EFILTER

struct Storage {
  scorpio_storage form = SCORPIO_STORAGE_UNKNOWN;
  std::vector<int64_t> chunk;  // of a chunked variable
  std::vector<int> filters, parameters;

  bool is_chunked() const { return form == SCORPIO_STORAGE_CHUNKED; }
  bool has(int filter) const;
  int parameter(int filter) const;  // 0 without this filter
};

int storage_of(File& file, const Variable& variable, Storage& storage);

// Definitions. `chunk`: an extent for each dimension, 0 for the default.
int define_chunks(File& file, const Variable& variable, std::vector<int64_t> chunk);
// `level`: that of deflate; negative: no deflate. A variable that is not chunked gets chunks of default
// extents if there is any filter.
int define_compression(File& file, const Variable& variable, bool shuffle, int level);
// `form`: NC_CONTIGUOUS or NC_COMPACT, of a variable that keeps the chunks that it may have.
int define_form(File& file, const Variable& variable, int form);
// `endian`: NC_ENDIAN_*.
int define_byte_order(File& file, const Variable& variable, int endian);

// NC_ENDIAN_*, as netCDF-C returns it: of a new variable what was set, of others what the file says.
int byte_order_of(const File& file, int varid);

}  // namespace scorpio_pio
