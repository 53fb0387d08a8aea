// Named dimensions, and the growth of unlimited ones.
#include <utility>

#include "model/definition.h"
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

}  // namespace scorpio::model
