#include "session/state/variable_access.h"

#include "model/string_elements.h"

namespace scorpio::session {

Status check_readable(const model::Variable& variable) {
  if (model::holds_strings(variable))
    return failure(Code::unsupported,
                   "{} holds strings of variable length, which only scorpio_strings_get() reads; call it",
                   variable.path);
  if (variable.unreadable.empty()) return {};
  return failure(Code::unsupported, "{} cannot be read: {}", variable.path, variable.unreadable);
}

Status check_overwritable(const model::Variable& variable, const format::Placement& placement) {
  if (model::holds_strings(variable))
    return failure(Code::unsupported,
                   "{} holds strings of variable length, which only scorpio_strings_put() writes; call it",
                   variable.path);
  if (!placement.is_by_library() || placement.is_unallocated()) return {};
  return failure(
      Code::unsupported,
      "{} cannot be written: its elements are {}; only contiguous elements, and chunks whose filters this "
      "library has, can be overwritten. Write it by the library of its format, or define another variable",
      variable.path, placement.form());
}

bool reads_records_at_once(const model::Variable& variable) {
  return variable.records && variable.storage.form != model::Storage::Form::plain;
}

model::ElementType memory_type_for(const format::Format& format, const model::ElementType& stored,
                                   model::ElementType memory) {
  if (stored.kind == model::Kind::int8 && memory.kind == model::Kind::uint8 &&
      format.capabilities().bytes_lack_sign) {
    memory.kind = model::Kind::int8;
  }
  return memory;
}

Result<codec::Conversion> conversion_of(const format::Format& format, const model::Variable& variable,
                                        const Result<model::ElementType>& memory_type, bool reading) {
  SCORPIO_TRY(memory_type.status());
  const model::ElementType memory = memory_type_for(format, variable.type, *memory_type);
  auto made = reading ? codec::Conversion::make(variable.type, memory)
                      : codec::Conversion::make(memory, variable.type);
  if (!made.ok()) return made.status().with_context(variable.path);
  return made;
}

}  // namespace scorpio::session
