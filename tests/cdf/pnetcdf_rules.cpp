#include "pnetcdf_rules.h"

#include <cstdio>
#include <utility>

namespace scorpio::format::cdf::test {
namespace {

constexpr uint64_t k_default_data_align = 512;
constexpr uint64_t k_unit = 4;

// The first one given, as a multiple of 4.
uint64_t first_of(std::initializer_list<uint64_t> choices) {
  for (const uint64_t choice : choices) {
    if (choice > 0) return (choice + k_unit - 1) / k_unit * k_unit;
  }
  return k_unit;
}

}  // namespace

PnetcdfRules rules_of(const std::string& version) {
  std::pair<int, int> number{0, 0};
  std::sscanf(version.c_str(), "%d.%d", &number.first, &number.second);
  return number < std::pair{1, 13} ? PnetcdfRules::until_1_12 : PnetcdfRules::since_1_13;
}

Alignment alignment_since_1_13(const PnetcdfHints& hints, const std::optional<Padding>& padding,
                               bool placed) {
  const Padding given = padding.value_or(Padding{.v_align = 0, .r_align = 0});
  Alignment out;
  out.header_free = given.h_minfree;
  out.data =
      first_of({hints.header, hints.variable, given.v_align, placed ? uint64_t{0} : k_default_data_align});
  out.variable = k_unit;
  out.variable_free = given.v_minfree;
  out.record = first_of({hints.record, given.r_align});
  return out;
}

uint64_t longest_since_1_13(Version version) { return version == Version::cdf5 ? INT64_MAX : INT32_MAX; }

}  // namespace scorpio::format::cdf::test
