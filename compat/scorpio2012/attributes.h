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
  std::optional<Extents> adims;  // to write
  int handle;
  const char* object;
};

// Of a scalar, or of an array.
std::optional<Extents> attribute_extents(int ndims, const int* adims);

// Rank 0's value. One that exists keeps its value. 0 or -1.
int write_attribute(iogroup_t* shown, const AttributeArguments& arguments, const void* data);

// The results of reading an attribute: *data and *adims are allocated for the caller.
struct AttributeResult {
  void** data;
  int* ndims;   // NULL: not wanted
  int** adims;  // NULL: not wanted
};

// 0, -1, -2 or -5.
int read_attribute(iogroup_t* shown, const AttributeArguments& arguments, const AttributeResult& result);

}  // namespace scorpio2012
