// Groups, variables and links: definitions, removals, look-ups.
#include "model/schema.h"

#include <utility>

#include "base/hash.h"
#include "model/checks.h"
#include "model/definition.h"
#include "model/path.h"

namespace scorpio::model {
namespace {

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
  encode(encoded, variable);
  hash_ = encoded.hash();
  for (auto& [name, attribute] : variable.attributes) number(attribute);
  make_group(parent(variable.path));
  const int index = variables_.add(std::move(variable));
  pending_.add_variable(index);
  members_.clear();
  return index;
}

Status Schema::set_filled(int index, bool filled) {
  Variable& variable = variables_[index];
  DefinitionHash encoded(Definition::fill, variable.path, hash_);
  encoded.flag(filled);
  hash_ = encoded.hash();
  variable.filled = filled;
  return {};
}

void Schema::set_storage(int index, Storage storage) {
  Variable& variable = variables_[index];
  DefinitionHash encoded(Definition::storage, variable.path, hash_);
  encoded.u64(static_cast<uint64_t>(storage.form));
  encoded.list(storage.chunk);
  encoded.list(storage.filters);
  encoded.list(storage.parameters);
  hash_ = encoded.hash();
  variable.storage = std::move(storage);
}

void Schema::set_byte_order(int index, ByteOrder order) {
  Variable& variable = variables_[index];
  DefinitionHash encoded(Definition::byte_order, variable.path, hash_);
  encoded.u64(static_cast<uint64_t>(order));
  hash_ = encoded.hash();
  variable.type.order = order;
}

void Schema::take_space(int index) {
  Variable& variable = variables_[index];
  variable.type.order = variable.byte_order();
  variable.other_order = false;
  pending_.variables[index].takes_space = true;
}

Status Schema::rename_variable(int index, const std::string& name) {
  Variable& variable = variables_[index];
  SCORPIO_TRY(check_name(name, "variable"));
  const std::string above = parent(variable.path);
  SCORPIO_ASSIGN(const std::string path, normalise(above + "/" + name));
  if (path == variable.path) return {};
  SCORPIO_TRY(check_free(path));
  DefinitionHash encoded(Definition::rename_variable, variable.path, hash_);
  encoded.text(path);
  hash_ = encoded.hash();
  pending_.rename_variable(index, variable.path, path);
  members_.clear();
  names_.forget();
  variables_.rename(index, path);
  return {};
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

// Removes one object.
void Schema::forget(const std::string& path) {
  members_.clear();
  names_.forget();
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

// Programs inquire the members one after the other, so that the lists are kept.
const Members& Schema::members(const std::string& path) const {
  static const Members k_none;
  if (members_.empty()) members_ = list_members(groups_, variables_, links_);
  const auto at = members_.find(path);
  return at == members_.end() ? k_none : at->second;
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

}  // namespace scorpio::model
