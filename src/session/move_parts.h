// The parts of a file that whatever moves data passes through.
#pragma once

#include "session/define_mode.h"
#include "session/fills.h"
#include "session/library_client.h"
#include "session/library_reads.h"
#include "session/move_agreement.h"

namespace scorpio::session {

// All outlive who holds this.
struct MoveParts {
  DefineMode& define_mode;
  Fills& fills;
  LibraryReads& library_reads;
  LibraryClient& library_client;
  MoveAgreement& agreement;
};

}  // namespace scorpio::session
