#include "session/variable_access.h"

namespace scorpio::session {

Status check_readable(const model::Variable& variable) {
  if (variable.unreadable.empty()) return {};
  return failure(Code::unsupported, "{} cannot be read: {}", variable.path, variable.unreadable);
}

Status check_overwritable(const model::Variable& variable, const format::Placement& placement) {
  if (!placement.is_by_library()) return {};
  return failure(Code::unsupported,
                 "{} cannot be written: its elements are {}, and only contiguous ones can be overwritten; "
                 "scorpio_variable_access_inquire says so beforehand",
                 variable.path, placement.form());
}

}  // namespace scorpio::session
