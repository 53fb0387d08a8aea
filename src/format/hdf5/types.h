// Element types of the model and data types of HDF5, both ways. Local; the thread that calls SCORPIO alone.
#pragma once

#include <string>

#include "base/result.h"
#include "format/hdf5/handle.h"
#include "model/element_type.h"

namespace scorpio::format::hdf5 {

// How a text says where it ends and what its bytes mean.
struct TextForm {
  bool utf8 = false;        // its bytes are not all ASCII
  bool terminated = false;  // by NUL, in the words of HDF5; else padded with it, so that any length is exact
};

// The type as it is stored. Single characters are what netCDF-C makes of them: terminated. Opaque has an
// empty tag.
Result<Handle> make_type(const model::ElementType& type, TextForm form = {});

struct TypeFacts {
  model::ElementType type = {};  // of the file; a stand-in where `exact` is false
  bool exact = false;            // the stored bytes are elements of `type`
  bool convertible = false;      // HDF5 can turn them into the native form of `type`
  bool variable_text = false;
  std::string foreign = {};  // says what the type is, if `type` cannot: then neither exact nor convertible
};
TypeFacts examine_type(hid_t type);

// The type in memory, in the order of `type`, into which HDF5 converts elements of `stored`, which
// examine_type() called convertible.
// Texts keep all their bytes, but blanks at their end become NUL where `stored` is padded with blanks.
Result<Handle> make_memory_type(hid_t stored, const model::ElementType& type);

}  // namespace scorpio::format::hdf5
