// Dimensions and records of the schema, and renaming. Local; thread-compatible.
#include <utility>

#include "model/checks.h"
#include "model/definition.h"
#include "model/path.h"
#include "model/schema.h"

namespace scorpio::model {

Result<int> Schema::add_dimension(Dimension dimension) {
  SCORPIO_ASSIGN(const int index, dimensions_.add(std::move(dimension)));
  const Dimension& added = dimensions_[index];
  DefinitionHash encoded(Definition::dimension, added.path(), hash_);
  encoded.flag(added.unlimited);
  encoded.u64(added.unlimited ? 0 : static_cast<uint64_t>(added.extent));
  hash_ = encoded.hash();
  return index;
}

// If a variable still has a dimension of a group that was removed, the dimension is moved to the root group.
void Schema::move_dimensions_of_lost_groups() {
  const auto count = static_cast<int>(dimensions().size());
  for (int index = 0; index < count; ++index) {
    const Dimension& dimension = dimensions_[index];
    if (groups_.contains(dimension.group) || !is_used(index)) continue;
    if (find_dimension("/", dimension.name)) continue;  // the layout has rejected the removal
    dimensions_.move_to_root(index);
  }
}

Status Schema::rename_dimension(int dimension, const std::string& name) {
  const std::string before = dimensions_.contains(dimension) ? dimensions_[dimension].path() : std::string();
  SCORPIO_TRY(dimensions_.rename(dimension, name));
  DefinitionHash encoded(Definition::rename_dimension, before, hash_);
  encoded.text(name);
  hash_ = encoded.hash();
  return {};
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

int64_t Schema::records() const {
  const std::vector<int>& unlimited = dimensions_.unlimited();
  return unlimited.empty() ? 0 : dimensions_[unlimited.front()].extent;
}

std::vector<int> Schema::unlimited_dimensions() const {
  std::vector<int> all = dimensions_.unlimited();
  const std::vector<int> own = variables_.own_dimensions();
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

int64_t Schema::length_of(int dimension) const {
  return dimension < 0 ? variables_.length_of(dimension) : dimensions_[dimension].extent;
}

void Schema::grow(int64_t records) {
  const std::vector<int>& unlimited = dimensions_.unlimited();
  if (!unlimited.empty()) grow({{unlimited.front(), records}});
}

void Schema::grow(const Lengths& lengths) {
  bool longer = false;
  for (const auto& [index, length] : lengths) {
    if (index < 0) {
      variables_.grow(index, length);
    } else {
      longer = dimensions_.grow(index, length) || longer;
    }
  }
  if (longer) variables_.follow(dimensions_);
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
  forget_names();
  variables_.rename(index, path);
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

}  // namespace scorpio::model
