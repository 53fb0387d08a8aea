// Attributes of one open HDF5 object. Local; only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <string>

#include "base/result.h"
#include "format/hdf5/type_cache.h"
#include "model/attribute.h"
#include "model/pending.h"

namespace scorpio::format::hdf5 {

// Whether an object header of HDF5's oldest form, which holds attributes of less than 64 KiB, has no room for
// the attribute.
bool exceeds_old_header(const std::string& name, const model::Attribute& attribute);

// Writes the pending attributes in order of definition; those that are written are no longer pending.
// `fresh`: the object has none of these attributes.
Status write_attributes(hid_t object, const model::Attributes& attributes, model::PendingObject& pending,
                        bool fresh, TypeCache& types);

// Renumbers Attribute::order without gaps: 1, 2, ...
void number_in_order(model::Attributes& attributes);

Result<model::Attribute> read_attribute(hid_t object, const std::string& name);

// Reads all attributes, in order of creation if the object records it, else by name. Texts of variable
// length have the longest length and are marked as such; an attribute that the schema cannot hold has no
// value.
Result<model::Attributes> read_attributes(hid_t object);

}  // namespace scorpio::format::hdf5
