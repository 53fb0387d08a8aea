#include "variable.h"

#include "failure.h"

namespace scorpio2012 {

std::optional<FoundVariable> find_variable(scorpio_file* file, const std::string& path) {
  FoundVariable found{};
  if (scorpio_variable_find(file, path.c_str(), &found.id) != SCORPIO_OK) {
    fail_natively();
    return std::nullopt;
  }
  int ndims = 0;
  found.dims.resize(k_most_dimensions);
  if (scorpio_variable_inquire(file, found.id, &found.element.type, &found.element.bytes, &ndims,
                               found.dims.data(), k_most_dimensions) != SCORPIO_OK) {
    fail_natively();
    return std::nullopt;
  }
  found.dims.resize(static_cast<size_t>(ndims));
  return found;
}

// If the object exists, all groups above it exist, so that one inquiry is usually enough.
int learn_groups_above(scorpio_file* file, const std::string& path) {
  std::string above = path;
  int kind = SCORPIO_OBJECT_NONE;
  for (size_t end = above.rfind('/'); kind == SCORPIO_OBJECT_NONE && end > 0; end = above.rfind('/')) {
    above.resize(end);
    if (scorpio_object_find(file, above.c_str(), &kind, nullptr) != SCORPIO_OK) return fail_natively();
  }
  return 0;
}

std::optional<Element> memory_element(int datatype, Family family, const Element& stored) {
  if (stored.type == SCORPIO_TEXT) return std::nullopt;
  if (datatype != k_byte) {
    return stored.type == SCORPIO_OPAQUE ? std::nullopt : element_of(datatype, family);
  }
  if (stored.type != SCORPIO_OPAQUE) return Element{SCORPIO_INT8, 1};
  return stored.bytes == 1 ? std::optional(stored) : std::nullopt;
}

int fetch(scorpio_file* file, int id, scorpio_decomp* decomposition, scorpio_type type, void* buffer) {
  const int code = scorpio_get_darray(file, id, decomposition, 0, type, buffer);
  return code == SCORPIO_OK || code == SCORPIO_ERR_RANGE ? 0 : fail_natively();
}

}  // namespace scorpio2012
