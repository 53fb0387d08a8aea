// The list of formats: those of the library. It is a source file of its own, so that a test can link another
// list.
#include "format/registry.h"

namespace scorpio::format {

std::span<const Format* const> formats() { return library_formats(); }

}  // namespace scorpio::format
