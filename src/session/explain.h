// The text of scorpio_explain_darray(): what was chosen for an access by a decomposition, for which reasons,
// and what a put and a get of it will cost. Collective.
#pragma once

#include <string>

#include "base/result.h"
#include "session/core.h"
#include "session/data_call.h"

namespace scorpio::session {

class DefineMode;

// Ends define mode, as a put does. One agreement; the text is the same on all ranks.
Result<std::string> explain(Core& core, DefineMode& define_mode, const Result<Move>& move,
                            const Decomposition* decomposition);

}  // namespace scorpio::session
