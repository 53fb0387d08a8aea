#include "pio/base/names.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <string>
#include <string_view>

#include "pio.h"
#include "pio/base/failure.h"

namespace scorpio_pio {

namespace {

int too_long(const char* what, const std::string& name) {
  return fail(PIO_EINVAL, "the name of the ", what, " that begins with ", name.substr(0, 32), " has ",
              name.size(), " bytes; at most ", PIO_MAX_NAME, " are possible");
}

// The length of the longest part of a path between slashes.
size_t longest_part(std::string_view path) {
  size_t longest = 0;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

// As netCDF-C: the first characters of names that all its tools can read.
bool may_begin(unsigned char first) {
  constexpr unsigned char k_beyond_ascii = 0x80;
  const bool letter = (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z');
  return letter || (first >= '0' && first <= '9') || first == '_' || first >= k_beyond_ascii;
}

bool has_control_characters(std::string_view name) {
  constexpr unsigned char k_delete = 0x7f;
  return std::ranges::any_of(name, [](char c) {
    return static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) == k_delete;
  });
}

}  // namespace

int check_new_name(const char* what, const char* name) {
  if (name == nullptr) return fail(PIO_EINVAL, "the name of the ", what, " is NULL");
  const size_t length = std::strlen(name);
  if (length > PIO_MAX_NAME) return too_long(what, name);
  if (std::strchr(name, '/') != nullptr)
    return fail(PIO_EBADNAME, "the name of the ", what, " contains a slash: ", std::string(name, 0, 64));
  if (length == 0 || name[length - 1] == ' ')
    return fail(PIO_EBADNAME, "the name of the ", what, " is empty or ends with a space: '",
                std::string(name).substr(0, 64), "'");
  if (!may_begin(static_cast<unsigned char>(*name)) || has_control_characters(name))
    return fail(PIO_EBADNAME, "the name of the ", what,
                " contains a control character, or does not begin with a letter, a digit, an underscore or a "
                "character of UTF-8: '",
                std::string(name).substr(0, 64), "'");
  return PIO_NOERR;
}

int not_found(const char* what, const char* name, int code) {
  return std::strlen(name) > PIO_MAX_NAME ? too_long(what, name) : code;
}

int check_path(const char* path) {
  if (path == nullptr || *path == '\0') return fail(PIO_EINVAL, "the name of the file is NULL or empty");
  const std::string_view all = path;
  if (all == k_rejected_path) return fail(PIO_EINTERNAL, "the name of the file is empty");
  if (all.size() < PATH_MAX && longest_part(all) <= NAME_MAX) return PIO_NOERR;
  return fail(PIO_EINVAL, "the name of the file that begins with ", all.substr(0, 64), " has ", all.size(),
              " bytes; at most ", PATH_MAX - 1, " are possible, and ", NAME_MAX, " between two slashes");
}

}  // namespace scorpio_pio
