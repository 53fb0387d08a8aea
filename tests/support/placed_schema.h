// A model together with the placements of its variables: what an open file and its layout hold.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "format/contents.h"

namespace scorpio::test {

struct PlacedSchema : model::Schema {
  PlacedSchema() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): what a file tells is such a model
  PlacedSchema(format::Contents contents)
      : Schema(std::move(contents.schema)), placements(std::move(contents.placements)) {}

  // None: it is not placed yet.
  Result<int> add_variable_at(std::optional<uint64_t> address, model::Variable variable) {
    SCORPIO_ASSIGN(const int index, add_variable(std::move(variable)));
    if (address) placements.set(index, format::Placement::at(*address));
    return index;
  }
  const format::Placement& placement(int variable) const { return placements.of(variable); }
  const format::Placement& placement(const std::string& path) const {
    return placement(objects().find_variable(path).value());
  }

  format::Placements placements;
};

}  // namespace scorpio::test
