#include "format/hdf5/netcdf4_marks.h"

#include <string>

#include "format/hdf5/errors.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/scales.h"

namespace scorpio::format::hdf5 {
namespace {

Status put(hid_t root, const char* name, hid_t type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle made(H5Acreate2(root, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (made.valid() && H5Awrite(made.get(), type, value) >= 0) return {};
  return library_failure(Code::io, fmt::format("HDF5 cannot write {}", name));
}

// Has the form of netCDF-C's own: a version number of the form, then names and versions of libraries.
std::string provenance(const std::string& writer) {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("version=2,{},hdf5={}.{}.{}", writer, major, minor, release);
}

bool indexes_members(hid_t file) {
  const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  const Handle list(H5Gget_create_plist(root.get()), H5Pclose);
  unsigned flags = 0;
  return list.valid() && H5Pget_link_creation_order(list.get(), &flags) >= 0 &&
         (flags & H5P_CRT_ORDER_INDEXED) != 0;
}

}  // namespace

Status mark_netcdf4(hid_t file, const std::string& writer, bool classic_model) {
  const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  const std::string text = provenance(writer);
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), text.size());
  SCORPIO_TRY(put(root.get(), k_provenance, type.get(), text.data()));
  const int one = 1;
  return classic_model ? put(root.get(), k_classic_model, H5T_NATIVE_INT, &one) : Status();
}

Netcdf4Marks marks_of(hid_t file, const model::Attributes& of_root, bool has_ids) {
  Netcdf4Marks marks;
  marks.classic_model = of_root.contains(k_classic_model);
  marks.netcdf4 = marks.classic_model || of_root.contains(k_provenance) || (has_ids && indexes_members(file));
  return marks;
}

}  // namespace scorpio::format::hdf5
