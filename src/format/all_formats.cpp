// The formats that there are, those of the library; by itself, so that a test can link one with more in its
// place.
#include "format/registry.h"

namespace scorpio::format {

std::span<const Format* const> formats() { return library_formats(); }

}  // namespace scorpio::format
