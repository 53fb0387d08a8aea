// Sync points of the whole file: all ranks learn one outcome, and the metadata rank makes the file valid.
// Collective.
#pragma once

#include "session/core.h"
#include "session/define_mode.h"
#include "session/definitions.h"
#include "session/library_client.h"
#include "session/library_reads.h"
#include "session/posts.h"

namespace scorpio::session {

class SyncPoint {
 public:
  // The parts that have something to finish at a sync point.
  struct Parts {
    const Definitions& definitions;
    DefineMode& define_mode;
    LibraryReads& library_reads;
    LibraryClient& library_client;
    Posts& posts;
  };
  SyncPoint(Core& core, const Parts& parts) : core_(core), parts_(parts) {}

  // As the step of a call that has been entered.
  Status sync();
  // Nothing else may be called behind it.
  Status close();

 private:
  Status own_state(Outcomes::Earlier& earlier);
  Status metadata_work(const Status& everywhere, bool closing);
  struct Brought;
  struct News;
  Status conclude(const Brought& all, bool closing, News& news);
  Status explain(const News& news, const Brought& mine, const Status& agreed, bool closing);
  Status take_over(const News& news);
  Status settle(bool closing);
  Status settle_posts(bool closing);
  Status close_alone();

  Core& core_;
  Parts parts_;
};

}  // namespace scorpio::session
