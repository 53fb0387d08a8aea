// The types of files that do not consist of others: numbers, texts and bytes. Local; only the thread that
// calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <string>

#include "model/element_type.h"

namespace scorpio::format::hdf5 {

// HDF5's own type for numbers of this kind, which is not closed; -1 for other kinds.
hid_t standard_type(model::Kind kind, bool little);

struct TypeFacts {
  model::ElementType type = {};  // of the file; a substitute if `exact` is false
  bool exact = false;            // the stored bytes are elements of `type`
  bool convertible = false;      // HDF5 can convert them to the native form of `type`
  // `type` is opaque and has the size of the elements: no conversion makes anything else of their bytes.
  bool bytes_alone = false;
  bool variable_text = false;
  // Description of the type if `type` does not say all; neither exact nor convertible: it cannot be read.
  std::string foreign = {};
};

// Other types are unknown to this function.
TypeFacts examine_simple_type(hid_t type);
// Also of the base type of an enumeration.
TypeFacts examine_integer(hid_t type);
// Of a type that the schema does not have; `what` describes it.
TypeFacts foreign_type(hid_t type, std::string what);

}  // namespace scorpio::format::hdf5
