// The elements of variables of strings of variable length. The library of the format writes and reads them on
// the metadata rank; they pass no channel. Collective where stated; one thread.
#pragma once

#include <string>
#include <vector>

#include "model/string_elements.h"
#include "session/calls/sync_point.h"
#include "session/state/core.h"

namespace scorpio::session {

class StringElements {
 public:
  StringElements(Core& core, SyncPoint& sync_point) : core_(core), sync_point_(sync_point) {}

  // Collective: a comparison and a broadcast. All ranks pass equal boxes; the texts are those of rank `root`,
  // one for each element. The next synchronisation point writes them. `box`: a failure of this rank's
  // arguments.
  Status put(const Result<model::StringBox>& box, std::vector<std::string> texts, int root);
  // Collective: a sync if the file is open for writing, a comparison, an agreement and a broadcast. All ranks
  // pass equal boxes, and get the texts. Values that earlier puts clipped are told by the next
  // synchronisation point.
  Result<std::vector<std::string>> get(const Result<model::StringBox>& box);

  // Local: the hyperslab of a variable. `stride`: empty for 1.
  Result<model::StringBox> check(model::StringBox box, bool reading) const;

 private:
  Status compare(const char* call, const Result<model::StringBox>& box, int64_t root, Status own) const;

  Core& core_;
  SyncPoint& sync_point_;
};

}  // namespace scorpio::session
