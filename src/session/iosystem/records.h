// What an I/O system has recorded of itself and of its files. One thread, but for the backlog.
#pragma once

#include <optional>

#include "observe/backlog.h"
#include "observe/counters.h"
#include "observe/event_log.h"
#include "observe/file_account.h"

namespace scorpio::session {

struct Records {
  observe::Counters counters;
  observe::EventLog events;
  observe::FileAccounts accounts;
  std::optional<observe::Backlog> backlog;  // on an I/O rank, if there is a report or a trace
};

}  // namespace scorpio::session
