#include "base/option_table.h"

#include <algorithm>
#include <array>

#include "base/edit_distance.h"
#include "base/option_limits.h"
#include "base/option_value.h"
#include "base/options_of_asynchronous.h"
#include "base/options_of_files.h"
#include "base/options_of_format.h"
#include "base/options_of_io_ranks.h"
#include "base/options_of_memory.h"
#include "base/options_of_observation.h"
#include "base/options_of_storing.h"
#include "base/options_of_transfer.h"

namespace scorpio {
namespace {

// The parts of the table, one after the other.
template <size_t... k_sizes>
constexpr auto joined(const std::array<OptionSpec, k_sizes>&... parts) {
  std::array<OptionSpec, (k_sizes + ...)> all{};
  auto next = all.begin();
  ((next = std::copy(parts.begin(), parts.end(), next)), ...);
  return all;
}

constexpr auto k_options =
    joined(k_options_of_io_ranks, k_options_of_memory, k_options_of_transfer, k_options_of_files,
           k_options_of_asynchronous, k_options_of_storing, k_options_of_format, k_options_of_observation);

// Each stands where its number in the enumeration says.
constexpr bool in_order() {
  for (size_t i = 0; i < k_options.size(); ++i) {
    if (static_cast<size_t>(k_options[i].id) != i) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace

std::span<const OptionSpec> known_options() { return k_options; }

const OptionSpec& spec_of(Option option) { return k_options[static_cast<size_t>(option)]; }

Result<Option> find_option(std::string_view name) {
  for (const OptionSpec& spec : k_options) {
    if (name == spec.name) return spec.id;
  }
  const auto nearest =
      std::min_element(k_options.begin(), k_options.end(), [name](const auto& a, const auto& b) {
        return edit_distance(name, a.name) < edit_distance(name, b.name);
      });
  return failure(Code::name, "no option is named \"{}\"; the nearest is \"{}\" (docs/options.md lists all)",
                 name, nearest->name);
}

std::vector<std::string_view> choices_of(const OptionSpec& spec) {
  std::vector<std::string_view> choices;
  std::string_view rest = spec.choices_by == nullptr ? spec.choices : spec.choices_by();
  while (!rest.empty()) {
    const size_t bar = rest.find('|');
    choices.push_back(rest.substr(0, bar));
    rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
  }
  return choices;
}

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

}  // namespace scorpio
