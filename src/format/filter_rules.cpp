#include "format/filter_rules.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "codec/pipeline.h"
#include "codec/zfp.h"
#include "format/quantized.h"

namespace scorpio::format {

namespace {

using codec::QuantizationMode;

constexpr int k_none = -1;  // no number

// A set of filters by name. The number behind the name replaces the bits of BitRound.
struct Named {
  std::string_view name;
  std::string_view parts;
};
constexpr std::array<Named, 5> k_sets{{{"none", ""},
                                       {"lossless", "shuffle+deflate:1"},
                                       {"lossy", "bitround:12+shuffle+deflate:1"},
                                       {"fast", "shuffle+zstd:1"},
                                       {"lossy-fast", "bitround:12+shuffle+zstd:1"}}};

struct Part {
  std::string_view name;
  int filter;
  QuantizationMode mode;
  bool has_number;
  int parameter = 0;  // without a number
};
constexpr std::array<Part, 10> k_parts{
    {{"shuffle", codec::k_shuffle, QuantizationMode::none, false},
     {"deflate", codec::k_deflate, QuantizationMode::none, true},
     {"fletcher32", codec::k_fletcher32, QuantizationMode::none, false},
     {"zstd", codec::k_zstd, QuantizationMode::none, true},
     {"blosc", codec::k_blosc, QuantizationMode::none, true},
     {"zfp-precision", codec::k_zfp, QuantizationMode::none, true},
     {"zfp-reversible", codec::k_zfp, QuantizationMode::none, false, codec::k_zfp_reversible},
     {"bitgroom", 0, QuantizationMode::bit_groom, true},
     {"granular", 0, QuantizationMode::granular_bit_round, true},
     {"bitround", 0, QuantizationMode::bit_round, true}}};

Status bad_rule(std::string_view rule, const char* why) {
  return failure(
      Code::argument,
      "the filters \"{}\" {}; write none, lossless, lossy, fast, lossy-fast or names with \"+\" between "
      "them, as \"bitround:9+shuffle+deflate:1\", and in front of them, if they are not for all variables, a "
      "pattern of names and \"=\"",
      rule, why);
}

// "deflate:4" -> "deflate", 4; k_none where there is no number.
Result<int> split_number(std::string_view& word, std::string_view rule) {
  const size_t colon = word.find(':');
  if (colon == std::string_view::npos) return k_none;
  const std::string_view digits = word.substr(colon + 1);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 0)
    return bad_rule(rule, "have a wrong number");
  word = word.substr(0, colon);
  return number;
}

// "zfp-accuracy:0.01": the largest error, in the units of the variable.
Status add_zfp_accuracy(FilterRecipe& recipe, std::string_view bound, std::string_view rule) {
  double value = 0;
  const auto [end, error] = std::from_chars(bound.data(), bound.data() + bound.size(), value);
  if (error != std::errc() || end != bound.data() + bound.size())
    return bad_rule(rule, "have a wrong number");
  const Result<int> parameter = codec::zfp_parameter_for(value);
  if (!parameter.ok()) return bad_rule(rule, "have an error bound that is not positive");
  recipe.filters.push_back({codec::k_zfp, *parameter});
  recipe.bound = value;
  return {};
}

Status add_part(FilterRecipe& recipe, std::string_view word, std::string_view rule) {
  constexpr std::string_view k_accuracy = "zfp-accuracy:";
  if (word.starts_with(k_accuracy)) return add_zfp_accuracy(recipe, word.substr(k_accuracy.size()), rule);
  SCORPIO_ASSIGN(const int number, split_number(word, rule));
  const auto part = std::ranges::find(k_parts, word, &Part::name);
  if (part == k_parts.end()) return bad_rule(rule, "have an unknown name");
  if (part->has_number != (number != k_none)) {
    return bad_rule(rule,
                    part->has_number ? "lack a number after \":\"" : "have a number where none belongs");
  }
  if (part->mode == QuantizationMode::none) {
    recipe.filters.push_back({part->filter, number != k_none ? number : part->parameter});
    return {};
  }
  if (!recipe.empty()) return bad_rule(rule, "round after another filter");
  recipe.mode = part->mode;
  recipe.digits = number;
  return {};
}

Result<FilterRecipe> parse_recipe(std::string_view text, std::string_view rule) {
  FilterRecipe recipe;
  std::string_view name = text;
  int bits = k_none;
  std::string_view parts = text;
  const auto set = std::ranges::find(k_sets, text.substr(0, text.find(':')), &Named::name);
  if (set != k_sets.end()) {
    SCORPIO_ASSIGN(bits, split_number(name, rule));
    parts = set->parts;
  }
  while (!parts.empty()) {
    const std::string_view word = parts.substr(0, parts.find('+'));
    parts.remove_prefix(std::min(word.size() + 1, parts.size()));
    SCORPIO_TRY(add_part(recipe, word, rule));
  }
  if (bits != k_none && recipe.mode == QuantizationMode::none)
    return bad_rule(rule, "have a number where none belongs");
  if (bits != k_none) recipe.digits = bits;
  return recipe;
}

}  // namespace

FilterRecipe possible_part(const FilterRecipe& recipe, const model::Variable& variable) {
  if (is_quantizable(variable)) {
    FilterRecipe possible = recipe;
    const bool rounds = codec::Quantization::make(recipe.mode, recipe.digits, variable.type).ok();
    if (!rounds) possible.mode = QuantizationMode::none;  // the type has no more digits than are to be kept
    if (!rounds) possible.digits = 0;
    return possible;
  }
  return without_zfp(lossless_part(recipe));
}

FilterRecipe without_zfp(const FilterRecipe& recipe) {
  FilterRecipe rest = recipe;
  rest.bound = 0;
  std::erase_if(rest.filters, [](const codec::Filter& filter) { return filter.number == codec::k_zfp; });
  return rest;
}

FilterRecipe lossless_part(const FilterRecipe& recipe) {
  FilterRecipe exact = recipe;
  exact.mode = QuantizationMode::none;
  exact.digits = 0;
  exact.bound = 0;
  std::erase_if(exact.filters, [](const codec::Filter& filter) {
    return filter.number == codec::k_zfp && filter.parameter != codec::k_zfp_reversible;
  });
  return exact;
}

namespace {

// Without a bound of the error, a variable must be meant itself.
bool has_zfp_precision(const FilterRecipe& recipe) {
  return std::ranges::any_of(recipe.filters, [](const codec::Filter& filter) {
    return filter.number == codec::k_zfp && filter.parameter <= codec::k_zfp_most_precision;
  });
}

// As far as no variable is needed: any type with the most digits. What is not built in has no range.
Status check_numbers(const FilterRecipe& recipe) {
  const model::ElementType type = model::native(model::Kind::float64);
  SCORPIO_TRY(codec::Quantization::make(recipe.mode, recipe.digits, type).status());
  for (const codec::Filter& filter : recipe.filters) {
    const std::array<int64_t, 1> chunk{1024};
    const Status made = filter.number == codec::k_zfp
                            ? codec::zfp_header(filter.parameter, type, chunk).status()
                            : codec::Pipeline::make({filter}, type.size_bytes).status();
    if (made.code() != Code::unsupported) SCORPIO_TRY(made);
  }
  return {};
}

Status check_rule(std::string_view pattern, const FilterRecipe& recipe, std::string_view rule) {
  const auto zfp = std::ranges::find(recipe.filters, codec::k_zfp, &codec::Filter::number);
  if (zfp != recipe.filters.end() && zfp != recipe.filters.begin())
    return bad_rule(rule, "have zfp after another filter");
  if (has_zfp_precision(recipe) && pattern.find_first_of("*?[") != std::string_view::npos) {
    return bad_rule(
        rule,
        "have zfp-precision, which has no error bound, for a pattern instead of the full name of a "
        "variable");
  }
  const Status numbers = check_numbers(recipe);
  return numbers.ok() ? numbers : bad_rule(rule, ("have a wrong number (" + numbers.text() + ")").c_str());
}

}  // namespace

Result<FilterRules> FilterRules::parse(std::string_view text) {
  FilterRules rules;
  while (!text.empty()) {
    const std::string_view rule = text.substr(0, text.find(','));
    text.remove_prefix(std::min(rule.size() + 1, text.size()));
    const size_t equals = rule.find('=');
    const bool for_all = equals == std::string_view::npos;
    const std::string_view recipe = for_all ? rule : rule.substr(equals + 1);
    if (recipe.empty() || equals == 0) return bad_rule(rule, "are not complete");
    SCORPIO_ASSIGN(FilterRecipe parsed, parse_recipe(recipe, rule));
    std::string pattern(for_all ? "*" : rule.substr(0, equals));
    SCORPIO_TRY(check_rule(pattern, parsed, rule));
    rules.rules_.push_back({std::move(pattern), std::move(parsed)});
  }
  return rules;
}

Status FilterRules::check_built_in() const {
  for (const Rule& rule : rules_) {
    for (const codec::Filter& filter : rule.recipe.filters) {
      const Status built_in = codec::check_built_in(filter.number);
      if (!built_in.ok()) return built_in.with_context("option filters, pattern " + rule.pattern);
    }
  }
  return {};
}

std::optional<FilterRules::Found> FilterRules::find(const std::string& name) const {
  for (const Rule& rule : rules_) {
    if (fnmatch(rule.pattern.c_str(), name.c_str(), 0) == 0) return Found{&rule.recipe, rule.pattern == name};
  }
  return std::nullopt;
}

}  // namespace scorpio::format
