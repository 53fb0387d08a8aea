// Definitions of attributes of groups and variables.
#include <utility>

#include "model/checks.h"
#include "model/definition.h"
#include "model/path.h"
#include "model/schema.h"

namespace scorpio::model {

Status Schema::put_attribute(const std::string& object, const std::string& name, Attribute attribute) {
  if (!is_normal(object)) {
    SCORPIO_ASSIGN(const std::string normal, normalise(object));
    if (normal != object) return put_attribute(normal, name, std::move(attribute));
  }
  const Objects::Holder holder = objects_.holder_of(object);
  if (holder.attributes == nullptr) {
    return failure(Code::not_found,
                   "attribute {} cannot be put: there is no group or variable {}; define it first", name,
                   object);
  }
  SCORPIO_TRY(check_attribute(object, name, attribute));
  DefinitionHash encoded(Definition::attribute, object, hash_);
  encode(encoded, name, attribute);
  hash_ = encoded.hash();
  hold_attribute(holder, name, std::move(attribute));
  return {};
}

void Schema::set_attribute(int index, const std::string& name, Attribute attribute) {
  Variable& changed = objects_.variables()[index];
  hold_attribute({index, changed.path, &changed.attributes}, name, std::move(attribute));
}

void Schema::hold_attribute(const Objects::Holder& holder, const std::string& name, Attribute&& attribute) {
  pending_.put_attribute(holder.variable, holder.path, name, holder.attributes->contains(name));
  objects_.put_attribute(holder, name, std::move(attribute));
}

void Schema::found_attributes(const std::string& object, Attributes attributes) {
  objects_.set_attributes(object, std::move(attributes));
}

Status Schema::remove_attribute(const std::string& object, const std::string& name) {
  SCORPIO_ASSIGN(const std::string path, normalise(object));
  const Objects::Holder holder = objects_.holder_of(path);
  if (holder.attributes == nullptr) {
    return failure(Code::not_found, "there is no group or variable {} to remove attribute {} from", path,
                   name);
  }
  if (!holder.attributes->contains(name)) {
    return failure(Code::not_found, "{} has no attribute {} to remove", path, name);
  }
  DefinitionHash encoded(Definition::remove_attribute, path, hash_);
  encoded.text(name);
  hash_ = encoded.hash();
  pending_.remove_attribute(holder.variable, path, name);
  objects_.remove_attribute(holder, name);
  return {};
}

Status Schema::rename_attribute(const std::string& object, const std::string& name,
                                const std::string& new_name) {
  SCORPIO_ASSIGN(const std::string path, normalise(object));
  const Objects::Holder holder = objects_.holder_of(path);
  if (holder.attributes == nullptr || !holder.attributes->contains(name)) {
    return failure(Code::not_found, "{} has no attribute {} to rename", path, name);
  }
  SCORPIO_TRY(check_name(new_name, "attribute"));
  if (name == new_name) return {};
  if (holder.attributes->contains(new_name)) {
    return failure(Code::exists, "{} has an attribute {} already; choose another name", path, new_name);
  }
  DefinitionHash encoded(Definition::rename_attribute, path, hash_);
  encoded.text(name);
  encoded.text(new_name);
  hash_ = encoded.hash();
  pending_.rename_attribute(holder.variable, path, name, new_name);
  objects_.rename_attribute(holder, name, new_name);
  return {};
}

}  // namespace scorpio::model
