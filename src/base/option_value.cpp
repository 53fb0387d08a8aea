#include "base/option_value.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <optional>

#include "base/checked.h"
#include "base/option_limits.h"

namespace scorpio {
namespace {

struct Unit {
  std::string_view name;  // lower case; the first letter alone has the same meaning
  int64_t bytes;
};
constexpr auto k_units = std::to_array<Unit>({{"tib", int64_t{1} << 40},
                                              {"gib", int64_t{1} << 30},
                                              {"mib", int64_t{1} << 20},
                                              {"kib", int64_t{1} << 10}});

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string_view trim(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Reads a number and removes it from `text`.
std::optional<int64_t> take_number(std::string_view& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

std::optional<int64_t> parse_integer(std::string_view text) {
  const auto value = take_number(text);
  return text.empty() ? value : std::nullopt;
}

std::optional<int64_t> parse_bytes(std::string_view text) {
  const auto value = take_number(text);
  if (!value) return std::nullopt;
  const std::string suffix = lower(trim(text));
  if (suffix.empty() || suffix == "b") return value;
  for (const Unit& unit : k_units) {
    if (suffix == unit.name || suffix == unit.name.substr(0, 1)) return checked_mul(*value, unit.bytes);
  }
  return std::nullopt;
}

std::optional<int64_t> parse_boolean(std::string_view text) {
  const std::string word = lower(text);
  if (word == "true" || word == "1" || word == "yes" || word == "on") return 1;
  if (word == "false" || word == "0" || word == "no" || word == "off") return 0;
  return std::nullopt;
}

std::optional<int64_t> parse_choice(const OptionSpec& spec, std::string_view text) {
  const auto choices = choices_of(spec);
  const auto found = std::find(choices.begin(), choices.end(), lower(text));
  if (found == choices.end()) return std::nullopt;
  return found - choices.begin();
}

bool in_range(const OptionSpec& spec, int64_t number) {
  if (number == 0 && spec.zero_is_automatic) return true;
  if (number < spec.minimum || number > spec.maximum) return false;
  return !spec.power_of_two || std::has_single_bit(static_cast<uint64_t>(number));
}

// "0, 4,8" -> "0,4,8"; none if it is not such a list.
std::optional<std::string> parse_ranks(const OptionSpec& spec, std::string_view text) {
  std::vector<int64_t> ranks;
  for (bool more = !text.empty(); more;) {
    const size_t comma = text.find(',');
    const auto rank = parse_integer(trim(text.substr(0, comma)));
    if (!rank || *rank < 0 || *rank > spec.maximum || std::ranges::count(ranks, *rank) > 0)
      return std::nullopt;
    ranks.push_back(*rank);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return fmt::format("{}", fmt::join(ranks, ","));
}

std::optional<int64_t> parse_number(const OptionSpec& spec, std::string_view text) {
  switch (spec.kind) {
    case OptionKind::boolean:
      return parse_boolean(text);
    case OptionKind::choice:
      return parse_choice(spec, text);
    case OptionKind::text:
      return 0;
    case OptionKind::ranks:
      return parse_ranks(spec, text) ? std::optional<int64_t>(0) : std::nullopt;
    case OptionKind::integer:
    case OptionKind::bytes:
      break;
  }
  if (*spec.no_limit != '\0' && lower(text) == spec.no_limit) return spec.maximum;
  const auto number = spec.kind == OptionKind::bytes ? parse_bytes(text) : parse_integer(text);
  return number && in_range(spec, *number) ? number : std::nullopt;
}

}  // namespace

std::string allowed_values(const OptionSpec& spec) {
  switch (spec.kind) {
    case OptionKind::boolean:
      return "true or false";
    case OptionKind::choice:
      return fmt::format("{}", fmt::join(choices_of(spec), " or "));
    case OptionKind::text:
      return "any text";
    case OptionKind::ranks:
      return "different ranks separated by commas, as 0,4,8";
    case OptionKind::integer:
    case OptionKind::bytes:
      break;
  }
  const bool bytes = spec.kind == OptionKind::bytes;
  const auto show = [bytes](int64_t value) { return bytes ? format_bytes(value) : fmt::format("{}", value); };
  std::string text = spec.zero_is_automatic ? "0, or " : "";
  if (spec.power_of_two) text += "a power of two ";
  if (*spec.no_limit != '\0') text += fmt::format("{}, or ", spec.no_limit);
  text += spec.maximum == k_any_option_value
              ? fmt::format("{} or more", show(spec.minimum))
              : fmt::format("{} to {}", show(spec.minimum), show(spec.maximum));
  return text;
}

Result<OptionValue> parse_value(const OptionSpec& spec, std::string_view text) {
  const std::string_view trimmed = trim(text);
  const auto number = parse_number(spec, trimmed);
  if (!number) {
    return failure(Code::argument, "option {} = \"{}\": the value must be {}", spec.name, text,
                   allowed_values(spec));
  }
  OptionValue value{.number = *number, .text = {}};
  if (spec.kind == OptionKind::text) value.text = trimmed;
  if (spec.kind == OptionKind::ranks) value.text = *parse_ranks(spec, trimmed);
  if (spec.kind == OptionKind::choice) value.text = choices_of(spec)[static_cast<size_t>(*number)];
  return value;
}

std::string format_bytes(int64_t bytes) {
  static constexpr auto k_names = std::to_array<std::string_view>({"TiB", "GiB", "MiB", "KiB"});
  for (size_t i = 0; i < k_units.size(); ++i) {
    if (bytes != 0 && bytes % k_units[i].bytes == 0)
      return fmt::format("{} {}", bytes / k_units[i].bytes, k_names[i]);
  }
  return fmt::format("{} B", bytes);
}

std::vector<int> ranks_of(const OptionValue& value) {
  std::vector<int> ranks;
  std::string_view rest = value.text;
  while (!rest.empty()) {
    ranks.push_back(static_cast<int>(take_number(rest).value_or(0)));
    if (!rest.empty()) rest.remove_prefix(1);  // the comma
  }
  return ranks;
}

std::string format_value(const OptionSpec& spec, const OptionValue& value) {
  switch (spec.kind) {
    case OptionKind::boolean:
      return value.number != 0 ? "true" : "false";
    case OptionKind::choice:
    case OptionKind::text:
    case OptionKind::ranks:
      return value.text;
    case OptionKind::bytes:
      if (*spec.no_limit != '\0' && value.number == spec.maximum) return spec.no_limit;
      return value.number == 0 ? "0" : format_bytes(value.number);
    case OptionKind::integer:
      break;
  }
  return fmt::format("{}", value.number);
}

}  // namespace scorpio
