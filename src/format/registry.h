// The formats that there are. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "format/format.h"

namespace scorpio::format {

// So many of a file's first bytes tell its format.
inline constexpr size_t k_detect_bytes = 8;

// In the order in which detect() asks them (formats.cpp).
std::span<const Format* const> library_formats();
// The same, and those that a program adds which replaces this function (all_formats.cpp).
std::span<const Format* const> formats();

// `name` is one of option `format`.
const Format& format_named(std::string_view name);
// As Capabilities::number has it.
const Format& format_numbered(uint64_t number);
// Whose a file is. The last format takes what no other knows: its library says what is wrong with the file.
const Format& detect(std::span<const std::byte> first_bytes);
// Whether files of some format are folders.
bool folders_are_files();
// Whose the folder is; null: of no format.
Result<const Format*> detect_folder(storage::Store& store, const std::string& path);

// Of those that have libraries to start.
Status start_libraries();

}  // namespace scorpio::format
