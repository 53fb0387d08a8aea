// The groups of a file by their normalised paths, and what each contains. Local; pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "model/attribute.h"
#include "model/soft_links.h"
#include "model/variables.h"

namespace scorpio::model {

struct Group {
  Attributes attributes;
  bool small_attributes = false;  // as Variable::small_attributes
};
using Groups = std::map<std::string, Group>;

// Of one group: the names of groups and links, ordered; variables in order of definition.
struct Members {
  std::vector<std::string> groups;
  std::vector<int> variables;
  std::vector<std::string> links;
  size_t count() const { return groups.size() + variables.size() + links.size(); }
};

// [groups] Groups without members are left out.
std::map<std::string, Members> list_members(const Groups& groups, const Variables& variables,
                                            const SoftLinks& links);

}  // namespace scorpio::model
