// Define mode and data mode of formats whose layout follows from all definitions. Collective.
#pragma once

#include <string>

#include "format/layout.h"
#include "session/definitions/definition_steps.h"
#include "session/elements/encoder_notes.h"
#include "session/elements/fills.h"
#include "session/state/core.h"
#include "session/state/file_arena.h"

namespace scorpio::session {

class DefineMode {
 public:
  DefineMode(Core& core, const DefinitionSteps& steps, Fills& fills)
      : core_(core), steps_(steps), fills_(fills), arena_(core), encoder_notes_(core) {}

  // Ends define mode at the user's request: variables get their locations.
  Status end();
  // Is called before any call that moves data: ends define mode if the file is in it, and fills new
  // variables.
  Status ready_for_data();
  // The same, as the first step of a call that makes requests and carries them out.
  Status ready_for_requests();

 private:
  void follow();
  Status ended();
  Status rearrange(const format::Rearrangement& arrangement);
  Status copy_share(const format::Rearrangement& arrangement, const std::string& to);

  Core& core_;
  const DefinitionSteps& steps_;
  Fills& fills_;
  FileArena arena_;
  EncoderNotes encoder_notes_;
  int followed_ = 0;  // number of variables that the access to the data and the notes know
};

}  // namespace scorpio::session
