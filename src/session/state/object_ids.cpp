#include "session/state/object_ids.h"

namespace scorpio::session {

namespace {

// Lists the other ids that a call accepts, for the failure of a call with an invalid one.
constexpr const char* k_objects =
    "give the id of a variable, SCORPIO_GLOBAL, or the id of a group as scorpio_group_find gives it";

}  // namespace

int ObjectIds::of_group(const std::string& path) {
  if (path == "/") return k_root;
  const auto known = ids_.find(path);
  if (known != ids_.end()) return known->second;
  const int id = k_root - 1 - static_cast<int>(groups_.size());
  groups_.push_back(path);
  ids_[path] = id;
  return id;
}

Result<std::string> ObjectIds::path_of(int object) const {
  if (object == k_root) return std::string("/");
  if (object < k_root) return path_of_named_group(object);
  const Result<const model::Variable*> variable = contents_.variable(object);
  if (variable.ok()) return (*variable)->path;
  return failure(Code::handle, "{}; {}", variable.status().text(), k_objects);
}

Result<std::string> ObjectIds::path_of_group(int group) const {
  if (group <= k_root) return path_of(group);
  return failure(
      Code::handle,
      "{} is not the id of a group; give SCORPIO_GLOBAL, or the id of a group as scorpio_group_find "
      "gives it",
      group);
}

Result<std::string> ObjectIds::path_of_named_group(int group) const {
  const auto index = static_cast<size_t>(k_root - 1 - group);
  if (index >= groups_.size()) {
    return failure(Code::handle, "group id {} of {} does not exist; {}", group, contents_.path(), k_objects);
  }
  const std::string& path = groups_[index];
  if (contents_.schema().objects().has_group(path)) return path;
  return failure(Code::handle, "group {} of {}, whose id is {}, was removed; define it again, or {}", path,
                 contents_.path(), group, k_objects);
}

}  // namespace scorpio::session
