// Sync points of the whole file: all ranks learn one outcome, and the metadata rank makes the file valid.
// Collective.
#pragma once

#include <optional>

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
  // Where the option says so, the part of a close that needs the ranks' calls: what was put is in the I/O
  // phase, and close() is left for later. None: close() is to follow at once, because it is not asked for, or
  // because some rank has something to tell.
  std::optional<Status> post_close();
  // The same of a sync, as the step of a call that has been entered; also none where all is written already.
  std::optional<Status> post_sync();
  // What post_sync() left. Requests stay as they are: they may be waited for later.
  Status complete();
  // After post_close() or post_sync(): of the I/O ranks of this node. Local.
  bool written() const { return core_.channel().written(); }

 private:
  bool may_be_posted(Option option) const;
  struct Parting;
  std::optional<Status> part(Parting& all);
  Status own_state(Outcomes::Earlier& earlier);
  Status metadata_work(const Status& everywhere, bool closing);
  struct Brought;
  struct News;
  Status conclude(const Brought& all, bool closing, News& news);
  Status explain(const News& news, const Brought& mine, const Status& agreed, bool closing);
  MetadataOwner::Naming naming_of_sync() const;
  bool changes_metadata() const;
  Status settled(const News& news, bool closing);
  Status take_over(const News& news);
  enum class Pending { carried_out, left };
  Status settle(bool closing, Pending requests = Pending::carried_out);
  Status settle_posts(bool closing);
  Status place_stored();
  Status close_alone();

  Core& core_;
  Parts parts_;
};

}  // namespace scorpio::session
