// The parts of a file that every call that moves data uses.
#pragma once

#include "session/calls/first_puts.h"
#include "session/calls/library_client.h"
#include "session/calls/move_agreement.h"
#include "session/definitions/define_mode.h"
#include "session/elements/fills.h"
#include "session/state/library_reads.h"

namespace scorpio::session {

// All of them outlive the object that holds this.
struct MoveParts {
  DefineMode& define_mode;
  Fills& fills;
  FirstPuts& first_puts;
  LibraryReads& library_reads;
  LibraryClient& library_client;
  MoveAgreement& agreement;
};

}  // namespace scorpio::session
