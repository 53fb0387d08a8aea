#include "model/group.h"

#include "model/path.h"

namespace scorpio::model {

std::map<std::string, Members> list_members(const Groups& groups, const Variables& variables,
                                            const SoftLinks& links) {
  std::map<std::string, Members> all;
  for (const auto& [path, group] : groups) {
    if (path != "/") all[parent(path)].groups.push_back(leaf(path));
  }
  for (int i = 0; i < variables.count(); ++i) {
    if (variables.alive(i)) all[parent(variables[i].path)].variables.push_back(i);
  }
  for (const auto& [path, link] : links) all[parent(path)].links.push_back(leaf(path));
  return all;
}

}  // namespace scorpio::model
