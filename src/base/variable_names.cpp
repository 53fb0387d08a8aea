#include "base/variable_names.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/edit_distance.h"

namespace scorpio {
namespace {

constexpr std::string_view k_prefix = "SCORPIO_";
// Variables that are not options: the name of the configuration file, and those of the interface of 2012.
constexpr auto k_others = std::to_array<std::string_view>({"CONFIG", "MAX_BUFFER", "XDMF", "VERBOSE"});
// Two names are similar if one begins with the other and they share this number of letters: SCORPIO_STAGING,
// but not SCORPIO_IO.
constexpr size_t k_telling_letters = 5;

std::string upper(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

// All variables that are read, without the prefix.
std::vector<std::string> read_names() {
  std::vector<std::string> names(k_others.begin(), k_others.end());
  for (const OptionSpec& spec : known_options()) names.push_back(upper(spec.name));
  return names;
}

// The measure is smallest for the most probable name: few letters differ, preferably the last ones.
std::pair<size_t, size_t> difference(std::string_view name, std::string_view known) {
  const auto [end, unused] = std::ranges::mismatch(name, known);
  return {edit_distance(name, known), static_cast<size_t>(name.end() - end)};
}

bool alike(std::string_view name, std::string_view known) {
  const size_t shorter = std::min(name.size(), known.size());
  if (shorter >= k_telling_letters && name.substr(0, shorter) == known.substr(0, shorter)) return true;
  // One letter in three, rounded up; less for the shortest names, so that CASE does not match CLOSE.
  const size_t most = shorter < k_telling_letters ? shorter / 3 : (shorter + 2) / 3;
  return edit_distance(name, known) <= most;
}

}  // namespace

std::string variable_of(const OptionSpec& spec) { return std::string(k_prefix) + upper(spec.name); }

std::vector<std::string> process_variable_names() {
  std::vector<std::string> names;
  for (char** each = ::environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view setting(*each);
    names.emplace_back(setting.substr(0, setting.find('=')));
  }
  return names;
}

std::vector<std::string> misspelt_variables(const std::vector<std::string>& names) {
  static const std::vector<std::string> known = read_names();
  std::vector<std::string> notes;
  for (const std::string& variable : names) {
    if (!variable.starts_with(k_prefix)) continue;
    const std::string name = variable.substr(k_prefix.size());
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::string wanted = upper(name);
    const auto nearest = std::ranges::min_element(
        known, {}, [&wanted](const std::string& each) { return difference(wanted, each); });
    const auto begun =
        std::ranges::find_if(known, [&wanted](const std::string& each) { return alike(wanted, each); });
    const auto meant = alike(wanted, *nearest) ? nearest : begun;
    if (meant == known.end()) continue;
    notes.push_back(fmt::format("environment variable {} is not read; did you mean {}{}? (docs/options.md)",
                                variable, k_prefix, *meant));
  }
  return notes;
}

}  // namespace scorpio
