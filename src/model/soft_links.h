// Soft links, by their normalised paths. Pure.
#pragma once

#include <map>
#include <string>

#include "base/result.h"

namespace scorpio::model {

struct SoftLink {
  std::string target;  // as it was given, absolute or relative to the group of the link
};
using SoftLinks = std::map<std::string, SoftLink>;

// The normalised path to which `path` leads when links are followed; no object need exist there. Code::name
// for a path that normalise() refuses, Code::not_found if it leads through too many links.
Result<std::string> follow(const SoftLinks& links, const std::string& path);

}  // namespace scorpio::model
