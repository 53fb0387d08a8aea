// The variables that no rule for a pattern of names makes lossy, because other values depend on theirs:
// coordinates, time, and what other variables name as bounds, cell measures, terms of formulas or ancillary
// data by attributes of the CF and UGRID conventions. A restart file has no other ones. Local; pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/attribute.h"

namespace scorpio::format {

// By the last part of its path: it contains "restart" or "checkpoint", or it has a part between dots that is
// r, rs, rst or rh and a digit, as case.cam.r.0001-01-01-00000.nc.
bool is_restart_file(const std::string& path);

class ProtectedVariables {
 public:
  // The variable or group at `object` (a path) gets this attribute. Returns the paths that are protected by
  // it; no variable need exist there yet.
  std::vector<std::string> note(const std::string& object, const std::string& name,
                                const model::Attribute& attribute);
  bool contains(const std::string& path) const { return paths_.contains(path); }

 private:
  std::set<std::string> paths_;
};

}  // namespace scorpio::format
