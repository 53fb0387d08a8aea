// The definitions of how a variable is stored: chunks, filters, byte order and rounding, by the program and
// by the option `filters`. Local.
#include <algorithm>

#include "format/lossy_marks.h"
#include "format/quantized.h"
#include "session/definitions/definitions.h"

namespace scorpio::session {

Status Definitions::define_chunks(int index, const std::vector<int64_t>& chunk) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("chunks of variable {} ({})", index, fmt::join(chunk, ", ")));
  const Result<const model::Variable*> found = core_.contents.variable(index);
  if (!found.ok()) return steps_.end(found.status());
  model::Storage storage = (*found)->storage;
  storage.form = model::Storage::Form::chunked;
  storage.chunk = chunk;
  if (std::ranges::find(chunk, 0) != chunk.end()) {
    const std::vector<int64_t> usual = core_.contents.plan_chunk(**found).shape;
    for (size_t d = 0; d < std::min(chunk.size(), usual.size()); ++d) {
      if (chunk[d] == 0) storage.chunk[d] = usual[d];
    }
  }
  return define_storage(index, std::move(storage));
}

Status Definitions::define_filters(int index, const std::vector<int>& filters,
                                   const std::vector<int>& parameters) {
  filter_choice_.forget(index);
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("filters of variable {} ({}) ({})", index, fmt::join(filters, ", "),
                             fmt::join(parameters, ", ")));
  const Result<const model::Variable*> found = core_.contents.variable(index);
  if (!found.ok()) return steps_.end(found.status());
  model::Storage storage = (*found)->storage;
  if (storage.form != model::Storage::Form::chunked) {
    return steps_.end(failure(Code::argument,
                              "{} is not stored in chunks, and filters are applied only to chunks; call "
                              "scorpio_variable_define_chunks() first",
                              (*found)->path));
  }
  storage.filters = filters;
  storage.parameters = parameters;
  return define_storage(index, std::move(storage));
}

Status Definitions::define_byte_order(int index, model::ByteOrder order) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("byte order of variable {} {}", index, static_cast<int>(order)));
  const Result<const model::Variable*> found = core_.contents.variable(index);
  if (!found.ok()) return steps_.end(found.status());
  const auto check = [&] { return check_byte_order(index, order); };
  if (!check().ok()) SCORPIO_TRY(drop_zfp_of_rule(index));
  return steps_.define(check, [&]() -> Status {
    core_.contents.schema().set_byte_order(index, order);
    return {};
  });
}

// The filters may depend on the byte order.
Status Definitions::check_byte_order(int index, model::ByteOrder order) const {
  model::Variable variable = core_.contents.schema().variables()[index];
  if (!model::is_numeric(variable.type.kind)) {
    return failure(Code::type, "variable {} is of type {}, which has no byte order", variable.path,
                   model::to_string(variable.type));
  }
  SCORPIO_TRY(core_.calls.check(FileState::Event::add));
  SCORPIO_TRY(core_.contents.layout().check_byte_order(variable));
  SCORPIO_TRY(check_new_storage(index));
  const format::ChunkLayout* const chunks = core_.contents.layout().chunks();
  if (chunks == nullptr || variable.storage.filters.empty()) return {};
  variable.type.order = order;
  return chunks->check_storage(core_.contents.schema(), variable, variable.storage);
}

// The option `filters` must not make a definition of the program fail.
Status Definitions::drop_zfp_of_rule(int index) {
  const FilterChoice::Chosen* const chosen = filter_choice_.rule_of(index);
  if (chosen == nullptr || !check_new_storage(index).ok()) return {};
  const FilterChoice::Chosen without{format::without_zfp(chosen->recipe), chosen->by_name};
  if (without.recipe == chosen->recipe) return {};
  SCORPIO_TRY(without.recipe.empty() ? define_filters(index, {}, {}) : apply_recipe(index, without.recipe));
  filter_choice_.applied(index, without);
  return {};
}

Status Definitions::check_quantization(int index, int mode, int digits) const {
  const model::Variable& variable = core_.contents.schema().variables()[index];
  if (variable.storage.form != model::Storage::Form::chunked) {
    return failure(Code::argument,
                   "{} is not stored in chunks, and only such variables are quantized; call "
                   "scorpio_variable_define_chunks() first",
                   variable.path);
  }
  if (mode < 0 || mode > static_cast<int>(codec::QuantizationMode::bit_round))
    return failure(Code::argument,
                   "mode {} is not a method of quantization; use SCORPIO_QUANTIZE_NONE, _BITGROOM, "
                   "_GRANULAR_BITROUND or _BITROUND",
                   mode);
  SCORPIO_TRY(core_.calls.check(FileState::Event::add));
  SCORPIO_TRY(check_new_storage(index));
  const auto method = static_cast<codec::QuantizationMode>(mode);
  return method == codec::QuantizationMode::none ? Status()
                                                 : format::check_quantization(variable, method, digits);
}

Status Definitions::define_quantization(int index, int mode, int digits) {
  filter_choice_.forget(index);
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("quantisation of variable {} {} {}", index, mode, digits));
  const Result<const model::Variable*> found = core_.contents.variable(index);
  if (!found.ok()) return steps_.end(found.status());
  const Status possible = check_quantization(index, mode, digits);
  if (!possible.ok()) return steps_.end(possible);
  const std::string path = (*found)->path;
  for (const codec::QuantizationMode other : codec::k_quantization_modes) {
    const std::string name = codec::attribute_of(other);
    if ((*found)->attributes.contains(name)) SCORPIO_TRY(remove_attribute(path, name));
  }
  if (mode == static_cast<int>(codec::QuantizationMode::none)) return {};
  model::Attribute attribute;
  attribute.type = model::native(model::Kind::int32);
  const auto value = static_cast<int32_t>(digits);
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  attribute.value.assign(bytes, bytes + sizeof(value));
  return put_attribute(path, codec::attribute_of(static_cast<codec::QuantizationMode>(mode)),
                       std::move(attribute));
}

bool Definitions::storage_is_open(int index) const {
  const format::ChunkLayout* const chunks = core_.contents.layout().chunks();
  return chunks != nullptr && core_.contents.schema().pending().is_new_variable(index) &&
         chunks->is_movable(index);
}

bool Definitions::storage_is_open() const {
  const int variables = core_.contents.schema().variables().count();
  return variables > 0 && storage_is_open(variables - 1);
}

Status Definitions::check_new_storage(int index) const {
  if (storage_is_open(index)) return {};
  return failure(Code::state, "{} may have data already; how it is stored is chosen when it is defined",
                 core_.contents.schema().variables()[index].path);
}

Status Definitions::filter_by_rules(int index) {
  const Result<std::optional<FilterChoice::Chosen>> chosen = filter_choice_.of(index);
  if (!chosen.ok()) return steps_.end(chosen.status());
  if (!*chosen) return {};
  SCORPIO_TRY(apply_recipe(index, (*chosen)->recipe));
  filter_choice_.applied(index, **chosen);
  return {};
}

Status Definitions::apply_recipe(int index, const format::FilterRecipe& recipe) {
  if (recipe.empty()) return {};
  const model::Variable& variable = core_.contents.schema().variables()[index];
  if (variable.storage.form != model::Storage::Form::chunked)
    SCORPIO_TRY(define_chunks(index, core_.contents.plan_chunk(variable).shape));
  std::vector<int> numbers, parameters;
  for (const codec::Filter& filter : recipe.filters) {
    numbers.push_back(filter.number);
    parameters.push_back(filter.parameter);
  }
  SCORPIO_TRY(define_filters(index, numbers, parameters));
  // The bound as it was given, and not as zfp rounds it down.
  if (recipe.bound > 0)
    SCORPIO_TRY(
        put_attribute(variable.path, format::k_bound_absolute, format::number_as_attribute(recipe.bound)));
  const bool rounds = recipe.mode != codec::QuantizationMode::none;
  return rounds ? define_quantization(index, static_cast<int>(recipe.mode), recipe.digits) : Status();
}

// The rule of a pattern had made some of these variables lossy before they were known to be protected.
// Elements that were put already stay as they are.
Status Definitions::make_lossless(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const std::optional<int> index = core_.contents.schema().objects().find_variable(path);
    const format::FilterRecipe* const lossy = index ? filter_choice_.lossy(*index) : nullptr;
    if (lossy == nullptr || !check_new_storage(*index).ok()) continue;
    const format::FilterRecipe recipe = *lossy;
    if (recipe.mode != codec::QuantizationMode::none)
      SCORPIO_TRY(define_quantization(*index, static_cast<int>(codec::QuantizationMode::none), 0));
    const format::FilterRecipe exact = format::lossless_part(recipe);
    SCORPIO_TRY(exact.empty() ? define_filters(*index, {}, {}) : apply_recipe(*index, exact));
    filter_choice_.applied(*index, {exact, false});
  }
  return {};
}

// Puts the attributes for the errors that the present filters and rounding may cause, in place of those for
// the ones before.
Status Definitions::mark_losses(int index, const std::map<std::string, double>& before) {
  const std::string path = core_.contents.schema().variables()[index].path;
  const std::map<std::string, double> now = format::lossy_marks(core_.contents.schema().variables()[index]);
  for (const auto& [name, value] : before) {
    const bool held = core_.contents.schema().variables()[index].attributes.contains(name);
    if (held && !now.contains(name)) SCORPIO_TRY(remove_attribute(path, name));
  }
  for (const auto& [name, value] : now) {
    const auto old = before.find(name);
    if (old == before.end() || old->second != value)
      SCORPIO_TRY(put_attribute(path, name, format::number_as_attribute(value)));
  }
  return {};
}

// If nothing changes, it is a definition all the same: the ranks compare their definitions.
Status Definitions::define_storage(int index, model::Storage storage) {
  const bool changes = core_.contents.schema().variables()[index].storage != storage;
  format::ChunkLayout* chunks = nullptr;
  std::map<std::string, double> before;
  if (changes) before = format::lossy_marks(core_.contents.schema().variables()[index]);
  const auto check = [&]() -> Status {
    SCORPIO_TRY(core_.calls.check(FileState::Event::add));
    const model::Variable& variable = core_.contents.schema().variables()[index];
    SCORPIO_ASSIGN(chunks, format::chunks_for(variable, core_.contents.layout()));
    SCORPIO_TRY(chunks->check_storage(core_.contents.schema(), variable, storage));
    return check_new_storage(index);
  };
  SCORPIO_TRY(steps_.define(check, [&] {
    core_.contents.schema().set_storage(index, std::move(storage));
    return changes ? chunks->place_again(core_.contents.schema(), index) : Status();
  }));
  return changes ? mark_losses(index, before) : Status();
}

}  // namespace scorpio::session
