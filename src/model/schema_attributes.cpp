// Attributes of groups and variables.
#include <algorithm>
#include <utility>

#include "model/checks.h"
#include "model/definition.h"
#include "model/path.h"
#include "model/schema.h"

namespace scorpio::model {

// A new attribute comes after all others; one that has a number keeps it.
void Schema::number(Attribute& attribute) {
  if (attribute.order == 0) attribute.order = attributes_numbered_ + 1;
  attributes_numbered_ = std::max(attributes_numbered_, attribute.order);
}

Status Schema::put_attribute(const std::string& object, const std::string& name, Attribute attribute) {
  if (!is_normal(object)) {
    SCORPIO_ASSIGN(const std::string normal, normalise(object));
    if (normal != object) return put_attribute(normal, name, std::move(attribute));
  }
  const std::string& path = object;
  const std::optional<int> variable = variables_.find(path);
  auto* const held = const_cast<Attributes*>(held_by(variable, path));
  if (held == nullptr) {
    return failure(Code::not_found,
                   "attribute {} cannot be put: there is no group or variable {}; define it first", name,
                   path);
  }
  SCORPIO_TRY(check_attribute(path, name, attribute));
  DefinitionHash encoded(Definition::attribute, path, hash_);
  encode(encoded, name, attribute);
  hash_ = encoded.hash();
  hold_attribute({variable, path, *held}, name, std::move(attribute));
  return {};
}

void Schema::set_attribute(int index, const std::string& name, Attribute attribute) {
  Variable& changed = variable(index);
  hold_attribute({index, changed.path, changed.attributes}, name, std::move(attribute));
}

void Schema::hold_attribute(const Holder& holder, const std::string& name, Attribute&& attribute) {
  Attributes& held = holder.held;
  const auto place = held.lower_bound(name);
  const bool is_old = place != held.end() && place->first == name;
  if (is_old) attribute.order = place->second.order;
  const bool is_last = attribute.order == 0;
  pending_.put_attribute(holder.variable, holder.path, name, is_old);
  number(attribute);
  if (is_old) {
    place->second = std::move(attribute);
  } else {
    ListedNames names = std::exchange(names_, {});  // none if this fails
    held.emplace_hint(place, name, std::move(attribute));
    names.add(holder.path, name, is_last);
    names_ = std::move(names);
  }
}

Status Schema::remove_attribute(const std::string& object, const std::string& name) {
  SCORPIO_ASSIGN(const std::string path, normalise(object));
  Attributes* held = attributes_to_change(path);
  if (held == nullptr) {
    return failure(Code::not_found, "there is no group or variable {} to remove attribute {} from", path,
                   name);
  }
  const auto it = held->find(name);
  if (it == held->end()) {
    return failure(Code::not_found, "{} has no attribute {} to remove", path, name);
  }
  DefinitionHash encoded(Definition::remove_attribute, path, hash_);
  encoded.text(name);
  hash_ = encoded.hash();
  pending_.remove_attribute(variables_.find(path), path, name);
  held->erase(it);
  return {};
}

Status Schema::rename_attribute(const std::string& object, const std::string& name,
                                const std::string& new_name) {
  SCORPIO_ASSIGN(const std::string path, normalise(object));
  Attributes* held = attributes_to_change(path);
  const auto old = held == nullptr ? Attributes::iterator() : held->find(name);
  if (held == nullptr || old == held->end()) {
    return failure(Code::not_found, "{} has no attribute {} to rename", path, name);
  }
  SCORPIO_TRY(check_name(new_name, "attribute"));
  if (name == new_name) return {};
  if (held->contains(new_name)) {
    return failure(Code::exists, "{} has an attribute {} already; choose another name", path, new_name);
  }
  DefinitionHash encoded(Definition::rename_attribute, path, hash_);
  encoded.text(name);
  encoded.text(new_name);
  hash_ = encoded.hash();
  auto entry = held->extract(old);
  pending_.rename_attribute(variables_.find(path), path, name, new_name);
  entry.key() = new_name;
  held->insert(std::move(entry));
  return {};
}

const Attributes* Schema::attributes(const std::string& object) const {
  if (is_normal(object)) return attributes_at(object);
  const auto path = normalise(object);
  return path.ok() ? attributes_at(*path) : nullptr;
}

Attributes* Schema::attributes_to_change(const std::string& object) {
  names_.forget();
  return const_cast<Attributes*>(std::as_const(*this).attributes(object));
}

const std::vector<std::string>* Schema::attribute_names(const std::string& object) const {
  if (const std::vector<std::string>* const names = names_.of(object)) return names;
  const Attributes* held = attributes(object);
  return held == nullptr ? nullptr : &names_.list(object, *held);
}

// `path` is normalised.
const Attributes* Schema::attributes_at(const std::string& path) const {
  return held_by(variables_.find(path), path);
}

// The attributes of the variable, or of the group at `path`; null: no such group.
const Attributes* Schema::held_by(std::optional<int> variable, const std::string& path) const {
  if (variable) return &variables_[*variable].attributes;
  const auto group = groups_.find(path);
  return group == groups_.end() ? nullptr : &group->second.attributes;
}

}  // namespace scorpio::model
