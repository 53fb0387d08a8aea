#include "format/cdf/names.h"

#include <cstdint>

namespace scorpio::format::cdf {
namespace {

bool is_alphanumeric(unsigned char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

// The number of bytes that a character with this first byte has; 0 if none begins so.
size_t sequence_bytes(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

// The second byte is what tells overlong forms, surrogates and too large code points.
bool second_fits(unsigned char first, unsigned char second) {
  if (first == 0xE0) return second >= 0xA0;
  if (first == 0xED) return second <= 0x9F;
  if (first == 0xF0) return second >= 0x90;
  return first != 0xF4 || second <= 0x8F;
}

// Offset of the first character that may not stand in a name; npos if there is none.
size_t first_bad_character(std::string_view name) {
  for (size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    if (byte < 0x20 || byte == 0x7F || byte == '/') return i;
  }
  return std::string_view::npos;
}

}  // namespace

bool is_utf8(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  for (size_t i = 0; i < text.size();) {
    const size_t bytes = sequence_bytes(byte(i));
    if (bytes == 0 || bytes > text.size() - i) return false;
    for (size_t k = 1; k < bytes; ++k) {
      if ((byte(i + k) & 0xC0) != 0x80) return false;
    }
    if (bytes > 1 && !second_fits(byte(i), byte(i + 1))) return false;
    i += bytes;
  }
  return true;
}

Status check_name(std::string_view name, const char* what) {
  if (name.empty())
    return failure(Code::name, "the name of a {} is empty: give it at least one character", what);
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

}  // namespace scorpio::format::cdf
