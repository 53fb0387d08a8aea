#include "format/netcdf_names.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace scorpio::format {
namespace {

bool is_alphanumeric(unsigned char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// The offset of the first character that a name must not contain; npos if there is none.
size_t first_bad_character(std::string_view name) {
  for (size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    if (byte < 0x20 || byte == 0x7F || byte == '/') return i;
  }
  return std::string_view::npos;
}

}  // namespace

bool is_utf8(std::string_view text) {
  if (is_ascii(text)) return true;
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (auto left = static_cast<utf8proc_ssize_t>(text.size()); left > 0;) {
    utf8proc_int32_t character = 0;
    const utf8proc_ssize_t bytes = utf8proc_iterate(at, left, &character);
    if (bytes < 0) return false;
    at += bytes;
    left -= bytes;
  }
  return true;
}

std::string normalised_name(std::string text) {
  if (is_ascii(text)) return text;
  utf8proc_uint8_t* composed = nullptr;
  const utf8proc_ssize_t bytes = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
      &composed, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(composed, &std::free);
  if (bytes < 0) return text;
  return {reinterpret_cast<const char*>(composed), static_cast<size_t>(bytes)};
}

Status check_netcdf_name(std::string_view name, const char* what) {
  if (name.empty()) return failure(Code::name, "the {} name is empty: give it at least one character", what);
  if (name.size() > k_name_limit_bytes) {
    return failure(Code::name, "{} name \"{:.40}...\" has {} bytes: netCDF allows {}, shorten it", what, name,
                   name.size(), k_name_limit_bytes);
  }
  if (!is_utf8(name)) return failure(Code::name, "{} name of {} bytes is not UTF-8", what, name.size());
  if (const size_t bad = first_bad_character(name); bad != std::string_view::npos) {
    return failure(Code::name,
                   "{} name \"{}\" has the character 0x{:02X} at byte {}: netCDF names hold neither '/' "
                   "nor control characters",
                   what, name, static_cast<unsigned char>(name[bad]), bad);
  }
  const auto first = static_cast<unsigned char>(name.front());
  if (!is_alphanumeric(first) && first != '_' && first < 0x80) {
    return failure(Code::name,
                   "{} name \"{}\" begins with '{}': netCDF names begin with a letter, a digit or '_'", what,
                   name, name.front());
  }
  if (name.back() == ' ') {
    return failure(Code::name, "{} name \"{}\" ends in a space, which netCDF does not allow", what, name);
  }
  return {};
}

}  // namespace scorpio::format
