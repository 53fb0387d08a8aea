// Types of elements and the scalar space as HDF5's ids, each made once: a file has many attributes of few
// types. Local; inside a LibraryCall (library_call.h).
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/types.h"
#include "model/element_type.h"
#include "model/objects.h"

namespace scorpio::format::hdf5 {

class TypeCache {
 public:
  TypeCache(hid_t file, const model::Objects& objects, bool netcdf4)
      : file_(file), objects_(objects), netcdf4_(netcdf4) {}

  // As make_type(); the id is valid until trim().
  Result<hid_t> type(const model::ElementType& type, TextForm form);
  // The type of strings of variable length, as make_string_type().
  Result<hid_t> strings();
  // The first type with a name in the file that is equal to `type`, or else `type`.
  hid_t named(hid_t type);
  // Invalid if HDF5 cannot make it.
  hid_t scalar();
  // Of an empty text: in format netcdf4, as netCDF-C stores it, one without a value; in other files that of
  // one NUL, which all readers take for a text.
  hid_t empty_text();
  // Releases the types if there are many: texts of each length have their own.
  void trim();

 private:
  // kind, size, byte order, utf8, terminated
  using Key = std::tuple<model::Kind, uint32_t, model::ByteOrder, bool, bool>;
  hid_t file_;
  const model::Objects& objects_;
  std::optional<std::vector<Handle>> named_;  // all of the file, once they are needed
  std::map<Key, Handle> types_;
  Handle strings_;
  Handle scalar_, null_;
  bool netcdf4_;
};

}  // namespace scorpio::format::hdf5
