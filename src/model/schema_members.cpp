// The members of a group. Local; pure.
#include "model/path.h"
#include "model/schema.h"

namespace scorpio::model {

std::map<std::string, Schema::Members> Schema::list_members() const {
  std::map<std::string, Members> all;
  for (const auto& [path, group] : groups_) {
    if (path != "/") all[parent(path)].groups.push_back(leaf(path));
  }
  for (int i = 0; i < variable_count(); ++i) {
    if (alive(i)) all[parent(variable(i).path)].variables.push_back(i);
  }
  for (const auto& [path, link] : links_) all[parent(path)].links.push_back(leaf(path));
  return all;
}

// Programs inquire the members one after the other, so that the lists are kept.
const Schema::Members& Schema::members(const std::string& path) const {
  static const Members k_none;
  if (members_.empty()) members_ = list_members();
  const auto at = members_.find(path);
  return at == members_.end() ? k_none : at->second;
}

}  // namespace scorpio::model
