// Definitions of groups, variables and links, and their removal.
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

Schema::Schema() : hash_(k_fnv_offset_basis) {}

void Schema::make_group(const std::string& path) {
  for (const std::string& group : objects_.add_group(path)) pending_.groups[group].is_new = true;
}

Status Schema::add_group(const std::string& path) {
  SCORPIO_ASSIGN(const std::string group, normalise(path));
  if (!objects_.groups().contains(group)) {
    SCORPIO_TRY(objects_.check_free(group));
    SCORPIO_TRY(objects_.check_way(group));
    make_group(group);
  }
  hash_ = DefinitionHash(Definition::group, group, hash_).hash();
  return {};
}

Result<int> Schema::add_variable(Variable variable) {
  SCORPIO_ASSIGN(variable.path, normalise(variable.path));
  SCORPIO_TRY(objects_.check_free(variable.path));
  SCORPIO_TRY(objects_.check_way(variable.path));
  SCORPIO_TRY(check_variable(variable));
  DefinitionHash encoded(Definition::variable, variable.path, hash_);
  encode(encoded, variable);
  hash_ = encoded.hash();
  make_group(parent(variable.path));
  const int index = objects_.add_variable(std::move(variable));
  pending_.add_variable(index);
  return index;
}

Status Schema::set_filled(int index, bool filled) {
  Variable& variable = objects_.variables()[index];
  DefinitionHash encoded(Definition::fill, variable.path, hash_);
  encoded.flag(filled);
  hash_ = encoded.hash();
  variable.filled = filled;
  return {};
}

void Schema::set_storage(int index, Storage storage) {
  Variable& variable = objects_.variables()[index];
  DefinitionHash encoded(Definition::storage, variable.path, hash_);
  encoded.u64(static_cast<uint64_t>(storage.form));
  encoded.list(storage.chunk);
  encoded.list(storage.filters);
  encoded.list(storage.parameters);
  hash_ = encoded.hash();
  variable.storage = std::move(storage);
}

void Schema::set_byte_order(int index, ByteOrder order) {
  Variable& variable = objects_.variables()[index];
  DefinitionHash encoded(Definition::byte_order, variable.path, hash_);
  encoded.u64(static_cast<uint64_t>(order));
  hash_ = encoded.hash();
  variable.type.order = order;
}

void Schema::take_space(int index) {
  Variable& variable = objects_.variables()[index];
  variable.type.order = variable.byte_order();
  variable.other_order = false;
  pending_.variables[index].takes_space = true;
}

Status Schema::rename_variable(int index, const std::string& name) {
  Variable& variable = objects_.variables()[index];
  SCORPIO_TRY(check_name(name, "variable"));
  const std::string above = parent(variable.path);
  SCORPIO_ASSIGN(const std::string path, normalise(above + "/" + name));
  if (path == variable.path) return {};
  SCORPIO_TRY(objects_.check_free(path));
  DefinitionHash encoded(Definition::rename_variable, variable.path, hash_);
  encoded.text(path);
  hash_ = encoded.hash();
  pending_.rename_variable(index, variable.path, path);
  objects_.rename_variable(index, path);
  return {};
}

Status Schema::add_link(const std::string& path, const std::string& target) {
  SCORPIO_ASSIGN(const std::string link, normalise(path));
  if (target.empty() || target.find('\0') != std::string::npos) {
    return failure(Code::name, "the target of link {} {}; give the path it stands for", link,
                   target.empty() ? "is empty" : "holds a NUL byte");
  }
  SCORPIO_TRY(objects_.check_free(link));
  SCORPIO_TRY(objects_.check_way(link));
  DefinitionHash encoded(Definition::link, link, hash_);
  encoded.text(target);
  hash_ = encoded.hash();
  make_group(parent(link));
  objects_.add_link(link, SoftLink{target});
  pending_.links.insert(link);
  return {};
}

// Removes one object.
void Schema::forget(const std::string& path) {
  if (const auto variable = variables().find(path)) {
    pending_.remove_variable(*variable, path);
    objects_.remove_variable(*variable);
  } else if (objects_.links().contains(path)) {
    pending_.remove_link(path);
    objects_.remove_link(path);
  } else {
    pending_.remove_group(path);
    objects_.remove_group(path);
  }
}

Status Schema::remove(const std::string& path) {
  SCORPIO_ASSIGN(const std::string object, normalise(path));
  if (object == "/") return failure(Code::argument, "the root group cannot be removed; name what is in it");
  if (objects_.others().contains(object) || objects_.check_free(object).ok())
    return failure(Code::not_found, "there is no {} to remove", object);
  const bool covered = objects_.has_group(object) && !pending_.is_new_group(object);
  const size_t before = pending_.removed.size();
  for (const int below : variables().at_or_below(object)) forget(variables()[below].path);
  for (const auto& below : paths_at_or_below(objects_.links(), object)) forget(below);
  for (const auto& below : paths_at_or_below(objects_.groups(), object)) forget(below);
  objects_.remove_others_at_or_below(object);
  if (covered) pending_.remove_as_one(object, before);
  move_dimensions_of_lost_groups();
  hash_ = DefinitionHash(Definition::remove, object, hash_).hash();
  return {};
}

}  // namespace scorpio::model
