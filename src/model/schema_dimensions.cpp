// Dimensions and records of the schema, and renaming. Local; thread-compatible.
#include <algorithm>
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

bool Schema::is_used(int dimension, const std::string& but) const {
  for (int i = 0; i < variable_count(); ++i) {
    const Variable& variable = variables_[static_cast<size_t>(i)];
    if (!alive(i) || (!but.empty() && at_or_below(variable.path, but))) continue;
    if (std::find(variable.dimensions.begin(), variable.dimensions.end(), dimension) !=
        variable.dimensions.end())
      return true;
  }
  return false;
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
  Variable& variable = variables_[static_cast<size_t>(index)];
  DefinitionHash encoded(Definition::fill, variable.path, hash_);
  encoded.flag(filled);
  hash_ = encoded.hash();
  variable.filled = filled;
  return {};
}

void Schema::set_storage(int index, Storage storage) {
  Variable& variable = variables_[static_cast<size_t>(index)];
  DefinitionHash encoded(Definition::storage, variable.path, hash_);
  encoded.u64(static_cast<uint64_t>(storage.form));
  encoded.list(storage.chunk);
  encoded.list(storage.filters);
  encoded.list(storage.parameters);
  hash_ = encoded.hash();
  variable.storage = std::move(storage);
}

void Schema::set_byte_order(int index, ByteOrder order) {
  Variable& variable = variables_[static_cast<size_t>(index)];
  DefinitionHash encoded(Definition::byte_order, variable.path, hash_);
  encoded.u64(static_cast<uint64_t>(order));
  hash_ = encoded.hash();
  variable.type.order = order;
}

void Schema::take_space(int index) {
  Variable& variable = variables_[static_cast<size_t>(index)];
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
  for (const int index : with_unlimited_) {
    const Variable& variable = variables_[static_cast<size_t>(index)];
    for (size_t d = 0; alive(index) && d < variable.dimensions.size(); ++d) {
      if (variable.grows(d) && variable.dimensions[d] < 0) all.push_back(variable.dimensions[d]);
    }
  }
  return all;
}

namespace {

// The variable and the dimension that own_dimension() stands for.
std::pair<size_t, size_t> owner_of(int dimension) {
  const auto number = static_cast<size_t>(-2 - dimension);
  return {number / k_most_own_dimensions, number % k_most_own_dimensions};
}

}  // namespace

int64_t Schema::length_of(int dimension) const {
  if (dimension >= 0) return dimensions_[dimension].extent;
  const auto [variable, d] = owner_of(dimension);
  return variables_[variable].dims[d];
}

void Schema::grow(int64_t records) {
  const std::vector<int>& unlimited = dimensions_.unlimited();
  if (!unlimited.empty()) grow({{unlimited.front(), records}});
}

void Schema::grow(const Lengths& lengths) {
  bool longer = false;
  for (const auto& [index, length] : lengths) {
    if (index < 0) {
      const auto [variable, d] = owner_of(index);
      int64_t& extent = variables_[variable].dims[d];
      extent = std::max(extent, length);
      continue;
    }
    longer = dimensions_.grow(index, length) || longer;
  }
  if (!longer) return;
  for (Variable& variable : variables_) {
    const int index = variable.record_dimension();
    if (index >= 0) variable.dims[0] = dimensions_[index].extent;
    for (size_t d = 1; variable.is_free() && d < variable.dims.size(); ++d) {
      if (variable.grows(d) && variable.dimensions[d] >= 0)
        variable.dims[d] = dimensions_[variable.dimensions[d]].extent;
    }
  }
}

Status Schema::rename_variable(int index, const std::string& name) {
  Variable& variable = variables_[static_cast<size_t>(index)];
  SCORPIO_TRY(check_name(name, "variable"));
  const std::string above = parent(variable.path);
  SCORPIO_ASSIGN(const std::string path, normalise(above + "/" + name));
  if (path == variable.path) return {};
  SCORPIO_TRY(check_free(path));
  DefinitionHash encoded(Definition::rename_variable, variable.path, hash_);
  encoded.text(path);
  hash_ = encoded.hash();
  if (!pending_.is_new_variable(index)) removed_.push_back({variable.path, "", path});
  members_.clear();
  forget_names();
  by_path_.erase(variable.path);
  by_path_[path] = index;
  variable.path = path;
  return {};
}

// In the file, the old attribute is removed and the new one written, unless the schema does not hold its
// value.
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
  const std::optional<int> variable = index_of(path);
  // What the file has of it stays: the type, which the schema may not have.
  if (!pending_.has_attribute(variable, path, name)) {
    removed_.push_back({path, name, new_name});
  } else {
    if (pending_.take_settled(variable, path, name)) removed_.push_back({path, name});
    pending_.of(variable, path).add_attribute(new_name, false);
  }
  entry.key() = new_name;
  held->insert(std::move(entry));
  return {};
}

}  // namespace scorpio::model
