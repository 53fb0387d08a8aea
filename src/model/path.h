// Paths of objects in a file. A path is normalised if it is "/", or begins with a slash and has no trailing,
// double or missing one: "/ocean/temp". Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace scorpio::model {

// "/a//b/" and "a/b" become "/a/b". Code::name for an empty path, for the names "." and "..", and for a NUL
// byte.
Result<std::string> normalise(const std::string& path);
// Whether normalise() would not change the path. Some other normalised paths are not recognised.
bool is_normal(std::string_view path);

// ---- of normalised paths ----
std::string parent(const std::string& path);  // "/" for "/a" and for "/"
std::string leaf(const std::string& path);    // "" for "/"
// Whether `path` is that of `object`, or of an object inside it.
bool at_or_below(const std::string& path, const std::string& object);

}  // namespace scorpio::model
