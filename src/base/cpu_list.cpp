#include "base/cpu_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace scorpio {

namespace {

constexpr char k_range = '-', k_separator = ',';

// Reads the number at the beginning of the text and removes it from there.
bool take_number(std::string_view& text, size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number >= k_most_cpus) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

// "4" or "4-7".
bool add_range(std::string_view range, CpuSet& cpus) {
  size_t first = 0;
  if (!take_number(range, first)) return false;
  size_t last = first;
  if (!range.empty()) {
    if (range.front() != k_range) return false;
    range.remove_prefix(1);
    if (!take_number(range, last) || !range.empty() || last < first) return false;
  }
  for (size_t cpu = first; cpu <= last; ++cpu) cpus.set(cpu);
  return true;
}

}  // namespace

Result<CpuSet> parse_cpus(std::string_view list) {
  CpuSet cpus;
  for (std::string_view rest = list; true;) {
    const size_t end = std::min(rest.find(k_separator), rest.size());
    if (!add_range(rest.substr(0, end), cpus)) {
      return failure(
          Code::argument,
          "\"{}\" is not a list of CPUs: give numbers from 0 to {}, or ranges of them, separated by "
          "commas, such as 0-3,8",
          list, k_most_cpus - 1);
    }
    if (end == rest.size()) return cpus;
    rest.remove_prefix(end + 1);
  }
}

std::string cpus_text(const CpuSet& cpus) {
  std::string text;
  for (size_t first = 0; first < k_most_cpus; ++first) {
    if (!cpus[first]) continue;
    size_t last = first;
    while (last + 1 < k_most_cpus && cpus[last + 1]) ++last;
    if (!text.empty()) text += k_separator;
    text += last == first ? fmt::format("{}", first) : fmt::format("{}{}{}", first, k_range, last);
    first = last;
  }
  return text.empty() ? "none" : text;
}

}  // namespace scorpio
