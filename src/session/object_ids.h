// The ids by which calls name objects: a variable's, that of the root group, and those of groups that this
// rank has asked for. They are valid while the file is open, and may differ between ranks. Local.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "session/core.h"

namespace scorpio::session {

class ObjectIds {
 public:
  static constexpr int k_root = -1;

  explicit ObjectIds(const Core& core) : core_(core) {}

  // `path`: normalised. The same path has the same id.
  int of_group(const std::string& path);
  // Code::handle: no object has this id, or none any more.
  Result<std::string> path_of(int object) const;
  // The same where only a group will do.
  Result<std::string> path_of_group(int group) const;

 private:
  Result<std::string> path_of_named_group(int group) const;

  const Core& core_;
  std::vector<std::string> groups_;  // [k_root - 1 - id]
  std::map<std::string, int> ids_;
};

}  // namespace scorpio::session
