#include "session/variable_access.h"

namespace scorpio::session {

Status check_readable(const model::Variable& variable) {
  if (variable.unreadable.empty()) return {};
  return failure(Code::unsupported, "{} cannot be read: {}", variable.path, variable.unreadable);
}

Status check_overwritable(const model::Variable& variable) {
  if (variable.storage == model::Storage::contiguous) return {};
  return failure(Code::unsupported,
                 "{} cannot be written: its elements are {}, and only contiguous ones can be overwritten; "
                 "scorpio_variable_access_inquire says so beforehand",
                 variable.path, variable.form);
}

bool has_variables_of_library(const model::Schema& schema) {
  for (int i = 0; i < schema.variable_count(); ++i) {
    if (schema.variable(i).storage == model::Storage::library) return true;
  }
  return false;
}

}  // namespace scorpio::session
