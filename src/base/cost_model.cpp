#include "base/cost_model.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/edit_distance.h"

namespace scorpio {

namespace {

struct Parameter {
  std::string_view name;
  uint64_t CostModel::*value;
};
constexpr auto k_parameters =
    std::to_array<Parameter>({{"message_ns", &CostModel::message_ns},
                              {"network_ns_per_mib", &CostModel::network_ns_per_mib},
                              {"write_ns", &CostModel::write_ns},
                              {"unaligned_ns", &CostModel::unaligned_ns},
                              {"storage_ns_per_mib", &CostModel::storage_ns_per_mib},
                              {"shared_block_ns", &CostModel::shared_block_ns},
                              {"open_ns", &CostModel::open_ns}});

// A second: the sums of a put do not overflow.
constexpr uint64_t k_most_ns = 1'000'000'000;
constexpr std::string_view k_blank = " \t\n\r";

const Parameter* parameter_named(std::string_view name) {
  const auto* found = std::ranges::find(k_parameters, name, &Parameter::name);
  return found == k_parameters.end() ? nullptr : found;
}

Status unknown_parameter(std::string_view name) {
  const auto distance = [&](const Parameter& one) { return edit_distance(name, one.name); };
  const auto* nearest = std::ranges::min_element(k_parameters, {}, distance);
  return failure(Code::name, "\"{}\" is not a cost parameter; the most similar one is {}", name,
                 nearest->name);
}

Result<uint64_t> number_of(std::string_view word, std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number <= k_most_ns) return number;
  return failure(Code::argument, "\"{}\": the cost must be an integer from 0 to {}, in nanoseconds", word,
                 k_most_ns);
}

}  // namespace

Result<CostModel> CostModel::parse(std::string_view text) {
  CostModel model;
  std::array<bool, k_parameters.size()> given{};
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(k_blank), text.size()));
    if (text.empty()) return model;
    const std::string_view word = text.substr(0, text.find_first_of(k_blank));
    text.remove_prefix(word.size());
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos)
      return failure(Code::argument,
                     "\"{}\" is not a cost parameter: write name=nanoseconds, as write_ns=50000", word);
    const Parameter* parameter = parameter_named(word.substr(0, equals));
    if (parameter == nullptr) return unknown_parameter(word.substr(0, equals));
    bool& again = given[static_cast<size_t>(parameter - k_parameters.data())];
    if (again) return failure(Code::argument, "\"{}\": {} is given twice", word, parameter->name);
    again = true;
    SCORPIO_ASSIGN(model.*parameter->value, number_of(word, word.substr(equals + 1)));
  }
}

std::string format_ns(uint64_t ns) {
  constexpr auto k_names = std::to_array<const char*>({"us", "ms", "s"});
  if (ns < 1000) return fmt::format("{} ns", ns);
  auto value = static_cast<double>(ns) / 1000;
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < k_names.size(); ++unit) value /= 1000;
  return fmt::format("{:.3g} {}", value, k_names[unit]);
}

}  // namespace scorpio
