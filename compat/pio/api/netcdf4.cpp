// Functions for netCDF-4 files only: for classic files they return PIO_ENOTNC4. Local.
#include <algorithm>
#include <vector>

#include "pio/base/define.h"
#include "pio/base/iotypes.h"
#include "pio/calls/calls.h"
#include "pio/file/storage.h"

using namespace scorpio_pio;

namespace {

constexpr int64_t k_most_compact_bytes = 65536;  // of a variable, as with netCDF-C

int not_netcdf4(const File& file) {
  return fail(PIO_ENOTNC4, file.path(), " is a classic file, which has no chunks, filters and byte orders");
}

int look_up_netcdf4(const File& file, int varid, Variable& variable) {
  return file.is_classic() ? not_netcdf4(file) : file.look_up(varid, variable);
}

// A definition of how a variable is stored, which is possible until the variable may have data.
template <typename Body>
int storage_definition(const char* function, int ncid, int varid, Body&& body) {
  return file_change(function, ncid, [&](File& file) {
    Variable variable;
    Storage storage;
    int code = look_up_netcdf4(file, varid, variable);
    if (code != PIO_NOERR) return code;
    if (!file.is_writable()) return fail(PIO_EPERM, file.path(), " was opened for reading");
    if (!file.definitions().is_new_variable(varid))
      return fail(PIO_ELATEDEF, file.path(), ": variable ", varid,
                  " is in the file already; how it is stored is chosen before PIOc_enddef");
    code = storage_of(file, variable, storage);
    return code != PIO_NOERR ? code : body(file, variable, storage);
  });
}

template <typename Body>
int storage_inquiry(const char* function, int ncid, int varid, Body&& body) {
  return handled_file_inquiry(function, ncid, [&](File& file) {
    Variable variable;
    Storage storage;
    int code = look_up_netcdf4(file, varid, variable);
    if (code != PIO_NOERR) return code;
    code = storage_of(file, variable, storage);
    return code != PIO_NOERR ? code : body(file, storage);
  });
}

int check_compression(const Variable& variable, int deflate, int level) {
  if (variable.type == PIO_STRING) return fail(k_filter_error, "strings are not compressed");
  if (variable.extents.empty() && deflate != 0)
    return fail(PIO_EINVAL, "a variable without dimensions is not compressed");
  if (deflate == 0 || (level >= 0 && level <= k_highest_level)) return PIO_NOERR;
  return fail(PIO_EINVAL, "the level of the compression is ", level, "; give 0 to ", k_highest_level);
}

// Storage in one piece. A variable that has chunks already, but need not have them, keeps them. One that is
// to be compact, which files of this library do not have, is said to be so as long as the file is open.
int define_unchunked(File& file, const Variable& variable, const Storage& storage, int form) {
  if (variable.can_grow())
    return fail(PIO_EINVAL, "variable ", variable.id, " has an unlimited dimension, which needs chunks");
  if (!storage.filters.empty())
    return fail(PIO_EINVAL, "variable ", variable.id, " is compressed, which needs chunks");
  int64_t most = k_most_compact_bytes / static_cast<int64_t>(std::max<size_t>(variable.element_bytes, 1));
  for (const int64_t extent : variable.extents) most /= std::max<int64_t>(extent, 1);
  if (form == NC_COMPACT && most == 0)
    return fail(PIO_EVARSIZE, "variable ", variable.id, " has more than ", k_most_compact_bytes,
                " bytes, and cannot be compact");
  return define_form(file, variable, form);
}

int define_chunking(File& file, const Variable& variable, const Storage& storage, int form,
                    const PIO_Offset* extents) {
  if (form == NC_CONTIGUOUS || form == NC_COMPACT) return define_unchunked(file, variable, storage, form);
  if (form != NC_CHUNKED)
    return fail(PIO_EINVAL, form,
                " is not a form of storage: NC_CHUNKED is 0, NC_CONTIGUOUS is 1, NC_COMPACT is 2");
  if (variable.extents.empty()) return fail(PIO_EINVAL, "a variable without dimensions has no chunks");
  std::vector<int64_t> chunk(variable.extents.size(), 0);
  if (extents != nullptr) std::copy(extents, extents + chunk.size(), chunk.begin());
  return define_chunks(file, variable, std::move(chunk));
}

int check_byte_order(const Variable& variable, int endian) {
  if (variable.type == PIO_CHAR || variable.type == PIO_STRING)
    return fail(PIO_EINVAL, "variables of text have no byte order");
  if (endian == NC_ENDIAN_NATIVE || endian == NC_ENDIAN_LITTLE || endian == NC_ENDIAN_BIG) return PIO_NOERR;
  return fail(PIO_EINVAL, endian,
              " is not a byte order: NC_ENDIAN_NATIVE is 0, NC_ENDIAN_LITTLE is 1, NC_ENDIAN_BIG is 2");
}

// Programs get back what they set; the library has no such caches.
int check_cache(const ChunkCache& cache) {
  if (cache.bytes >= 0 && cache.elements >= 0 && cache.preemption >= 0 && cache.preemption <= 1)
    return PIO_NOERR;
  return fail(PIO_EINVAL, "the cache has ", cache.bytes, " bytes, ", cache.elements,
              " chunks and preemption ", cache.preemption,
              "; give 0 or more bytes and chunks, and a preemption of 0 to 1");
}

int check_cached_type(int iotype) {
  if (!is_iotype(iotype)) return fail(PIO_EBADIOTYPE, iotype, " is not an I/O type");
  if (makes_netcdf4(iotype)) return PIO_NOERR;
  return fail(PIO_ENOTNC4, "files of I/O type ", iotype, " have no chunks, or cannot be created");
}

void copy(const ChunkCache& cache, PIO_Offset* bytes, PIO_Offset* elements, float* preemption) {
  if (bytes != nullptr) *bytes = cache.bytes;
  if (elements != nullptr) *elements = cache.elements;
  if (preemption != nullptr) *preemption = cache.preemption;
}

int check_cached_variable(File& file, int varid) {
  return file.is_classic() ? not_netcdf4(file) : file.check_variable(varid);
}

}  // namespace

PIOC(int, def_var_deflate, (int ncid, int varid, int shuffle, int deflate, int deflate_level)) {
  return storage_definition(__func__, ncid, varid, [&](File& file, const Variable& variable, const Storage&) {
    const int code = check_compression(variable, deflate, deflate_level);
    if (code != PIO_NOERR || variable.extents.empty()) return code;
    return define_compression(file, variable, shuffle != 0, deflate != 0 ? deflate_level : -1);
  });
}

PIOC(int, def_var_chunking, (int ncid, int varid, int storage, const PIO_Offset* chunksizesp)) {
  return storage_definition(__func__, ncid, varid,
                            [&](File& file, const Variable& variable, const Storage& before) {
                              return define_chunking(file, variable, before, storage, chunksizesp);
                            });
}

PIOC(int, def_var_endian, (int ncid, int varid, int endian)) {
  return storage_definition(__func__, ncid, varid, [&](File& file, const Variable& variable, const Storage&) {
    const int code = check_byte_order(variable, endian);
    return code != PIO_NOERR ? code : define_byte_order(file, variable, endian);
  });
}

PIOC(int, inq_var_deflate, (int ncid, int varid, int* shufflep, int* deflatep, int* deflate_levelp)) {
  return storage_inquiry(__func__, ncid, varid, [&](const File&, const Storage& storage) {
    const bool deflated = storage.has(k_deflate);
    if (shufflep != nullptr) *shufflep = storage.has(k_shuffle) ? 1 : 0;
    if (deflatep != nullptr) *deflatep = deflated ? 1 : 0;
    if (deflate_levelp != nullptr) *deflate_levelp = storage.parameter(k_deflate);
    return PIO_NOERR;
  });
}

PIOC(int, inq_var_chunking, (int ncid, int varid, int* storagep, PIO_Offset* chunksizesp)) {
  return storage_inquiry(__func__, ncid, varid, [&](const File& file, const Storage& storage) {
    const bool compact =
        storage.form == SCORPIO_STORAGE_COMPACT || file.definitions().chosen_form(varid) == NC_COMPACT;
    const int form = compact ? NC_COMPACT : NC_CONTIGUOUS;
    if (storagep != nullptr) *storagep = storage.is_chunked() ? NC_CHUNKED : form;
    if (storage.is_chunked() && chunksizesp != nullptr)
      std::copy(storage.chunk.begin(), storage.chunk.end(), chunksizesp);
    return PIO_NOERR;
  });
}

PIOC(int, inq_var_endian, (int ncid, int varid, int* endianp)) {
  return storage_inquiry(__func__, ncid, varid, [&](const File& file, const Storage&) {
    if (endianp != nullptr) *endianp = byte_order_of(file, varid);
    return PIO_NOERR;
  });
}

PIOC(int, set_chunk_cache, (int iosysid, int iotype, PIO_Offset size, PIO_Offset nelems, float preemption)) {
  return system_setting(__func__, iosysid, [&](IoSystem& system) {
    const ChunkCache cache{size, nelems, preemption};
    int code = check_cached_type(iotype);
    if (code == PIO_NOERR) code = check_cache(cache);
    if (code == PIO_NOERR) system.chunk_cache = cache;
    return code;
  });
}

PIOC(int, get_chunk_cache,
     (int iosysid, int iotype, PIO_Offset* sizep, PIO_Offset* nelemsp, float* preemptionp)) {
  return system_inquiry(__func__, iosysid, [&](IoSystem& system) {
    const int code = check_cached_type(iotype);
    if (code == PIO_NOERR) copy(system.chunk_cache, sizep, nelemsp, preemptionp);
    return code;
  });
}

PIOC(int, set_var_chunk_cache, (int ncid, int varid, PIO_Offset size, PIO_Offset nelems, float preemption)) {
  return file_change(__func__, ncid, [&](File& file) {
    const ChunkCache cache{size, nelems, preemption};
    int code = check_cached_variable(file, varid);
    if (code == PIO_NOERR) code = check_cache(cache);
    if (code == PIO_NOERR) file.chunk_caches().set(varid, cache);
    return code;
  });
}

PIOC(int, get_var_chunk_cache,
     (int ncid, int varid, PIO_Offset* sizep, PIO_Offset* nelemsp, float* preemptionp)) {
  return handled_file_inquiry(__func__, ncid, [&](File& file) {
    const int code = check_cached_variable(file, varid);
    if (code == PIO_NOERR)
      copy(file.chunk_caches().of(varid, file.system().chunk_cache), sizep, nelemsp, preemptionp);
    return code;
  });
}
