// The synchronisation points sync and close: all ranks return the same status, and the metadata rank makes
// the file valid. Collective.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "session/calls/library_client.h"
#include "session/calls/posted_commit.h"
#include "session/calls/request_calls.h"
#include "session/definitions/define_mode.h"
#include "session/definitions/definition_steps.h"
#include "session/state/core.h"
#include "session/state/library_reads.h"

namespace scorpio::session {

class SyncPoint {
 public:
  // The parts of the file that complete their work at a synchronisation point.
  struct Parts {
    const DefinitionSteps& steps;
    DefineMode& define_mode;
    LibraryReads& library_reads;
    LibraryClient& library_client;
    RequestCalls& requests;
  };
  SyncPoint(Core& core, const Parts& parts)
      : core_(core),
        parts_(parts),
        commit_(core),
        of_io_ranks_(2 * core.setting.system().io_ranks().size()) {}

  // Part of a call that the caller has entered (FileCalls::enter).
  Status sync();
  // The last call on this object.
  Status close();
  // With option close = post: passes the data to the I/O phase and returns the status; close() then follows
  // in a later call, and workers do a part of it before. Returns nothing if close() must follow at once,
  // because the option is not set or some rank has a failure to return.
  std::optional<Status> post_close();
  // As post_close(), for option sync = post and as part of a call that the caller has entered. Returns
  // nothing also if all data are written already and no work is left to workers: the rest is done at once
  // then.
  std::optional<Status> post_sync();
  // Completes a sync after post_sync(). Pending requests stay pending.
  Status complete();
  // After post_close() or post_sync(): whether the I/O ranks of this node have written all data, and the
  // worker of this rank has done what it can. Local.
  bool written() const;
  // The same of all I/O ranks of the file; false as well if this rank cannot know it. Local.
  bool all_written() const;
  // On the metadata rank, whether workers have made the last posted sync. Local.
  bool made() const { return commit_.made(); }
  // After post_close(), on an I/O rank: whether workers can complete the file after bring_index(). Local.
  bool wants_index() const { return commit_.wants_index(); }
  // The metadata rank makes the metadata, with the index of the chunks, in memory. A failure is returned by
  // close(). Collective.
  void bring_index();

 private:
  bool may_be_posted(Option option) const;
  void open_before_naming();
  bool leaves_work() const;
  struct Parting;
  std::optional<Status> part(Parting& all);
  void finish_posted();
  Status own_state(Outcomes::Earlier& earlier);
  Status metadata_work(const Status& everywhere, bool closing);
  struct Brought;
  struct News;
  Status conclude(const Brought& all, bool closing, News& news);
  Status explain(const News& news, const Brought& mine, const Status& agreed, bool closing);
  Commit::Naming naming_of_sync() const;
  bool changes_metadata() const;
  Status synchronised(const News& news, bool closing);
  Status take_over(const News& news);
  enum class Pending { carried_out, left };
  enum class Chunks { to_place, placed };
  Status synchronise(bool closing, Pending requests = Pending::carried_out, Chunks chunks = Chunks::to_place);
  Status carry_out_requests(bool closing);
  Status place_stored();
  Status tell_index();
  Status place_own(std::span<const int64_t> all, bool has_chunks);
  Result<std::span<const int64_t>> of_io_ranks(const std::array<int64_t, 2>& own);
  void tell_losses(const std::vector<storage::LossEntry>& losses);
  std::vector<uint64_t> losses_to_tell(bool closing, Chunks chunks) const;
  Status close_alone();

  Core& core_;
  Parts parts_;
  PostedCommit commit_;
  std::vector<int64_t> of_io_ranks_;  // two values of each I/O rank, in its order
};

}  // namespace scorpio::session
