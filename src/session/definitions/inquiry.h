// The contents of a file, by name. Local. Collective in an eager file: the metadata rank reads the present
// contents and sends them to all ranks.
#pragma once

#include <string>

#include "session/state/core.h"

namespace scorpio::session {

class Inquiry {
 public:
  explicit Inquiry(Core& core) : core_(core) {}

  Result<int> find_variable(const std::string& path);
  Result<const model::Attribute*> find_attribute(const std::string& object, const std::string& name);
  // The path of the group that `path` leads to.
  Result<std::string> find_group(const std::string& path);
  enum class ObjectKind { none, group, variable, link };
  struct Object {
    ObjectKind kind = ObjectKind::none;  // link: its target does not exist
    std::string path;                    // of the group or variable that was found
  };
  Result<Object> find_object(const std::string& path);
  // The target of the link at `path`, as it is stored; links within the path are followed.
  Result<std::string> link_target(const std::string& path);
  // Takes the place of a call whose arguments are invalid on this rank.
  Status reject(const Status& why);
  // Whether the variable can be read, or written; if not, the failure that a get or put would return. Local.
  Status check_access(int variable, bool reading) const;

  // ---- for definitions ----
  // The path of the object to which `path` leads when soft links are followed.
  Result<std::string> followed(const std::string& path);
  // Eager files: all ranks receive the changes that the application has made through the live id to the
  // object at `path`, and the target of a link.
  Status refresh(const std::string& path);

 private:
  // Refreshes one object; returns whether it is a soft link.
  Result<bool> refresh_one(const std::string& path);

  Core& core_;
};

}  // namespace scorpio::session
