// The parts of a file that every call that moves data uses.
#pragma once

#include "session/define_mode.h"
#include "session/fills.h"
#include "session/first_puts.h"
#include "session/library_client.h"
#include "session/library_reads.h"
#include "session/move_agreement.h"

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
