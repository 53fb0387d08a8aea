// The functions that the Fortran names call. Arguments are passed by reference; integers have 4 bytes unless
// they are int64_t, and no more bytes are read or written. Collectivity as in scorpio.h; one thread.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "common.h"

namespace scorpio2012::fortran {

// A string that the caller terminated with NUL. `hidden_bytes`: the length that Fortran compilers append, an
// upper bound if there is one.
class Text {
 public:
  Text(const char* text, int hidden_bytes);
  const char* c_str() const { return text_.c_str(); }

 private:
  std::string text_;
};

// Returns the number of a group of ranks, from 0 on, in `gid`; -1 if it fails. `groups` = 0: groups of the
// given size, or one group.
int iogroup_init(int groups, MPI_Fint comm, int* gid);
int iogroup_init2(int group_size, int groups, MPI_Fint comm, int* gid);
int iogroup_cleanup(int gid);
int cleanup();
int open_file(const Text& name, int gid, int mode, int* fid);
int close_file(int fid, int gid);
int set_max_buffer(int64_t bytes, int gid);
int set_xdmf(int on, int gid);
// Copies it to text[bytes], padded with blanks.
int get_last_error(char* text, int bytes);

// Returns the number of the group in `id`: from 1 on, the same on all ranks.
int create_dataset_group(int* id, const Text& name, int fid, int gid);
int close_dataset_group(int id, int fid, int gid);
// These functions return the result.
int group_exists(const Text& name, int fid, int gid);
int dataset_exists(const Text& name, int fid, int gid);

int get_dataset_ndims(int* ndims, int fid, const Text& name, int gid);
int get_dataset_dims(int* dims, int fid, const Text& name, int gid);
int get_dataset_size(int* size, int fid, const Text& name, int gid);
int get_dataset_dims64(int64_t* dims, int fid, const Text& name, int gid);
int get_dataset_size64(int64_t* size, int fid, const Text& name, int gid);

// The common arguments of all data calls.
struct Dataset {
  Family family;
  int type;
  int ndims;
  int fid;
  const Text& name;
  int gid;
};

int read_dataset(void* buffer, const Dataset& dataset, const int* global, const int* local, int pattern);
int write_dataset(const void* buffer, const Dataset& dataset, const int* global, const int* local,
                  int pattern);
int read_dataset_block(void* buffer, const Dataset& dataset, const int* global, const int* local,
                       const int* starts);
int write_dataset_block(const void* buffer, const Dataset& dataset, const int* global, const int* local,
                        const int* starts);
int read_same_sub_dataset(void* buffer, const Dataset& dataset, const int* block, const int* starts);
int read_dataset_indexed(void* buffer, const Dataset& dataset, const int64_t* global, int64_t n,
                         const int64_t* index);
int write_dataset_indexed(const void* buffer, const Dataset& dataset, const int64_t* global, int64_t n,
                          const int64_t* index);
int set_index_list(int64_t n, const int64_t* index, int fid, int gid);

}  // namespace scorpio2012::fortran
