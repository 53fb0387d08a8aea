#include "model/checks.h"

#include "model/extents.h"

namespace scorpio::model {

Status check_name(const std::string& name, const char* what, bool slash) {
  const bool bad = name.find('\0') != std::string::npos || (!slash && name.find('/') != std::string::npos);
  if (!name.empty() && !bad) return {};
  return failure(Code::name, "'{}' cannot be the name of a {}: it is empty or holds '/' or a NUL byte", name,
                 what);
}

Status check_attribute(const std::string& object, const std::string& name, const Attribute& attribute) {
  if (name.empty() || name.find('\0') != std::string::npos) {
    return failure(Code::name, "an attribute of {} {}; give it a name", object,
                   name.empty() ? "has an empty name" : "has a NUL byte in its name");
  }
  const auto context = [&] { return "attribute " + name + " of " + object; };
  const Status type = check(attribute.type);
  if (!type.ok()) return type.with_context(context());
  auto bytes = array_bytes(attribute.dims, attribute.type.size_bytes);
  if (!bytes.ok()) return bytes.status().with_context(context());
  if (attribute.scalar && !attribute.dims.empty()) {
    return failure(Code::argument, "{} is called scalar but has extents {}", context(),
                   to_string(attribute.dims));
  }
  if (attribute.readable && static_cast<uint64_t>(*bytes) != attribute.value.size()) {
    return failure(Code::argument, "{} of {} ({}) takes {} bytes, its value has {}", context(),
                   to_string(attribute.type), to_string(attribute.dims), *bytes, attribute.value.size());
  }
  return {};
}

Status check_variable(const Variable& variable) {
  SCORPIO_TRY(check(variable.type).with_context(variable.path));
  auto bytes = array_bytes(variable.dims, variable.type.size_bytes);
  if (!bytes.ok()) return bytes.status().with_context("variable " + variable.path);
  for (const auto& [name, attribute] : variable.attributes) {
    SCORPIO_TRY(check_attribute(variable.path, name, attribute));
  }
  return {};
}

}  // namespace scorpio::model
