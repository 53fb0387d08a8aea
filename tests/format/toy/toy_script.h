// Variables of a folder as a script reads them that knows nothing of this library (toy_reader.py). Called on
// one rank.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace scorpio::format_test {

// [variables] all bytes in native order; nothing where there is no Python. A failure of the script fails the
// test.
std::optional<std::vector<std::vector<char>>> toy_bytes(const std::string& folder,
                                                        const std::vector<std::string>& variables);

template <typename T>
std::optional<std::vector<std::vector<T>>> toy_elements(const std::string& folder,
                                                        const std::vector<std::string>& variables) {
  const auto bytes = toy_bytes(folder, variables);
  if (!bytes) return std::nullopt;
  std::vector<std::vector<T>> elements;
  for (const std::vector<char>& each : *bytes) {
    elements.emplace_back(each.size() / sizeof(T));
    if (!each.empty()) std::memcpy(elements.back().data(), each.data(), elements.back().size() * sizeof(T));
  }
  return elements;
}

}  // namespace scorpio::format_test
