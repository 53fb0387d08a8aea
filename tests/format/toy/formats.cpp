// The formats of the library with the toy's, in place of src/format/all_formats.cpp.
#include <vector>

#include "format/registry.h"
#include "format/toy/toy_format.h"

namespace scorpio::format {

std::span<const Format* const> formats() {
  // Not destroyed: files may be closed while the process exits.
  static const auto* const k_formats = [] {
    auto* const all = new std::vector<const Format*>{&toy_format(), &toy_large_format()};
    all->insert(all->end(), library_formats().begin(), library_formats().end());
    return all;
  }();
  return *k_formats;
}

}  // namespace scorpio::format
