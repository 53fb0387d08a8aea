#include "inquire.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "dataset_arguments.h"
#include "failure.h"
#include "meeting.h"
#include "quiet_hdf5.h"
#include "variable.h"

namespace scorpio2012 {

namespace {

template <typename Number>
bool fits(int64_t value) {
  return value <= static_cast<int64_t>(std::numeric_limits<Number>::max());
}

constexpr const char* k_too_large =
    "the answer does not fit its integers; ask get_dataset_dims64 or get_dataset_size64";

}  // namespace

std::optional<Extents> dataset_extents(const char* function, int handle, const char* name, iogroup_t* shown,
                                       bool out_is_there) {
  const Place place = place_of(shown, handle);
  if (place.group == nullptr) return std::nullopt;
  Proposal proposal = propose(function, place, handle, name);
  if (!out_is_there) proposal.error = fail("the place for the answer is NULL");
  if (meet(place.group->assembly(), proposal).error != 0) return std::nullopt;
  const auto found = find_variable(place.file->native(), absolute_path(name));
  return found ? std::optional(found->dims) : std::nullopt;
}

int get_dataset_ndims(int* ndims, int handle, const char* name, iogroup_t* shown) {
  const auto extents = dataset_extents("get_dataset_ndims", handle, name, shown, ndims != nullptr);
  if (!extents) return k_failure;
  *ndims = static_cast<int>(extents->size());
  return 0;
}

template <typename Number>
int get_dataset_dims(Number* dims, int handle, const char* name, iogroup_t* shown) {
  const auto extents = dataset_extents("get_dataset_dims", handle, name, shown, dims != nullptr);
  if (!extents) return k_failure;
  if (!std::all_of(extents->begin(), extents->end(), fits<Number>)) return fail(k_too_large);
  std::transform(extents->begin(), extents->end(), dims,
                 [](int64_t extent) { return static_cast<Number>(extent); });
  return 0;
}

template <typename Number>
int get_dataset_size(Number* size, int handle, const char* name, iogroup_t* shown) {
  const auto extents = dataset_extents("get_dataset_size", handle, name, shown, size != nullptr);
  const auto elements = extents ? volume(*extents) : std::nullopt;
  if (!extents) return k_failure;
  if (!elements || !fits<Number>(*elements)) return fail(k_too_large);
  *size = static_cast<Number>(*elements);
  return 0;
}

template int get_dataset_dims<int>(int*, int, const char*, iogroup_t*);
template int get_dataset_dims<int64_t>(int64_t*, int, const char*, iogroup_t*);
template int get_dataset_size<int>(int*, int, const char*, iogroup_t*);
template int get_dataset_size<int64_t>(int64_t*, int, const char*, iogroup_t*);

namespace {

int object_exists(const char* function, scorpio_object_kind wanted, int handle, const char* name,
                  iogroup_t* shown) {
  const Place place = place_of(shown, handle);
  if (place.group == nullptr) return 0;
  if (meet(place.group->assembly(), propose(function, place, handle, name)).error != 0) return 0;
  int kind = SCORPIO_OBJECT_NONE;
  const int code = scorpio_object_find(place.file->native(), absolute_path(name).c_str(), &kind, nullptr);
  return code == SCORPIO_OK && kind == wanted ? 1 : 0;
}

// HDF5 fails for a path unless each part before the last one is a link that exists.
bool has_link(hid_t object, const std::string& name) {
  for (size_t end = name.find('/', 1); end != std::string::npos; end = name.find('/', end + 1)) {
    if (H5Lexists(object, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return H5Lexists(object, name.c_str(), H5P_DEFAULT) > 0;
}

}  // namespace

int group_exists(const char* name, int handle, iogroup_t* shown) {
  return object_exists("group_exists", SCORPIO_OBJECT_GROUP, handle, name, shown);
}

int dataset_exists(const char* name, int handle, iogroup_t* shown) {
  return object_exists("dataset_exists", SCORPIO_OBJECT_VARIABLE, handle, name, shown);
}

bool name_exists(hid_t object, const char* name) {
  if (name == nullptr || *name == '\0') return false;
  const QuietHdf5 quiet;
  return H5Aexists(object, name) > 0 || has_link(object, name);
}

void initialize_datatype(int datatype, iogroup_t* shown, Family family) {
  struct Types {
    MPI_Datatype mpi;
    hid_t hdf;
    size_t bytes;
  };
  const hid_t byte = family == Family::scorpio ? H5T_NATIVE_OPAQUE : H5T_NATIVE_CHAR;
  const std::array<Types, 7> known{{{MPI_INT, H5T_NATIVE_INT, sizeof(int)},
                                    {MPI_DOUBLE, H5T_NATIVE_DOUBLE, sizeof(double)},
                                    {MPI_FLOAT, H5T_NATIVE_FLOAT, sizeof(float)},
                                    {MPI_LONG, H5T_NATIVE_LONG, sizeof(long)},
                                    {MPI_CHAR, H5T_NATIVE_CHAR, 1},
                                    {MPI_BYTE, byte, 1},
                                    {MPI_CHAR, H5T_C_S1, 1}}};
  if (shown == nullptr || datatype < 0 || datatype >= static_cast<int>(known.size())) return;
  const Types& types = known[static_cast<size_t>(datatype)];
  shown->mpi_type = types.mpi;
  shown->hdf_type = types.hdf;
  shown->datatype_size = static_cast<int>(types.bytes);
}

}  // namespace scorpio2012
