#include "store.h"

#include "failure.h"
#include "variable.h"

namespace scorpio2012 {

namespace {

constexpr int k_none = -1;

// The id of the variable, or k_none if it must be created; none if it cannot be written.
std::optional<int> existing(scorpio_file* file, const StoredVariable& wanted) {
  int kind = SCORPIO_OBJECT_NONE;
  if (scorpio_object_find(file, wanted.path.c_str(), &kind, nullptr) != SCORPIO_OK) {
    fail_natively();
    return std::nullopt;
  }
  if (kind == SCORPIO_OBJECT_NONE) return k_none;
  if (kind != SCORPIO_OBJECT_VARIABLE || !wanted.may_exist) {
    fail(wanted.path + " exists already");
    return std::nullopt;
  }
  const auto found = find_variable(file, wanted.path);
  const bool fits = found && found->element.type == wanted.element.type &&
                    found->element.bytes == wanted.element.bytes && found->dims == wanted.dims;
  if (fits) return found->id;
  fail(wanted.path + " exists already, with another type or other extents");
  return std::nullopt;
}

int define(scorpio_file* file, const StoredVariable& wanted, int* id) {
  return scorpio_variable_define_sized(file, wanted.path.c_str(), wanted.element.type, wanted.element.bytes,
                                       static_cast<int>(wanted.dims.size()), wanted.dims.data(), id);
}

}  // namespace

int store(Group& group, OpenFile& file, const StoredVariable& variable, const LocalPart& part) {
  scorpio_file* const native = file.native();
  const Decomposition decomposition = group.io_system().decomposition(part.layout, part.keep_layout);
  if (decomposition == nullptr) return k_failure;
  const auto found = existing(native, variable);
  if (!found) return k_failure;
  int id = *found;
  if (id == k_none) {
    if (learn_groups_above(native, variable.path) != 0) return k_failure;
    if (define(native, variable, &id) != SCORPIO_OK) return fail_natively();
  }
  // The sync returns a failure of this rank on all ranks.
  (void)scorpio_put_darray(native, id, decomposition.get(), 0, variable.element.type, part.buffer);
  if (scorpio_file_sync(native) != SCORPIO_OK) return fail_natively();
  return file.refresh();
}

}  // namespace scorpio2012
