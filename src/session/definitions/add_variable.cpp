#include "session/definitions/add_variable.h"

#include <utility>
#include <vector>

namespace scorpio::session {

namespace {

// Finds or creates dimensions of these extents.
Result<std::vector<int>> named_dimensions(model::Schema& schema, format::Layout& layout,
                                          const std::vector<int64_t>& dims) {
  std::vector<int> dimensions;
  for (const int64_t extent : dims) {
    const model::Dimension dimension{fmt::format("dim_{}", extent), extent, false};
    const auto there = schema.dimensions().find(dimension.name);
    if (there && schema.dimensions()[*there].extent == extent) {
      dimensions.push_back(*there);
      continue;
    }
    SCORPIO_TRY(layout.check_dimension(schema, dimension));
    SCORPIO_ASSIGN(const int added, schema.add_dimension(dimension));
    dimensions.push_back(added);
  }
  return dimensions;
}

Result<int> add_with_dimensions(model::Schema& schema, format::Layout& layout, model::Variable&& variable) {
  if (layout.traits().names_all_dimensions && variable.dimensions.empty() && !variable.dims.empty()) {
    SCORPIO_ASSIGN(variable.dimensions, named_dimensions(schema, layout, variable.dims));
  }
  SCORPIO_TRY(layout.check_variable(schema, variable));
  return schema.add_variable(std::move(variable));
}

}  // namespace

Result<int> add_variable(model::Schema& schema, format::Layout& layout, model::Variable&& variable) {
  const size_t dimensions = schema.dimensions().all().size();
  Result<int> added = add_with_dimensions(schema, layout, std::move(variable));
  if (!added.ok()) schema.drop_dimensions(dimensions);
  return added;
}

}  // namespace scorpio::session
