#include "fortran.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "block_write.h"
#include "dataset_groups.h"
#include "failure.h"
#include "inquire.h"
#include "lifetime.h"
#include "read.h"
#include "write.h"

namespace scorpio2012::fortran {

namespace {

// The groups by number. It is not shortened before cleanup(), so that numbers are not used again.
std::vector<std::unique_ptr<iogroup_t>>& table() {
  static std::vector<std::unique_ptr<iogroup_t>> groups;
  return groups;
}

// NULL if there is none; every call rejects it.
iogroup_t* group_of(int gid) {
  const auto& groups = table();
  return gid >= 0 && gid < static_cast<int>(groups.size()) ? groups[static_cast<size_t>(gid)].get() : nullptr;
}

DatasetArguments arguments_of(const Dataset& dataset, const int* global, const int* local,
                              const int* starts) {
  const auto extents = [&](const int* dims) { return extents_of(dataset.ndims, dims); };
  return {dataset.family,  dataset.type, extents(global),     extents(local),
          extents(starts), dataset.fid,  dataset.name.c_str()};
}

DatasetArguments arguments_of(const Dataset& dataset, const int64_t* global) {
  return {dataset.family, dataset.type,        extents_of(dataset.ndims, global), std::nullopt, std::nullopt,
          dataset.fid,    dataset.name.c_str()};
}

}  // namespace

Text::Text(const char* text, int hidden_bytes) {
  const size_t most = hidden_bytes > 0 ? static_cast<size_t>(hidden_bytes) : SIZE_MAX;
  if (text != nullptr) text_.assign(text, hidden_bytes > 0 ? strnlen(text, most) : std::strlen(text));
}

int iogroup_init(int groups, MPI_Fint comm, int* gid) { return iogroup_init2(0, groups, comm, gid); }

int iogroup_init2(int group_size, int groups, MPI_Fint comm, int* gid) {
  iogroup_conf_t conf{groups, group_size, MPI_Comm_f2c(comm)};
  auto group = std::make_unique<iogroup_t>();
  *gid = -1;
  if (const int code = group_init(&conf, group.get()); code != 0) return code;
  table().push_back(std::move(group));
  *gid = static_cast<int>(table().size()) - 1;
  return 0;
}

int iogroup_cleanup(int gid) {
  const int code = group_cleanup(group_of(gid));
  if (code == 0) table()[static_cast<size_t>(gid)].reset();
  return code;
}

int cleanup() {
  int code = 0;
  for (int gid = 0; gid < static_cast<int>(table().size()); ++gid) {
    if (group_of(gid) != nullptr && iogroup_cleanup(gid) != 0) code = k_failure;
  }
  table().clear();
  return code;
}

int open_file(const Text& name, int gid, int mode, int* fid) {
  *fid = scorpio2012::open_file(name.c_str(), group_of(gid), mode);
  return *fid < 0 ? k_failure : 0;
}

int close_file(int fid, int gid) { return scorpio2012::close_file(fid, group_of(gid)); }
int set_max_buffer(int64_t bytes, int gid) { return scorpio2012::set_max_buffer(bytes, group_of(gid)); }
int set_xdmf(int on, int gid) { return scorpio2012::set_xdmf(on, group_of(gid)); }

int get_last_error(char* text, int bytes) {
  const size_t room = bytes > 0 ? static_cast<size_t>(bytes) : 0;
  std::memset(text + last_error().copy(text, room), ' ', room - std::min(room, last_error().size()));
  return 0;
}

int create_dataset_group(int* id, const Text& name, int fid, int gid) {
  *id = enter_dataset_group(name.c_str(), fid, group_of(gid));
  return *id < 0 ? k_failure : 0;
}

int close_dataset_group(int id, int fid, int gid) { return close_numbered_group(id, fid, group_of(gid)); }

int group_exists(const Text& name, int fid, int gid) {
  return scorpio2012::group_exists(name.c_str(), fid, group_of(gid));
}

int dataset_exists(const Text& name, int fid, int gid) {
  return scorpio2012::dataset_exists(name.c_str(), fid, group_of(gid));
}

int get_dataset_ndims(int* ndims, int fid, const Text& name, int gid) {
  return scorpio2012::get_dataset_ndims(ndims, fid, name.c_str(), group_of(gid));
}

int get_dataset_dims(int* dims, int fid, const Text& name, int gid) {
  return scorpio2012::get_dataset_dims(dims, fid, name.c_str(), group_of(gid));
}

int get_dataset_size(int* size, int fid, const Text& name, int gid) {
  return scorpio2012::get_dataset_size(size, fid, name.c_str(), group_of(gid));
}

int get_dataset_dims64(int64_t* dims, int fid, const Text& name, int gid) {
  return scorpio2012::get_dataset_dims(dims, fid, name.c_str(), group_of(gid));
}

int get_dataset_size64(int64_t* size, int fid, const Text& name, int gid) {
  return scorpio2012::get_dataset_size(size, fid, name.c_str(), group_of(gid));
}

int read_dataset(void* buffer, const Dataset& dataset, const int* global, const int* local, int pattern) {
  return scorpio2012::read_dataset(group_of(dataset.gid), arguments_of(dataset, global, local, nullptr),
                                   buffer, pattern);
}

int write_dataset(const void* buffer, const Dataset& dataset, const int* global, const int* local,
                  int pattern) {
  return scorpio2012::write_dataset(group_of(dataset.gid), arguments_of(dataset, global, local, nullptr),
                                    buffer, pattern);
}

int read_dataset_block(void* buffer, const Dataset& dataset, const int* global, const int* local,
                       const int* starts) {
  return scorpio2012::read_dataset_block(group_of(dataset.gid), arguments_of(dataset, global, local, starts),
                                         buffer);
}

int write_dataset_block(const void* buffer, const Dataset& dataset, const int* global, const int* local,
                        const int* starts) {
  return scorpio2012::write_dataset_block(group_of(dataset.gid), arguments_of(dataset, global, local, starts),
                                          buffer);
}

int read_same_sub_dataset(void* buffer, const Dataset& dataset, const int* block, const int* starts) {
  return scorpio2012::read_same_sub_dataset(group_of(dataset.gid),
                                            arguments_of(dataset, block, block, starts), buffer);
}

int read_dataset_indexed(void* buffer, const Dataset& dataset, const int64_t* global, int64_t n,
                         const int64_t* index) {
  return scorpio2012::read_dataset_indexed(group_of(dataset.gid), arguments_of(dataset, global),
                                           borrowed_list(n, index), buffer);
}

int write_dataset_indexed(const void* buffer, const Dataset& dataset, const int64_t* global, int64_t n,
                          const int64_t* index) {
  return scorpio2012::write_dataset_indexed(group_of(dataset.gid), arguments_of(dataset, global),
                                            borrowed_list(n, index), buffer);
}

int set_index_list(int64_t n, const int64_t* index, int fid, int gid) {
  return scorpio2012::set_index_list(copied_list(n, index), fid, group_of(gid));
}

}  // namespace scorpio2012::fortran
