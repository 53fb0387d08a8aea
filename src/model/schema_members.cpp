// What is directly in a group. Local; pure.
#include "model/schema.h"

namespace scorpio::model {

namespace {

// Whether `path` is that of a member of the group whose members' paths begin with `prefix`.
bool is_member(const std::string& path, const std::string& prefix) {
  return path.size() > prefix.size() && path.starts_with(prefix) &&
         path.find('/', prefix.size()) == std::string::npos;
}

template <typename Objects>
std::vector<std::string> names_in(const Objects& objects, const std::string& prefix) {
  std::vector<std::string> names;
  for (auto at = objects.lower_bound(prefix); at != objects.end() && at->first.starts_with(prefix); ++at) {
    if (is_member(at->first, prefix)) names.push_back(at->first.substr(prefix.size()));
  }
  return names;
}

}  // namespace

Schema::Members Schema::members(const std::string& path) const {
  const std::string prefix = path == "/" ? path : path + "/";
  Members members{names_in(groups_, prefix), {}, names_in(links_, prefix)};
  for (int i = 0; i < variable_count(); ++i) {
    if (alive(i) && is_member(variable(i).path, prefix)) members.variables.push_back(i);
  }
  return members;
}

}  // namespace scorpio::model
