// The ids by which calls name objects: those of variables, of the root group, and of groups that this rank
// has inquired. They are valid while the file is open, and may differ between ranks. Local.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "session/state/file_contents.h"

namespace scorpio::session {

class ObjectIds {
 public:
  static constexpr int k_root = -1;

  explicit ObjectIds(const FileContents& contents) : contents_(contents) {}

  // `path`: normalised. The same path has the same id.
  int of_group(const std::string& path);
  // Code::handle if no object has this id, or its object was removed.
  Result<std::string> path_of(int object) const;
  // The same, but only for a group.
  Result<std::string> path_of_group(int group) const;

 private:
  Result<std::string> path_of_named_group(int group) const;

  const FileContents& contents_;
  std::vector<std::string> groups_;  // [k_root - 1 - id]
  std::map<std::string, int> ids_;
};

}  // namespace scorpio::session
