// The contents of a file. Collective, except name_exists; one thread.
#pragma once

#include <hdf5.h>

#include "scorpio_util.h"

#include "common.h"

namespace scorpio2012 {

// The extents of the dataset; none on all ranks if an argument is invalid (also `out_is_there`) or the
// dataset does not exist.
std::optional<Extents> dataset_extents(const char* function, int handle, const char* name, iogroup_t* shown,
                                       bool out_is_there);

// As the functions of the interface; Number is int (-1 if a number does not fit) or int64_t.
template <typename Number>
int get_dataset_dims(Number* dims, int handle, const char* name, iogroup_t* shown);
template <typename Number>
int get_dataset_size(Number* size, int handle, const char* name, iogroup_t* shown);
int get_dataset_ndims(int* ndims, int handle, const char* name, iogroup_t* shown);

// Returns 1 or 0, the same on all ranks.
int group_exists(const char* name, int handle, iogroup_t* shown);
int dataset_exists(const char* name, int handle, iogroup_t* shown);

// Local.
bool name_exists(hid_t object, const char* name);
void initialize_datatype(int datatype, iogroup_t* shown, Family family);

}  // namespace scorpio2012
