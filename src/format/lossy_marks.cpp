#include "format/lossy_marks.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

#include "codec/filters.h"
#include "codec/zfp.h"
#include "format/quantized.h"

namespace scorpio::format {

namespace {

using model::Kind;

template <typename T>
model::Attribute scalar_of(T number, Kind kind) {
  model::Attribute attribute;
  attribute.type = model::native(kind);
  const auto* bytes = reinterpret_cast<const std::byte*>(&number);
  attribute.value.assign(bytes, bytes + sizeof(number));
  return attribute;
}

// None if there is no attribute of this type with one element.
template <typename T>
std::optional<T> number_in(const model::Variable& variable, const char* name, Kind kind) {
  const auto found = variable.attributes.find(name);
  if (found == variable.attributes.end()) return std::nullopt;
  const model::Attribute& attribute = found->second;
  T number{};
  if (attribute.type != model::native(kind) || attribute.value.size() != sizeof(number)) return std::nullopt;
  std::memcpy(&number, attribute.value.data(), sizeof(number));
  return number;
}

std::optional<double> error_in(const model::Variable& variable, const char* name) {
  const auto error = number_in<double>(variable, name, Kind::float64);
  return error && *error >= 0 ? error : std::nullopt;
}

int32_t lossless_in(const model::Variable& variable) {
  return std::max(0, number_in<int32_t>(variable, k_lossless_chunks, Kind::int32).value_or(0));
}

void raise_error(model::Schema& schema, int variable, const char* name, double error) {
  const std::optional<double> old = error_in(schema.variables()[variable], name);
  if (old && error > *old) schema.set_attribute(variable, name, number_as_attribute(error));
}

void set_lossless(model::Schema& schema, int variable, int64_t chunks) {
  const int64_t most = std::numeric_limits<int32_t>::max();
  const auto now = static_cast<int32_t>(std::clamp<int64_t>(chunks, 0, most));
  if (now == lossless_in(schema.variables()[variable])) return;
  schema.set_attribute(variable, k_lossless_chunks, scalar_of(now, Kind::int32));
}

// Their errors are known.
std::vector<int> marked_variables(const model::Variables& variables) {
  std::vector<int> marked;
  for (int i = 0; i < variables.count(); ++i) {
    if (!variables.alive(i) || variables[i].storage.form != model::Storage::Form::chunked) continue;
    if (error_in(variables[i], k_error_absolute)) marked.push_back(i);
  }
  return marked;
}

constexpr size_t k_words_of_variable = 3;

}  // namespace

model::Attribute number_as_attribute(double number) { return scalar_of(number, Kind::float64); }

std::map<std::string, double> lossy_marks(const model::Variable& variable) {
  std::map<std::string, double> marks;
  const model::Storage& storage = variable.storage;
  if (storage.form != model::Storage::Form::chunked) return marks;
  for (size_t i = 0; i < storage.filters.size(); ++i) {
    const int parameter = storage.parameters[i];
    if (storage.filters[i] != codec::k_zfp || parameter == codec::k_zfp_reversible) continue;
    marks[k_error_absolute] = 0;
    if (const double bound = codec::zfp_tolerance(parameter); bound > 0) marks[k_bound_absolute] = bound;
  }
  const codec::Quantization quantization = quantization_of(variable, {});
  if (quantization.empty()) return marks;
  marks[k_error_absolute] = marks[k_error_relative] = 0;
  marks[k_bound_relative] = quantization.bound();
  return marks;
}

bool tell_loss(model::Schema& schema, const storage::LossEntry& loss) {
  const int variable = loss.variable;
  if (!schema.variables().alive(variable) || !error_in(schema.variables()[variable], k_error_absolute))
    return false;
  raise_error(schema, variable, k_error_absolute, loss.absolute);
  raise_error(schema, variable, k_error_relative, loss.relative);
  const int64_t before = lossless_in(schema.variables()[variable]);
  set_lossless(schema, variable, before + loss.lossless_chunks);
  return before == 0 && loss.lossless_chunks > 0;
}

std::vector<uint64_t> told_losses(const model::Variables& variables) {
  std::vector<uint64_t> words;
  for (const int i : marked_variables(variables)) {
    const model::Variable& variable = variables[i];
    for (const char* name : {k_error_absolute, k_error_relative})
      words.push_back(std::bit_cast<uint64_t>(error_in(variable, name).value_or(0)));
    words.push_back(static_cast<uint64_t>(lossless_in(variable)));
  }
  return words;
}

void take_told_losses(model::Schema& schema, std::span<const uint64_t> words) {
  if (words.empty()) return;
  for (const int i : marked_variables(schema.variables())) {
    if (words.size() < k_words_of_variable) return;
    raise_error(schema, i, k_error_absolute, std::bit_cast<double>(words[0]));
    raise_error(schema, i, k_error_relative, std::bit_cast<double>(words[1]));
    set_lossless(schema, i, static_cast<int64_t>(words[2]));
    words = words.subspan(k_words_of_variable);
  }
}

}  // namespace scorpio::format
