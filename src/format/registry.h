// The list of the formats: formats.cpp has the list of the library, all_formats.cpp the one that is used,
// which tests replace, and registry.cpp finds the format of a name, a number or a file. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "format/format.h"

namespace scorpio::format {

// The number of bytes at the beginning of a file that determine its format.
inline constexpr size_t k_detect_bytes = 8;

// The formats of the library, in the order in which detect() tries them (formats.cpp).
std::span<const Format* const> library_formats();
// The formats of the library, and those that a test program adds by replacing this function
// (all_formats.cpp).
std::span<const Format* const> formats();

// `name` is a value of option `format`.
const Format& format_named(std::string_view name);
// `number` is Capabilities::number.
const Format& format_numbered(uint64_t number);
// The format of a file. The last format takes files that no other one recognises: its library reports what is
// wrong with them.
const Format& detect(std::span<const std::byte> first_bytes);
// Whether files of some format are folders.
bool folders_are_files();
// The format of a folder; null if no format recognises it.
Result<const Format*> detect_folder(storage::Store& store, const std::string& path);

// The formats with the libraries that they use: "hdf5 (HDF5 1.14.5), cdf1".
std::string libraries_of_formats();

// Starts the libraries of all formats.
Status start_libraries();

}  // namespace scorpio::format
