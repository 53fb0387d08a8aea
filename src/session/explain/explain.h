// The text of scorpio_explain_darray() and of option explain: what was chosen for an access by a
// decomposition, for which reasons, and what a put and a get of it will cost. Collective where stated.
#pragma once

#include <string>

#include "base/result.h"
#include "session/state/core.h"
#include "session/state/data_call.h"

namespace scorpio::session {

class DefineMode;

// The same for the first variable of a put whose arguments are valid on this rank, in define mode no longer.
// Without a message: the bytes between nodes are about those that are sent. Local.
std::string explain_here(const Core& core, const DataCall& call);

// Ends define mode, as a put does. One agreement; the text is the same on all ranks.
Result<std::string> explain(Core& core, DefineMode& define_mode, const Result<Move>& move,
                            const Decomposition* decomposition);

}  // namespace scorpio::session
