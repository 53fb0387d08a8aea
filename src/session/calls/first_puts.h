// Contiguous variables of an opened file that have no space there, because no program has put them yet: they
// get their addresses when they are put for the first time. Collective where stated.
#pragma once

#include <list>
#include <vector>

#include "session/definitions/define_mode.h"
#include "session/elements/fills.h"
#include "session/elements/requests.h"
#include "session/state/core.h"
#include "session/state/data_call.h"

namespace scorpio::session {

class FirstPuts {
 public:
  FirstPuts(Core& core, Fills& fills, DefineMode& define_mode)
      : core_(core), fills_(fills), define_mode_(define_mode) {}

  // Whether the file has such variables; the same on all ranks. If so, the ranks agree on each put before
  // they carry it out, so that all of them place the same variables.
  bool awaited() const {
    return core_.calls.state().writable() && core_.contents.layout().placements().any_unallocated();
  }
  // Whether the put is the first one of such a variable.
  bool include(const DataCall& call) const;
  // Places the variables of a put that all ranks make, and fills them where the put may leave elements out.
  // The call must be checked again afterwards. Collective in order; two reductions if chunks were put before.
  Status place(const DataCall& call);
  // The same for the variables of the requests that the ranks are about to carry out. Collective: one
  // reduction more, none if the file has no such variables.
  Status place(const std::list<Request>& requests);

 private:
  struct First {
    int variable = -1;
    bool whole = false;  // all elements are put
  };
  bool waits(int variable) const { return core_.contents.layout().placement(variable).is_unallocated(); }
  Status place(const std::vector<First>& all);

  Core& core_;
  Fills& fills_;
  DefineMode& define_mode_;
};

}  // namespace scorpio::session
