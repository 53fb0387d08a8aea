// Attributes of groups and datasets. Collective; one thread.
#pragma once

#include "scorpio_util.h"

#include "common.h"

namespace scorpio2012 {

// The name, type and extents of an attribute; `adims` has no value if they are invalid, and is empty for a
// scalar.
struct AttributeArguments {
  Family family;
  const char* name;
  int type;
  std::optional<Extents> adims;  // for writing
  int handle;
  const char* object;
};

// The extents of a scalar, or of an array.
std::optional<Extents> attribute_extents(int ndims, const int* adims);

// Writes the value of rank 0. An attribute that exists keeps its value. Returns 0 or -1.
int write_attribute(iogroup_t* shown, const AttributeArguments& arguments, const void* data);

// The results of reading an attribute: *data and *adims are allocated for the caller.
struct AttributeResult {
  void** data;
  int* ndims;   // may be NULL
  int** adims;  // may be NULL
};

// Returns 0, -1, -2 or -5.
int read_attribute(iogroup_t* shown, const AttributeArguments& arguments, const AttributeResult& result);

}  // namespace scorpio2012
