// The file model: definitions, removals, look-ups. Local; thread-compatible.
#include "model/schema.h"

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "model/checks.h"
#include "model/definition.h"
#include "model/path.h"

namespace scorpio::model {
namespace {

void encode(DefinitionHash& out, const ElementType& type) {
  constexpr int k_shift = 8;
  const auto kind = static_cast<uint64_t>(type.kind), order = static_cast<uint64_t>(type.order);
  out.u64((uint64_t{type.size_bytes} << k_shift | kind) << k_shift | order);
}

void encode(DefinitionHash& out, const std::string& name, const Attribute& attribute) {
  out.text(name);
  encode(out, attribute.type);
  out.u64((attribute.scalar ? 1u : 0u) | (attribute.strings ? 2u : 0u));
  out.list(attribute.dims);
  out.raw(attribute.value.data(), attribute.value.size());
  if (attribute.foreign != nullptr) out.text(attribute.foreign->encoded);
}

// In the order of keys, other names ("/a-b") may be between a group ("/a") and its members ("/a/b").
template <typename Map>
std::vector<std::string> paths_at_or_below(const Map& map, const std::string& path) {
  std::vector<std::string> found;
  if (map.contains(path)) found.push_back(path);
  const std::string prefix = path + "/";
  for (auto it = map.lower_bound(prefix); it != map.end() && it->first.starts_with(prefix); ++it) {
    found.push_back(it->first);
  }
  return found;
}

}  // namespace

Schema::Schema() : hash_(k_fnv_offset_basis) { groups_["/"]; }

Status Schema::check_free(const std::string& path) const {
  const char* kind = nullptr;
  if (groups_.contains(path)) kind = "a group";
  if (variables_.contains(path)) kind = "a variable";
  if (links_.contains(path)) kind = "a soft link";
  if (kind == nullptr) return check_no_other(path);
  return failure(Code::exists, "{} is already there, as {}; choose another name or remove it first", path,
                 kind);
}

Status Schema::check_no_other(const std::string& path) const {
  const auto other = others_.find(path);
  if (other == others_.end()) return {};
  return failure(Code::exists, "{} is already there, as {}; choose another name", path, other->second);
}

Status Schema::check_way(const std::string& path) const {
  for (std::string above = parent(path); above != "/"; above = parent(above)) {
    if (groups_.contains(above)) return {};
    Status free = check_free(above);
    if (!free.ok()) return free.with_context("no group can be made on the way to " + path);
  }
  return {};
}

void Schema::make_group(const std::string& path) {
  for (std::string group = path; !groups_.contains(group); group = parent(group)) {
    groups_[group];
    members_.clear();
    pending_.groups[group].is_new = true;
  }
}

// A new attribute comes after all others; one that has a number keeps it.
void Schema::number(Attribute& attribute) {
  if (attribute.order == 0) attribute.order = attributes_numbered_ + 1;
  attributes_numbered_ = std::max(attributes_numbered_, attribute.order);
}

Status Schema::add_group(const std::string& path) {
  SCORPIO_ASSIGN(const std::string group, normalise(path));
  if (!groups_.contains(group)) {
    SCORPIO_TRY(check_free(group));
    SCORPIO_TRY(check_way(group));
    make_group(group);
  }
  hash_ = DefinitionHash(Definition::group, group, hash_).hash();
  return {};
}

Result<int> Schema::add_variable(Variable variable) {
  SCORPIO_ASSIGN(variable.path, normalise(variable.path));
  SCORPIO_TRY(check_free(variable.path));
  SCORPIO_TRY(check_way(variable.path));
  SCORPIO_TRY(check_variable(variable));
  DefinitionHash encoded(Definition::variable, variable.path, hash_);
  encode(encoded, variable.type);
  encoded.list(variable.dims);
  encoded.u64(variable.attributes.size());
  for (auto& [name, attribute] : variable.attributes) {
    encode(encoded, name, attribute);
    number(attribute);
  }
  encoded.list(variable.dimensions);
  encoded.flag(variable.filled);
  encoded.u64(static_cast<uint64_t>(variable.storage.form));
  encoded.list(variable.storage.chunk);
  encoded.list(variable.storage.filters);
  hash_ = encoded.hash();
  make_group(parent(variable.path));
  const int index = variables_.add(std::move(variable));
  pending_.add_variable(index);
  members_.clear();
  return index;
}

Status Schema::add_link(const std::string& path, const std::string& target) {
  SCORPIO_ASSIGN(const std::string link, normalise(path));
  if (target.empty() || target.find('\0') != std::string::npos) {
    return failure(Code::name, "the target of link {} {}; give the path it stands for", link,
                   target.empty() ? "is empty" : "holds a NUL byte");
  }
  SCORPIO_TRY(check_free(link));
  SCORPIO_TRY(check_way(link));
  DefinitionHash encoded(Definition::link, link, hash_);
  encoded.text(target);
  hash_ = encoded.hash();
  make_group(parent(link));
  links_[link] = SoftLink{target};
  members_.clear();
  pending_.links.insert(link);
  return {};
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
    std::optional<Named> named = std::exchange(named_, std::nullopt);  // none if this fails
    held.emplace_hint(place, name, std::move(attribute));
    const bool is_named = named && named->object == holder.path;
    if (is_named && is_last) named->names.push_back(name);
    if (!is_named || is_last) named_ = std::move(named);
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

// Removes one object.
void Schema::forget(const std::string& path) {
  members_.clear();
  forget_names();
  if (const auto variable = variables_.find(path)) {
    pending_.remove_variable(*variable, path);
    variables_.remove(*variable);
  } else if (links_.erase(path) > 0) {
    pending_.remove_link(path);
  } else {
    pending_.remove_group(path);
    groups_.erase(path);
  }
}

Status Schema::remove(const std::string& path) {
  SCORPIO_ASSIGN(const std::string object, normalise(path));
  if (object == "/") return failure(Code::argument, "the root group cannot be removed; name what is in it");
  if (others_.contains(object) || check_free(object).ok())
    return failure(Code::not_found, "there is no {} to remove", object);
  const bool covered = has_group(object) && !pending_.is_new_group(object);
  const size_t before = pending_.removed.size();
  for (const int below : variables_.at_or_below(object)) forget(variables_[below].path);
  for (const auto& below : paths_at_or_below(links_, object)) forget(below);
  for (const auto& below : paths_at_or_below(groups_, object)) forget(below);
  std::erase_if(others_, [&](const auto& entry) { return at_or_below(entry.first, object); });
  if (covered) pending_.remove_as_one(object, before);
  move_dimensions_of_lost_groups();
  hash_ = DefinitionHash(Definition::remove, object, hash_).hash();
  return {};
}

bool Schema::has_group(const std::string& path) const {
  const auto group = normalise(path);
  return group.ok() && groups_.contains(*group);
}

std::optional<int> Schema::find_variable(const std::string& path) const {
  if (is_normal(path)) return variables_.find(path);
  const auto variable = normalise(path);
  return variable.ok() ? variables_.find(*variable) : std::nullopt;
}

const Attributes* Schema::attributes(const std::string& object) const {
  if (is_normal(object)) return attributes_at(object);
  const auto path = normalise(object);
  return path.ok() ? attributes_at(*path) : nullptr;
}

Attributes* Schema::attributes_to_change(const std::string& object) {
  forget_names();
  return const_cast<Attributes*>(std::as_const(*this).attributes(object));
}

const std::vector<std::string>* Schema::attribute_names(const std::string& object) const {
  if (named_ && named_->object == object) return &named_->names;
  const Attributes* held = attributes(object);
  if (held == nullptr) return nullptr;
  named_ = Named{object, {}};
  for (const auto& entry : in_order(*held)) named_->names.push_back(entry->first);
  return &named_->names;
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
