// What this rank's calls on a file have met since the last sync point, until all ranks are told. Local.
#pragma once

#include <utility>

#include "base/status.h"

namespace scorpio::session {

// After these the file has all it should have; the user only learns that values were clipped.
inline bool harmless(Code code) { return code == Code::ok || code == Code::range; }

// Where ranks made different puts or gets they are the reason, and can be named.
inline bool is_explained(Code code) {
  return harmless(code) || code == Code::aborted || code == Code::mismatch;
}

class Outcomes {
 public:
  // ---- data calls ----
  // Of a data call; returns it. The first failure that matters is kept: clipped values must not hide what is
  // lost; having given up is not kept, because it follows from the channel's state and must not hide the
  // reason.
  Status note(Status status);
  // Of a put in which this rank took no part; nothing is lost where none did. The first is kept.
  void refuse(const Status& status);
  // What this rank has to tell at a sync point that moves data: of this call, or of puts since the last one.
  // A failure says more than clipped values, or than having given up.
  Status with_earlier(const Status& status) const;
  // All ranks have been told what with_earlier() gave: what the file lacks is told again.
  void told();

  struct Earlier {
    Status failed;   // first failure
    Status refused;  // first put in which this rank took no part
  };
  // At a sync point of the whole file.
  Earlier take();
  void put_back(Earlier earlier) { earlier_ = std::move(earlier); }

  // ---- definitions ----
  void definition_failed(const Status& why);
  // The last one that failed on this rank.
  const Status& failed_definition() const { return failed_definition_; }
  void definitions_agreed() { failed_definition_ = {}; }

 private:
  Earlier earlier_;
  Status failed_definition_;
};

}  // namespace scorpio::session
