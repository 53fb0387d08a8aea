// The calls on an open file: which ones it allows now, the order that ranks compare, and what failed since
// the last synchronisation point. Local; one thread.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/guarded.h"
#include "comm/group.h"
#include "session/state/file_contents.h"
#include "session/state/file_state.h"
#include "session/state/outcomes.h"
#include "session/state/put_log.h"

namespace scorpio::session {

struct KeptDefinitions;

class FileCalls {
 public:
  // `number`: that of the file in the I/O system.
  FileCalls(const comm::Group& comm, uint64_t number, const FileContents& contents, bool writable)
      : comm_(comm),
        number_(number),
        contents_(contents),
        state_(FileState::opened(contents.path(), writable, false)) {}
  ~FileCalls();
  FileCalls(const FileCalls&) = delete;
  FileCalls& operator=(const FileCalls&) = delete;

  // The file is open; its contents have a layout. `created`: it is new.
  void open(bool created);

  FileState& state() { return state_; }
  const FileState& state() const { return state_; }
  Outcomes& outcomes() { return outcomes_; }
  const Outcomes& outcomes() const { return outcomes_; }
  PutLog& puts() { return puts_; }

  // This rank enters a collective call.
  void enter(const char* kind);
  // The failure by which the event is not allowed.
  Status check(FileState::Event event) const { return state_.check(event, comm_.parted()); }
  // A failure of data is told with their variable, if there is memory for its name.
  Status note(const Status& status) {
    if (status.ok()) return status;
    Status named = status;
    (void)guarded([&] {
      named = contents_.naming(status);
      return Status();
    });
    return outcomes_.note(std::move(named));
  }
  // The definitions to which this rank can return; the next call that is no definition forgets
  // them.
  std::shared_ptr<KeptDefinitions>& kept_definitions() { return kept_definitions_; }
  void forget_kept_definitions() { kept_definitions_.reset(); }

 private:
  const comm::Group& comm_;
  uint64_t number_;
  const FileContents& contents_;
  FileState state_;
  PutLog puts_;
  Outcomes outcomes_;
  std::shared_ptr<KeptDefinitions> kept_definitions_;
};

}  // namespace scorpio::session
