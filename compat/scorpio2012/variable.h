// A dataset in the file. Collective in files opened for writing, else Local; one thread.
#pragma once

#include "common.h"

namespace scorpio2012 {

struct FoundVariable {
  int id;
  Element element;
  Extents dims;
};

// The same on all ranks. None if there is no dataset at `path`.
std::optional<FoundVariable> find_variable(scorpio_file* file, const std::string& path);

// Groups above `path` that the application has removed through its HDF5 id are created again by the
// definition that follows. Returns the same code on all ranks.
int learn_groups_above(scorpio_file* file, const std::string& path);

// The element type in memory in which `datatype` reads a dataset of `stored` elements; none if this is
// impossible.
std::optional<Element> memory_element(int datatype, Family family, const Element& stored);

// Reads by `decomposition`; values out of range are clipped, as by HDF5. Returns the same code on all ranks.
int fetch(scorpio_file* file, int id, scorpio_decomp* decomposition, scorpio_type type, void* buffer);

}  // namespace scorpio2012
