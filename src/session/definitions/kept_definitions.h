// The definitions of a file at one time, to which this rank can return as long as it has made nothing but
// definitions since. Local; one thread.
#pragma once

#include <memory>
#include <set>

#include "format/layout.h"
#include "model/schema.h"
#include "session/definitions/definitions.h"
#include "session/elements/fills.h"
#include "session/state/core.h"

namespace scorpio::session {

// The state that definitions change. Any other call on the file that changes it drops this
// (FileCalls::enter).
struct KeptDefinitions {
  model::Schema schema;
  std::unique_ptr<format::Layout> layout;
  Definitions::Own own;
  std::set<int> unfilled;
};

class UndoDefinitions {
 public:
  UndoDefinitions(Core& core, Definitions& definitions, Fills& fills)
      : core_(core), definitions_(definitions), fills_(fills) {}

  // Keeps the definitions as they are now, in place of those that were kept before.
  Status keep();
  // Returns to them. Code::state if none are kept.
  Status undo();

 private:
  Status check() const;

  Core& core_;
  Definitions& definitions_;
  Fills& fills_;
};

}  // namespace scorpio::session
