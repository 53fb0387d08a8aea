// Functions for netCDF-4 files only: for classic files they return PIO_ENOTNC4. For netCDF-4 files that were
// opened they return how variables are stored; the interface does not create such files. Local.
#include <algorithm>
#include <vector>

#include "calls.h"
#include "define.h"

using namespace scorpio_pio;

namespace {

constexpr int k_deflate = 1;  // numbers of filters, as HDF5 registers them
constexpr int k_shuffle = 2;

int not_netcdf4(const File& file) {
  return fail(PIO_ENOTNC4, file.path(), " is a classic file, which has no chunks, filters and byte orders");
}

// The common part of all definitions of this kind.
int definition(const char* function, int ncid, int varid) {
  return local_call(function, ncid, [&](File& file) {
    Variable variable;
    const int code = file.look_up(varid, variable);
    if (code != PIO_NOERR) return code;
    if (file.is_classic()) return not_netcdf4(file);
    if (!file.is_writable()) return fail(PIO_EPERM, file.path(), " was opened for reading");
    return fail(PIO_ELATEDEF, file.path(),
                ": the variable exists, and the form of its storage cannot be changed");
  });
}

struct Storage {
  scorpio_storage form = SCORPIO_STORAGE_UNKNOWN;
  std::vector<int64_t> chunk;
  std::vector<int> filters;
};

template <typename Body>
int storage_inquiry(const char* function, int ncid, int varid, Body&& body) {
  return checked_inquiry(function, ncid, [&](File& file) {
    Variable variable;
    int code = file.look_up(varid, variable);
    if (code != PIO_NOERR) return code;
    if (file.is_classic()) return not_netcdf4(file);
    constexpr int k_most_filters = 32;
    Storage storage;
    int filters = 0;
    storage.chunk.resize(variable.extents.size());
    storage.filters.resize(k_most_filters);
    code = natively(scorpio_variable_storage(file.native(), varid, &storage.form, storage.chunk.data(),
                                             static_cast<int>(storage.chunk.size()), storage.filters.data(),
                                             k_most_filters, &filters));
    storage.filters.resize(static_cast<size_t>(std::min(filters, k_most_filters)));
    return code != PIO_NOERR ? code : body(storage);
  });
}

bool has(const Storage& storage, int filter) {
  return std::find(storage.filters.begin(), storage.filters.end(), filter) != storage.filters.end();
}

// The caches of netCDF-4 do not exist here.
int no_cache(const char* function, int iosysid, int iotype) {
  return system_call(function, iosysid, [&](IoSystem&) {
    if (iotype == PIO_IOTYPE_PNETCDF || iotype == PIO_IOTYPE_NETCDF)
      return fail(PIO_ENOTNC4, "files of I/O type ", iotype, " have no chunks");
    return fail(PIO_EBADIOTYPE, "files of I/O type ", iotype, " cannot be created");
  });
}

int no_variable_cache(const char* function, int ncid, int varid) {
  return checked_inquiry(function, ncid, [&](File& file) {
    Variable variable;
    const int code = file.look_up(varid, variable);
    if (code != PIO_NOERR) return code;
    return file.is_classic()
               ? not_netcdf4(file)
               : fail(PIO_ENOTBUILT, file.path(), ": there is no cache of chunks for each variable");
  });
}

}  // namespace

PIOC(int, def_var_deflate, (int ncid, int varid, int, int, int)) { return definition(__func__, ncid, varid); }
PIOC(int, def_var_chunking, (int ncid, int varid, int, const PIO_Offset*)) {
  return definition(__func__, ncid, varid);
}
PIOC(int, def_var_endian, (int ncid, int varid, int)) { return definition(__func__, ncid, varid); }

// The level of the compression is not known: it is 0 without compression, else 1.
PIOC(int, inq_var_deflate, (int ncid, int varid, int* shufflep, int* deflatep, int* deflate_levelp)) {
  return storage_inquiry(__func__, ncid, varid, [&](const Storage& storage) {
    const int deflated = has(storage, k_deflate) ? 1 : 0;
    if (shufflep != nullptr) *shufflep = has(storage, k_shuffle) ? 1 : 0;
    if (deflatep != nullptr) *deflatep = deflated;
    if (deflate_levelp != nullptr) *deflate_levelp = deflated;
    return PIO_NOERR;
  });
}

PIOC(int, inq_var_chunking, (int ncid, int varid, int* storagep, PIO_Offset* chunksizesp)) {
  return storage_inquiry(__func__, ncid, varid, [&](const Storage& storage) {
    const bool chunked = storage.form == SCORPIO_STORAGE_CHUNKED;
    const int form = storage.form == SCORPIO_STORAGE_COMPACT ? NC_COMPACT : NC_CONTIGUOUS;
    if (storagep != nullptr) *storagep = chunked ? NC_CHUNKED : form;
    if (chunked && chunksizesp != nullptr) std::copy(storage.chunk.begin(), storage.chunk.end(), chunksizesp);
    return PIO_NOERR;
  });
}

PIOC(int, inq_var_endian, (int ncid, int varid, int* endianp)) {
  return storage_inquiry(__func__, ncid, varid, [&](const Storage&) {
    if (endianp != nullptr) *endianp = NC_ENDIAN_NATIVE;
    return PIO_NOERR;
  });
}

PIOC(int, set_chunk_cache, (int iosysid, int iotype, PIO_Offset, PIO_Offset, float)) {
  return no_cache(__func__, iosysid, iotype);
}
PIOC(int, get_chunk_cache, (int iosysid, int iotype, PIO_Offset*, PIO_Offset*, float*)) {
  return no_cache(__func__, iosysid, iotype);
}
PIOC(int, set_var_chunk_cache, (int ncid, int varid, PIO_Offset, PIO_Offset, float)) {
  return no_variable_cache(__func__, ncid, varid);
}
PIOC(int, get_var_chunk_cache, (int ncid, int varid, PIO_Offset*, PIO_Offset*, float*)) {
  return no_variable_cache(__func__, ncid, varid);
}
