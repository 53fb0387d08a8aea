// The failures of this rank's calls on a file since the last synchronisation point, which returns them on all
// ranks. Local.
#pragma once

#include <utility>

#include "base/status.h"

namespace scorpio::session {

// Whether the file has all data in spite of this status: the call succeeded, or values were clipped.
inline bool harmless(Code code) { return code == Code::ok || code == Code::range; }

// Whether different puts or gets of the ranks explain this failure, and can be named.
inline bool is_explained(Code code) {
  return harmless(code) || code == Code::aborted || code == Code::mismatch;
}

class Outcomes {
 public:
  // ---- data calls ----
  // Records the status of a data call and returns it. The first failure by which data are lost takes
  // precedence over clipped values. Code::aborted is not recorded, because it follows from the state of the
  // channel and must not hide the cause.
  Status note(Status status);
  // Records a put that this rank left out; no data are lost if all ranks left it out. The first one is kept.
  void refuse(const Status& status);
  // The status of this rank at a synchronisation point that moves data: that of this call, or of the puts
  // since the last synchronisation point. Other failures take precedence over clipped values and over
  // Code::aborted.
  Status with_earlier(const Status& status) const;
  // All ranks have returned `agreed`, which is the result of with_earlier() on one of them. What it does not
  // tell is kept for the next synchronisation point, and so are failures by which the file lacks data.
  void told(const Status& agreed);

  struct Earlier {
    Status failed;   // first failure
    Status refused;  // first put that this rank left out
  };
  // At a synchronisation point of the whole file.
  Earlier take();
  void put_back(Earlier earlier) { earlier_ = std::move(earlier); }

  // ---- definitions ----
  void definition_failed(const Status& why);
  // The last definition that failed on this rank.
  const Status& failed_definition() const { return failed_definition_; }
  void definitions_agreed() { failed_definition_ = {}; }

 private:
  Earlier earlier_;
  Status failed_definition_;
};

}  // namespace scorpio::session
