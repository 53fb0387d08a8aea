#include "session/definitions/filter_choice.h"

#include "model/path.h"

namespace scorpio::session {

// Coordinates and small variables are not filtered, unless a rule has their name itself.
bool FilterChoice::may_be_filtered(const model::Variable& variable, bool by_name) const {
  constexpr uint64_t k_least_bytes = uint64_t{4} << 10;
  const bool possible =
      !variable.dims.empty() && model::is_numeric(variable.type.kind) && !variable.stays_empty();
  if (by_name || !possible) return possible;
  const bool is_coordinate =
      variable.dimensions.size() == 1 && variable.dimensions[0] >= 0 &&
      contents_.schema().dimensions()[variable.dimensions[0]].name == model::leaf(variable.path);
  return !is_coordinate && (variable.records || variable.is_free() || variable.slab_bytes() >= k_least_bytes);
}

// The rules, if any apply to this file. Attributes that were put before count, too.
Result<const format::FilterRules*> FilterChoice::rules() {
  const std::string& text = setting_.options().text(Option::filters);
  if (text.empty() || setting_.eager() || contents_.layout().traits().define_mode) return nullptr;
  if (rules_) return &*rules_;
  SCORPIO_ASSIGN(rules_, format::FilterRules::parse(text));
  const model::Schema& schema = contents_.schema();
  for (int i = 0; i < schema.variables().count(); ++i) {
    if (!schema.variables().alive(i)) continue;
    for (const auto& [name, attribute] : schema.variables()[i].attributes)
      (void)protected_.note(schema.variables()[i].path, name, attribute);
  }
  return &*rules_;
}

Result<std::optional<FilterChoice::Chosen>> FilterChoice::of(int index) {
  SCORPIO_ASSIGN(const format::FilterRules* const all, rules());
  if (all == nullptr) return std::optional<Chosen>();
  const model::Variable& variable = contents_.schema().variables()[index];
  const auto found = all->find(model::leaf(variable.path));
  if (!found || found->recipe->empty() || !may_be_filtered(variable, found->by_name))
    return std::optional<Chosen>();
  Chosen chosen{format::possible_part(*found->recipe, variable), found->by_name};
  const bool exact = protected_.contains(variable.path) || format::is_restart_file(contents_.path());
  if (exact && !found->by_name) chosen.recipe = format::lossless_part(chosen.recipe);
  return std::optional<Chosen>(std::move(chosen));
}

void FilterChoice::applied(int index, const Chosen& chosen) { by_rule_.insert_or_assign(index, chosen); }

const FilterChoice::Chosen* FilterChoice::rule_of(int index) const {
  const auto found = by_rule_.find(index);
  return found == by_rule_.end() ? nullptr : &found->second;
}

const format::FilterRecipe* FilterChoice::lossy(int index) const {
  const Chosen* const chosen = rule_of(index);
  const bool is_lossy =
      chosen != nullptr && !chosen->by_name && chosen->recipe != format::lossless_part(chosen->recipe);
  return is_lossy ? &chosen->recipe : nullptr;
}

}  // namespace scorpio::session
