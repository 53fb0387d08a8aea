// What a file holds, by name. Local; Collective in an eager file, where the metadata rank looks what is there
// now and tells all ranks.
#pragma once

#include <string>

#include "session/core.h"

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
  // What the link at `path` leads to, as it is stored; links above it are followed.
  Result<std::string> link_target(const std::string& path);
  // In place of a call whose arguments this rank could not even take.
  Status reject(const Status& why);
  // Whether the variable can be read, or written; if not, a get or put would fail so. Local.
  Status check_access(int variable, bool reading) const;

  // ---- for definitions ----
  // What `path` means when soft links are followed.
  Result<std::string> followed(const std::string& path);
  // Eager: what a client may have done to `path`, and to what it leads to, through the live id is known to
  // all ranks.
  Status refresh(const std::string& path);

 private:
  // Whether it is a soft link.
  Result<bool> refresh_one(const std::string& path);

  Core& core_;
};

}  // namespace scorpio::session
