// The steps of a definition: in an eager file the ranks compare its arguments, the layout checks it, the
// schema changes, and a failure is recorded or the object created. And what definitions differ by. Local;
// Collective in an eager file, and where stated.
#pragma once

#include <string>
#include <utility>

#include "session/state/core.h"

namespace scorpio::session {

class DefinitionSteps {
 public:
  explicit DefinitionSteps(Core& core) : core_(core) {}

  // In an eager file the ranks compare all arguments of a definition before any of them makes it.
  template <typename... Arguments>
  Status compare(fmt::format_string<Arguments...> call, Arguments&&... arguments) {
    return core_.setting.eager() ? compare_texts(fmt::format(call, std::forward<Arguments>(arguments)...))
                                 : Status();
  }
  // Calls `check` of the layout, then changes the schema, and ends the definition.
  template <typename Check, typename Change>
  Status define(Check&& check, Change&& change) {
    const Status allowed = check();
    return end(allowed.ok() ? change() : allowed);
  }
  // Records a failure, so that a synchronisation point can say on which rank and why definitions differ. In
  // an eager file the object is created at once.
  Status end(const Status& status);
  // Takes the place of a definition whose arguments are invalid on this rank; counts as a definition that
  // failed.
  Status reject(const Status& why);

  // Definitions differ between ranks: returns the definition that failed on some rank, else the first
  // difference between rank 0 and the lowest rank that differs. `hash`: of this rank's schema. Collective.
  Status explain(uint64_t hash) const;

 private:
  Status compare_texts(const std::string& call);
  Status publish();

  Core& core_;
};

}  // namespace scorpio::session
