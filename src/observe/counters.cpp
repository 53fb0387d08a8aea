#include "observe/counters.h"

#include <array>

namespace scorpio::observe {
namespace {

#define SCORPIO_COUNTER_NAME(name, unit, meaning) #name,
constexpr auto k_names = std::to_array<const char*>({SCORPIO_COUNTERS(SCORPIO_COUNTER_NAME) nullptr});
#undef SCORPIO_COUNTER_NAME

#define SCORPIO_COUNTER_MEMBER(name, unit, meaning) &Counters::name,
constexpr auto k_members = std::to_array<uint64_t Counters::*>({SCORPIO_COUNTERS(SCORPIO_COUNTER_MEMBER)});
#undef SCORPIO_COUNTER_MEMBER

}  // namespace

const char* const* counter_names() { return k_names.data(); }

std::array<uint64_t, k_counters> values_of(const Counters& counters) {
  std::array<uint64_t, k_counters> values{};
  for (size_t i = 0; i < k_counters; ++i) values[i] = counters.*k_members[i];
  return values;
}

Counters counters_of(std::span<const uint64_t, k_counters> values) {
  Counters counters;
  for (size_t i = 0; i < k_counters; ++i) counters.*k_members[i] = values[i];
  return counters;
}

void add_gain(Counters& total, const Counters& now, const Counters& before) {
  for (const auto member : k_members) total.*member += now.*member - before.*member;
}

Result<uint64_t*> find_counter(Counters& counters, std::string_view name) {
  for (size_t i = 0; i < k_members.size(); ++i) {
    if (name == k_names[i]) return &(counters.*k_members[i]);
  }
  return failure(Code::name,
                 "no counter is named \"{}\"; scorpio_counter_names() and docs/counters.md list them", name);
}

}  // namespace scorpio::observe
