#include "model/objects.h"

#include <algorithm>
#include <utility>

#include "model/path.h"

namespace scorpio::model {

bool Objects::has_group(const std::string& path) const {
  const auto group = normalise(path);
  return group.ok() && groups_.contains(*group);
}

std::optional<int> Objects::find_variable(const std::string& path) const {
  if (is_normal(path)) return variables_.find(path);
  const auto variable = normalise(path);
  return variable.ok() ? variables_.find(*variable) : std::nullopt;
}

// Programs inquire the members one after the other, so that the lists are kept.
const Members& Objects::members(const std::string& path) const {
  static const Members k_none;
  if (members_.empty()) members_ = list_members(groups_, variables_, links_);
  const auto at = members_.find(path);
  return at == members_.end() ? k_none : at->second;
}

const Attributes* Objects::attributes(const std::string& object) const {
  if (is_normal(object)) return attributes_of(variables_.find(object), object);
  const auto path = normalise(object);
  return path.ok() ? attributes_of(variables_.find(*path), *path) : nullptr;
}

// Of the variable, or of the group at `path`; null: no such group.
const Attributes* Objects::attributes_of(std::optional<int> variable, const std::string& path) const {
  if (variable) return &variables_[*variable].attributes;
  const auto group = groups_.find(path);
  return group == groups_.end() ? nullptr : &group->second.attributes;
}

bool Objects::has_small_attributes(const std::string& object) const {
  const auto path = normalise(object);
  if (!path.ok()) return false;
  if (const auto variable = variables_.find(*path)) return variables_[*variable].small_attributes;
  const auto group = groups_.find(*path);
  return group != groups_.end() && group->second.small_attributes;
}

const std::vector<std::string>* Objects::attribute_names(const std::string& object) const {
  if (const std::vector<std::string>* const names = names_.of(object)) return names;
  const Attributes* held = attributes(object);
  return held == nullptr ? nullptr : &names_.list(object, *held);
}

Status Objects::check_free(const std::string& path) const {
  const char* kind = nullptr;
  if (groups_.contains(path)) kind = "a group";
  if (variables_.contains(path)) kind = "a variable";
  if (links_.contains(path)) kind = "a soft link";
  if (kind != nullptr) {
    return failure(Code::exists, "{} is already there, as {}; choose another name or remove it first", path,
                   kind);
  }
  const auto other = others_.find(path);
  if (other == others_.end()) return {};
  return failure(Code::exists, "{} is already there, as {}; choose another name", path, other->second);
}

Status Objects::check_way(const std::string& path) const {
  for (std::string above = parent(path); above != "/"; above = parent(above)) {
    if (groups_.contains(above)) return {};
    Status free = check_free(above);
    if (!free.ok()) return free.with_context("no group can be made on the way to " + path);
  }
  return {};
}

std::vector<std::string> Objects::add_group(const std::string& path) {
  std::vector<std::string> made;
  for (std::string group = path; !groups_.contains(group); group = parent(group)) {
    groups_[group];
    made.push_back(group);
  }
  if (!made.empty()) members_.clear();
  return made;
}

int Objects::add_variable(Variable&& variable) {
  for (auto& [name, attribute] : variable.attributes) number(attribute);
  members_.clear();
  return variables_.add(std::move(variable));
}

void Objects::add_link(const std::string& path, SoftLink link) {
  members_.clear();
  links_[path] = std::move(link);
}

void Objects::rename_variable(int index, const std::string& path) {
  forget_lists();
  variables_.rename(index, path);
}

void Objects::remove_variable(int index) {
  forget_lists();
  variables_.remove(index);
}

void Objects::remove_link(const std::string& path) {
  forget_lists();
  links_.erase(path);
}

void Objects::remove_group(const std::string& path) {
  forget_lists();
  groups_.erase(path);
}

void Objects::remove_others_at_or_below(const std::string& path) {
  std::erase_if(others_, [&](const auto& entry) { return at_or_below(entry.first, path); });
}

void Objects::remove_all(const std::string& path) {
  forget_lists();
  std::erase_if(groups_, [&](const auto& entry) { return at_or_below(entry.first, path); });
  std::erase_if(links_, [&](const auto& entry) { return at_or_below(entry.first, path); });
  for (const int variable : variables_.at_or_below(path)) variables_.remove(variable);
  remove_others_at_or_below(path);
}

Objects::Holder Objects::holder_of(const std::string& path) {
  const std::optional<int> variable = variables_.find(path);
  return {variable, path, const_cast<Attributes*>(attributes_of(variable, path))};
}

void Objects::set_attributes(const std::string& path, Attributes attributes) {
  names_.forget();
  *holder_of(path).attributes = std::move(attributes);
}

void Objects::put_attribute(const Holder& holder, const std::string& name, Attribute&& attribute) {
  Attributes& held = *holder.attributes;
  const auto place = held.lower_bound(name);
  const bool is_old = place != held.end() && place->first == name;
  if (is_old) attribute.order = place->second.order;
  const bool is_last = attribute.order == 0;
  number(attribute);
  if (is_old) {
    place->second = std::move(attribute);
    return;
  }
  ListedNames names = std::exchange(names_, {});  // none if this fails
  held.emplace_hint(place, name, std::move(attribute));
  names.add(holder.path, name, is_last);
  names_ = std::move(names);
}

void Objects::rename_attribute(const Holder& holder, const std::string& name, const std::string& new_name) {
  names_.forget();
  auto entry = holder.attributes->extract(name);
  entry.key() = new_name;
  holder.attributes->insert(std::move(entry));
}

void Objects::remove_attribute(const Holder& holder, const std::string& name) {
  names_.forget();
  holder.attributes->erase(name);
}

void Objects::forget_lists() {
  members_.clear();
  names_.forget();
}

// A new attribute comes after all others; one that has a number keeps it.
void Objects::number(Attribute& attribute) {
  if (attribute.order == 0) attribute.order = attributes_numbered_ + 1;
  attributes_numbered_ = std::max(attributes_numbered_, attribute.order);
}

}  // namespace scorpio::model
