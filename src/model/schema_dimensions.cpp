// Definitions of dimensions.
#include <utility>

#include "model/definition.h"
#include "model/growth.h"
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
  const auto count = dimensions_.count();
  for (int index = 0; index < count; ++index) {
    const Dimension& dimension = dimensions_[index];
    if (objects_.groups().contains(dimension.group) || !variables().use(index)) continue;
    if (dimensions_.find("/", dimension.name)) continue;  // the layout has rejected the removal
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

void Schema::grow(const Lengths& lengths) { model::grow(dimensions_, objects_.variables(), lengths); }

}  // namespace scorpio::model
