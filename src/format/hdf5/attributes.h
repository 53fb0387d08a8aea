// Attributes of one open HDF5 object. Local; the thread that calls SCORPIO alone.
#pragma once

#include <hdf5.h>

#include <string>

#include "base/result.h"
#include "model/schema.h"

namespace scorpio::format::hdf5 {

// Creates the attribute, or gives it its new value; `fresh`: the object is known to have none of this name.
Status write_attribute(hid_t object, const std::string& name, const model::Attribute& attribute, bool fresh);

// Writes those that are pending, in order of definition; what is written is so no more.
Status write_attributes(hid_t object, const model::Attributes& attributes, model::PendingObject& pending,
                        bool fresh);

// Closes gaps in Attribute::order: 1, 2, ...
void number_in_order(model::Attributes& attributes);

Result<model::Attribute> read_attribute(hid_t object, const std::string& name);

// All of them, in order of creation if the object keeps it, else of names. Text of variable length
// becomes text of the longest length; what the model cannot hold is there without value.
Result<model::Attributes> read_attributes(hid_t object);

}  // namespace scorpio::format::hdf5
