// Element types of the model and data types of HDF5, both ways. Local; the thread that calls SCORPIO alone.
#pragma once

#include <string>

#include "base/result.h"
#include "format/hdf5/handle.h"
#include "model/element_type.h"

namespace scorpio::format::hdf5 {

// The type as it is stored. Text is padded with NUL and has no terminator, so that any length is exact;
// `utf8`: its bytes are not all ASCII. Opaque has an empty tag.
Result<Handle> make_type(const model::ElementType& type, bool utf8 = false);

struct TypeFacts {
  model::ElementType type = {};  // of the file; a stand-in where `exact` is false
  bool exact = false;            // the stored bytes are elements of `type`
  bool convertible = false;      // HDF5 can turn them into the native form of `type`
  bool variable_text = false;
  std::string foreign = {};  // says what the type is, if `type` cannot: then neither exact nor convertible
};
TypeFacts examine_type(hid_t type);

// The type in memory into which HDF5 converts elements of `stored`, which examine_type() called convertible.
Result<Handle> make_memory_type(hid_t stored, const model::ElementType& type);

}  // namespace scorpio::format::hdf5
