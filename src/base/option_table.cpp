#include "base/option_table.h"

#include <algorithm>
#include <array>

#include "base/edit_distance.h"
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

}  // namespace scorpio
