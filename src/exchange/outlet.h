// Where the bytes of one file go from a channel, and what became of them on this rank. A channel may carry
// several files: every unit that was closed keeps the outlet of its file. Local; one thread.
#pragma once

#include <cstdint>
#include <utility>

#include "base/status.h"
#include "plan/slot_schedule.h"
#include "storage/sink.h"

namespace scorpio::exchange {

struct Outlet {
  storage::Sink* sink = nullptr;
  uint64_t file = 0;  // its number, the same on all ranks
  Status status;      // first failure since take_status()

  void note(const Status& failed) { status = first_failure(std::move(status), failed); }
  Status take_status() { return std::exchange(status, Status()); }
};

// A closed activation, of the file that its bytes belong to.
struct Job : plan::Activation {
  Outlet* outlet = nullptr;
};

}  // namespace scorpio::exchange
