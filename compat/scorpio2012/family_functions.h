// The functions of both C families: included once for each family, after its public header, with X(name) its
// names and k_family its family. Collectivity as in the public headers.
#pragma once

#include "attributes.h"
#include "block_write.h"
#include "dataset_groups.h"
#include "guarded.h"
#include "inquire.h"
#include "lifetime.h"
#include "read.h"
#include "string_arrays.h"
#include "write.h"

namespace face = scorpio2012;

namespace {

// The arguments that identify a dataset in reads and writes. Extents are checked later.
struct Where {
  int handle;
  const char* name;
};

template <typename Integer>
face::DatasetArguments dataset(datatype_t type, int ndims, const Integer* global, const int* local,
                               Where where) {
  return {k_family,
          static_cast<int>(type),
          face::extents_of(ndims, global),
          local == nullptr ? std::nullopt : face::extents_of(ndims, local),
          std::nullopt,
          where.handle,
          where.name};
}

face::AttributeArguments attribute(const char* name, datatype_t type, Where where) {
  return {k_family, name, static_cast<int>(type), face::Extents(), where.handle, where.name};
}

int read_as(const char* call, int pattern, void* buffer, const face::DatasetArguments& arguments,
            iogroup_t* group) {
  return face::guarded(call, [&] { return face::read_dataset(group, arguments, buffer, pattern); });
}

int write_as(const char* call, int pattern, const void* buffer, const face::DatasetArguments& arguments,
             iogroup_t* group) {
  return face::guarded(call, [&] { return face::write_dataset(group, arguments, buffer, pattern); });
}

}  // namespace

extern "C" {

int X(IOgroup_init)(iogroup_conf_t* conf, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::group_init(conf, group); });
}

int X(IOgroup_cleanup)(iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::group_cleanup(group); });
}

int X(set_max_buffer)(int64_t bytes, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::set_max_buffer(bytes, group); });
}

int X(set_xdmf)(int on, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::set_xdmf(on, group); });
}

int X(get_last_error)(char* text, int capacity) { return face::copy_last_error(text, capacity); }

int X(open_file)(const char* filename, iogroup_t* group, file_mode_t mode) {
  return face::guarded(__func__, [&] { return face::open_file(filename, group, static_cast<int>(mode)); });
}

int X(close_file)(int fhandle, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::close_file(fhandle, group); });
}

int X(get_dataset_ndims)(int* ndims, int fhandle, const char* dset, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::get_dataset_ndims(ndims, fhandle, dset, group); });
}

int X(get_dataset_dims)(int* dims, int fhandle, const char* dset, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::get_dataset_dims(dims, fhandle, dset, group); });
}

int X(get_dataset_size)(int* size, int fhandle, const char* dset, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::get_dataset_size(size, fhandle, dset, group); });
}

int X(get_dataset_dims64)(int64_t* dims, int fhandle, const char* dset, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::get_dataset_dims(dims, fhandle, dset, group); });
}

int X(get_dataset_size64)(int64_t* size, int fhandle, const char* dset, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::get_dataset_size(size, fhandle, dset, group); });
}

int X(group_exists)(const char* name, int fhandle, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::group_exists(name, fhandle, group); });
}

int X(dataset_exists)(const char* name, int fhandle, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::dataset_exists(name, fhandle, group); });
}

bool X(name_exists)(hid_t fid, const char* name) {
  return face::guarded(__func__, [&] { return face::name_exists(fid, name) ? 1 : 0; }) == 1;
}

int X(read_dataset)(void* buffer, datatype_t type, int ndims, const int* globaldims, const int* localdims,
                    int fhandle, const char* dset, iogroup_t* group, iopattern_t pattern) {
  return read_as(__func__, static_cast<int>(pattern), buffer,
                 dataset(type, ndims, globaldims, localdims, {fhandle, dset}), group);
}

int X(read_dataset1)(void* buffer, datatype_t type, int ndims, const int* globaldims, const int* localdims,
                     int fhandle, const char* dset, iogroup_t* group) {
  return read_as(__func__, face::k_uniform_read, buffer,
                 dataset(type, ndims, globaldims, localdims, {fhandle, dset}), group);
}

int X(read_dataset2)(void* buffer, datatype_t type, int ndims, const int* globaldims, const int* localdims,
                     int fhandle, const char* dset, iogroup_t* group) {
  return read_as(__func__, face::k_nonuniform_read, buffer,
                 dataset(type, ndims, globaldims, localdims, {fhandle, dset}), group);
}

int X(read_entire_dataset)(void* buffer, datatype_t type, int ndims, const int* globaldims,
                           const int* localdims, int fhandle, const char* dset, iogroup_t* group) {
  return read_as(__func__, face::k_entire_read, buffer,
                 dataset(type, ndims, globaldims, localdims, {fhandle, dset}), group);
}

int X(read_dataset_block)(void* buffer, datatype_t type, int ndims, const int* globaldims,
                          const int* localdims, const int* localstarts, int fhandle, const char* dset,
                          iogroup_t* group) {
  return face::guarded(__func__, [&] {
    face::DatasetArguments arguments = dataset(type, ndims, globaldims, localdims, {fhandle, dset});
    arguments.start = face::extents_of(ndims, localstarts);
    return face::read_dataset_block(group, arguments, buffer);
  });
}

int X(read_same_sub_dataset)(void* buffer, datatype_t type, int ndims, const int* blockdims,
                             const int* starts, int fhandle, const char* dset, iogroup_t* group) {
  return face::guarded(__func__, [&] {
    face::DatasetArguments arguments = dataset(type, ndims, blockdims, blockdims, {fhandle, dset});
    arguments.start = face::extents_of(ndims, starts);
    return face::read_same_sub_dataset(group, arguments, buffer);
  });
}

int X(read_dataset_indexed)(void* buffer, datatype_t type, int ndims, const int64_t* globaldims, int64_t n,
                            const int64_t* index, int fhandle, const char* dset, iogroup_t* group) {
  return face::guarded(__func__, [&] {
    const auto arguments = dataset(type, ndims, globaldims, nullptr, {fhandle, dset});
    return face::read_dataset_indexed(group, arguments, face::borrowed_list(n, index), buffer);
  });
}

int X(set_index_list)(int64_t n, const int64_t* index, int fhandle, iogroup_t* group) {
  return face::guarded(__func__,
                       [&] { return face::set_index_list(face::copied_list(n, index), fhandle, group); });
}

int X(write_dataset)(const void* buffer, datatype_t type, int ndims, const int* globaldims,
                     const int* localdims, int fhandle, const char* dset, iogroup_t* group,
                     iopattern_t pattern) {
  return write_as(__func__, static_cast<int>(pattern), buffer,
                  dataset(type, ndims, globaldims, localdims, {fhandle, dset}), group);
}

int X(write_dataset1)(const void* buffer, datatype_t type, int ndims, const int* globaldims,
                      const int* localdims, int fhandle, const char* dset, iogroup_t* group) {
  return write_as(__func__, face::k_uniform_write, buffer,
                  dataset(type, ndims, globaldims, localdims, {fhandle, dset}), group);
}

int X(write_dataset2)(const void* buffer, datatype_t type, int ndims, const int* globaldims,
                      const int* localdims, int fhandle, const char* dset, iogroup_t* group) {
  return write_as(__func__, face::k_nonuniform_write, buffer,
                  dataset(type, ndims, globaldims, localdims, {fhandle, dset}), group);
}

int X(write_dataset_block)(const void* buffer, datatype_t type, int ndims, const int* globaldims,
                           const int* localdims, const int* localstarts, int fhandle, const char* dset,
                           iogroup_t* group) {
  return face::guarded(__func__, [&] {
    face::DatasetArguments arguments = dataset(type, ndims, globaldims, localdims, {fhandle, dset});
    arguments.start = face::extents_of(ndims, localstarts);
    return face::write_dataset_block(group, arguments, buffer);
  });
}

int X(write_dataset_indexed)(const void* buffer, datatype_t type, int ndims, const int64_t* globaldims,
                             int64_t n, const int64_t* index, int fhandle, const char* dset,
                             iogroup_t* group) {
  return face::guarded(__func__, [&] {
    const auto arguments = dataset(type, ndims, globaldims, nullptr, {fhandle, dset});
    return face::write_dataset_indexed(group, arguments, face::borrowed_list(n, index), buffer);
  });
}

int X(write_str_array)(char** strings, int n, int fhandle, const char* dset, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::write_str_array(strings, n, fhandle, dset, group); });
}

int X(read_str_array)(char*** strings, int* n, int fhandle, const char* dset, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::read_str_array(strings, n, fhandle, dset, group); });
}

int X(write_simple_attr)(const char* attr, const void* data, datatype_t type, int fhandle, const char* object,
                         iogroup_t* group) {
  return face::guarded(__func__, [&] {
    return face::write_attribute(group, attribute(attr, type, {fhandle, object}), data);
  });
}

int X(write_attr)(const char* attr, const void* data, datatype_t type, int ndims, const int* adims,
                  int fhandle, const char* object, iogroup_t* group) {
  return face::guarded(__func__, [&] {
    face::AttributeArguments arguments = attribute(attr, type, {fhandle, object});
    arguments.adims = face::attribute_extents(ndims, adims);
    return face::write_attribute(group, arguments, data);
  });
}

int X(read_simple_attr)(const char* attr, void** data, datatype_t type, int fhandle, const char* object,
                        iogroup_t* group) {
  return face::guarded(__func__, [&] {
    return face::read_attribute(group, attribute(attr, type, {fhandle, object}), {data, nullptr, nullptr});
  });
}

int X(read_attr)(const char* attr, void** data, datatype_t type, int* ndims, int** adims, int fhandle,
                 const char* object, iogroup_t* group) {
  const bool complete = ndims != nullptr && adims != nullptr;
  return face::guarded(__func__, [&] {
    return face::read_attribute(group, attribute(attr, type, {fhandle, object}),
                                {complete ? data : nullptr, ndims, adims});
  });
}

}  // extern "C"
