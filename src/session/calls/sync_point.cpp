#include "session/calls/sync_point.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "comm/ballot.h"
#include "format/lossy_marks.h"
#include "session/iosystem/posted_files.h"

namespace scorpio::session {

// Flushes the data of this rank, and returns the failures of its calls since the last synchronisation point.
Status SyncPoint::own_state(Outcomes::Earlier& earlier) {
  exchange::FileChannel& channel = core_.transfer.channel();
  if (channel.failed()) {
    channel.stop();
  } else {
    (void)core_.calls.note(channel.flush());
  }
  earlier = core_.calls.outcomes().take();
  const Status& own = earlier.failed;
  if (core_.transfer.channel().was_lost() && harmless(own.code())) {
    return first_failure(
        std::exchange(earlier.refused, Status()),
        failure(Code::aborted,
                "data put since the last synchronisation point are lost: another rank could not take part{}",
                core_.transfer.channel().lease().shared
                    ? " in a call on this file, or on one that shares staging with it"
                    : ""));
  }
  if (!core_.calls.state().writable() || !core_.calls.state().finished().ok() || !harmless(own.code()))
    return own;
  // Data are synchronised also if the file stays open. A file system may report a failed write only when the
  // file is closed, and until then the file must not get its final name, nor metadata that describe these
  // data.
  Status kept = core_.setting.options().boolean(Option::durable) ? core_.transfer.data().sync() : Status();
  if (kept.ok()) kept = core_.transfer.data().check_close();
  return kept.ok() ? own : kept;
}

// The values that the ranks reduce before the metadata rank makes the file valid.
struct SyncPoint::Brought {
  comm::Any incomplete;  // some data are not in the file
  comm::Same definitions;
  comm::Same puts;
  comm::Any requests;  // requests that no wait has carried out
  comm::Any stored;    // encoded chunks that have no location in the file yet
  comm::Same order;    // the order of calls on files that share staging
  comm::Any put_since_sync;
  comm::Any channel_failed;
  comm::Any to_tell;   // this rank has a failure or a refusal that all ranks must return
  comm::Any metadata;  // the metadata in storage differ from the present ones
  auto fields() {
    return std::tie(incomplete, definitions, puts, requests, stored, order, put_since_sync, channel_failed,
                    to_tell, metadata);
  }
  bool nothing_left() const {
    return !(incomplete || definitions.differs || puts.differs || requests || stored || order.differs ||
             channel_failed || to_tell || metadata);
  }
};

// The results of the metadata rank, which the status agreement distributes. The other ranks contribute only
// `incomplete` and `channel_failed`.
struct SyncPoint::News {
  comm::Any incomplete;
  comm::Any other_definitions;
  comm::Any other_puts;
  comm::Any other_order;
  comm::Any requests_first;  // requests are to be carried out first; nothing was done yet
  comm::Any stored_first;    // chunks are to be placed first; nothing was done yet
  comm::Any relocated;       // the library has moved a variable
  comm::Most end_of_allocation;
  comm::Any channel_failed;
  auto fields() {
    return std::tie(incomplete, other_definitions, other_puts, other_order, requests_first, stored_first,
                    relocated, end_of_allocation, channel_failed);
  }
};

Commit::Naming SyncPoint::naming_of_sync() const {
  using Naming = Commit::Naming;
  return core_.setting.options().choice(Option::file_name) == "sync" ? Naming::now : Naming::later;
}

// Runs on the metadata rank. `everywhere` is the combined status of the data calls of all ranks.
Status SyncPoint::metadata_work(const Status& everywhere, bool closing) {
  if (core_.metadata == nullptr) return {};
  const bool good = everywhere.ok() && core_.calls.state().lost().ok();
  Status status;
  if (core_.calls.state().writable() && good) {
    const Commit::Naming naming = closing ? Commit::Naming::last : naming_of_sync();
    status = core_.commit()->make(core_.contents.schema(), core_.contents.layout(), naming);
  }
  if (closing) status = first_failure(status, core_.metadata->close(good && status.ok()));
  return status;
}

// Runs on the metadata rank with the reduced values of all ranks: makes the file valid, or returns the
// failure that prevents this.
Status SyncPoint::conclude(const Brought& all, bool closing, News& news) {
  // If ranks put to files that share staging in different orders, bytes may be in the wrong file. A file to
  // which nothing was put since its last synchronisation point is intact; the other files return the failure.
  const bool unusable = all.order.differs && !all.channel_failed;
  const bool other_order = unusable && all.put_since_sync;
  const bool failed = all.incomplete || all.definitions.differs || all.puts.differs || other_order;
  const Status everywhere = failed ? failure_without_text(Code::aborted) : Status();
  const bool places = !all.requests && all.stored && !failed;
  news.requests_first = all.requests;
  news.stored_first = {places};
  const Status made = all.requests || places ? Status() : metadata_work(everywhere, closing);
  news.incomplete = {failed || !made.ok()};
  news.other_definitions = {all.definitions.differs};
  news.other_puts = {all.puts.differs};
  news.other_order = {other_order};
  if (unusable) news.channel_failed = {true};
  news.relocated = {core_.commit()->take_relocated()};
  if (!closing) news.end_of_allocation = {core_.metadata->library().end_of_allocation()};
  return made;
}

// Ends what workers do after a posted close or sync. If they give addresses to chunks, either all of them do
// or none. After a posted close they do so with the last rounds, too. On several nodes the last rounds are
// placed when all ranks know that they are in this call (place_stored).
void SyncPoint::finish_posted() {
  exchange::FileChannel& channel = core_.transfer.channel();
  const bool together = core_.setting.comm().parted().ok();
  if (together && !commit_.places_chunks()) {
    (void)core_.calls.note(guarded([&] { return core_.transfer.rounds().encode(); }));
    if (core_.setting.system().nodes().nodes() == 1) core_.transfer.rounds().place();
  }
  if (together && commit_.places_chunks() && !channel.failed()) {
    (void)core_.calls.note(guarded([&] { return channel.flush(); }));
    commit_.finish_data();
  }
  commit_.end();
}

// Between its collective steps a rank that has no memory goes on, and brings that to the next one.
Status SyncPoint::synchronise(bool closing, Pending requests, Chunks chunks) {
  const comm::Group& comm = core_.setting.comm();
  core_.setting.system().posted_files().forget(core_.setting.number());
  finish_posted();
  SCORPIO_TRY(comm.parted());
  Outcomes::Earlier earlier;
  Status own = guarded([&] { return own_state(earlier); });
  storage::ChunkAccess* const access = core_.transfer.chunks();
  const bool stored = access != nullptr && (access->placement().unplaced_bytes() > 0 || access->has_news() ||
                                            core_.transfer.rounds().under_way());
  const bool closes = closing && core_.metadata == nullptr && !stored;
  const Status closed = closes ? guarded([&] { return core_.transfer.data().close(); }) : Status();
  std::optional<comm::RoomFor<News>> room(std::in_place, 0);
  const Status given = guarded([&] {
    const std::vector<uint64_t> losses = losses_to_tell(closing, chunks);
    if (losses.empty()) return Status();
    std::ranges::copy(losses, room.emplace(losses.size()).more().begin());
    return Status();
  });
  if (harmless(own.code()) && !given.ok()) own = given;
  const bool complete = harmless(own.code()) && closed.ok();
  // The first reduction determines whether all data are in the file and all ranks made the same calls. In a
  // close only the metadata rank receives the result, because its own work follows in any case. In a sync all
  // ranks receive it and return if nothing is left to do.
  Brought all{.incomplete = {!complete},
              .definitions = {core_.contents.schema().hash()},
              .puts = {core_.calls.puts().hash()},
              .requests = {requests == Pending::carried_out && !parts_.requests.pending().empty()},
              .stored = {stored},
              .order = {core_.transfer.channel().calls_so_far()},
              .put_since_sync = {core_.transfer.channel().put_since_sync()},
              .channel_failed = {core_.transfer.channel().failed()},
              .to_tell = {!own.ok() || !earlier.refused.ok() || !core_.calls.state().lost().ok()},
              .metadata = {changes_metadata()}};
  if (closing) {
    SCORPIO_TRY(comm::collect_at(comm, core_.setting.system().metadata_rank(), all));
  } else {
    SCORPIO_TRY(comm::collect(comm, all));
    if (all.nothing_left()) return synchronised(News(), closing);
  }
  News news;
  news.incomplete = {!complete};
  news.channel_failed = {core_.transfer.channel().failed()};
  Status made;
  if (core_.metadata != nullptr) {
    made = guarded([&] { return conclude(all, closing, news); });
    if (!made.ok()) news.incomplete = {true};
  }
  // The second reduction distributes the resulting status.
  const Status lighter = first_failure(first_failure(closed, made), first_failure(earlier.refused, own));
  if (!closing && all.incomplete) room.emplace(0);  // some rank may have no memory for more
  Status agreed = comm::agree(comm, harmless(own.code()) ? lighter : own, news, *room);
  if (news.requests_first || news.stored_first) {
    core_.calls.outcomes().put_back({own, earlier.refused});
    (void)core_.calls.note(closed);  // the next close of the data would succeed
  }
  if (news.requests_first) return carry_out_requests(closing);
  if (news.stored_first) {
    (void)core_.calls.note(guarded([&] { return place_stored(); }));
    return synchronise(closing, requests, Chunks::placed);
  }
  agreed = explain(news, all, agreed, closing);
  if (news.incomplete) core_.calls.state().lose(agreed);
  SCORPIO_TRY(core_.calls.state().lost());
  (void)core_.calls.note(guarded([&] {
    format::take_told_losses(core_.contents.schema(), room->more());
    return Status();
  }));
  SCORPIO_TRY(synchronised(news, closing));
  return agreed;
}

bool SyncPoint::changes_metadata() const {
  return core_.metadata != nullptr && core_.calls.state().writable() &&
         !core_.commit()->is_current(core_.contents.schema(), naming_of_sync());
}

Status SyncPoint::synchronised(const News& news, bool closing) {
  core_.calls.outcomes().definitions_agreed();
  core_.calls.state().happened(FileState::Event::sync);
  core_.calls.puts().start_again();
  core_.transfer.channel().synchronised();
  if (!core_.calls.state().writable() || closing) return {};
  core_.transfer.rounds().begin_again();
  return take_over(news);
}

// Makes the channel usable again where this is possible, and finds the first calls that differ.
Status SyncPoint::explain(const News& news, const Brought& mine, const Status& agreed, bool closing) {
  const comm::Group& comm = core_.setting.comm();
  // If the file ends incomplete, messages may be under way that no other rank receives, and the next file
  // uses the same channel.
  const bool shared = core_.transfer.channel().lease().shared;
  const bool recovers = news.channel_failed ? closing || shared : closing && !shared && news.incomplete;
  Status status = agreed;
  if (recovers) {
    core_.transfer.end_background();
    status = first_failure(
        status, core_.setting.system().channels().recover(core_.transfer.channel(), exchange::Loss::some));
  }
  if (news.other_definitions) return parts_.steps.explain(mine.definitions.value);
  if (news.other_puts && is_explained(status.code()))
    return core_.calls.puts().explain(comm, core_.contents.schema().variables());
  if (!news.other_order || !(harmless(status.code()) || status.code() == Code::aborted)) return status;
  return comm::agree_equal(comm, Status(), mine.order.value,
                           "files, in this order, to puts and gets of files that share staging");
}

// The file stays open for writing, and all ranks have the state that is now in storage.
Status SyncPoint::take_over(const News& news) {
  (void)parts_.library_reads.close();  // the reader has earlier metadata
  if (news.relocated)
    SCORPIO_TRY(core_.contents.share(core_.setting.comm(), core_.setting.system().metadata_rank()));
  (void)core_.calls.note(guarded([&] {
    core_.contents.schema().clear_pending();
    core_.contents.layout().raise(news.end_of_allocation.value);
    if (core_.setting.options().choice(Option::file_name) == "sync")
      core_.transfer.take_name(core_.contents.path());
    return Status();
  }));
  return {};
}

// Some rank has requests that no wait has carried out. They are carried out here, and the synchronisation
// point starts again without any. A wait with gets would return a put that all ranks left out as a failure of
// its own, by which the file would be lost.
Status SyncPoint::carry_out_requests(bool closing) {
  Outcomes::Earlier earlier = core_.calls.outcomes().take();
  const Status refused = std::exchange(earlier.refused, Status());
  core_.calls.outcomes().put_back(std::move(earlier));
  std::map<int64_t, Code> outcomes;
  (void)core_.calls.note(parts_.requests.wait(nullptr, outcomes));
  if (!refused.ok()) core_.calls.outcomes().refuse(refused);
  (void)parts_.requests.cancel(nullptr);  // requests of a lost file are not carried out
  return synchronise(closing);
}

Status SyncPoint::sync() {
  const observe::Timer timer(core_.setting.system().records().counters.time_close_ns, observe::Activity::end);
  SCORPIO_TRY(core_.calls.state().finished());
  SCORPIO_TRY(parts_.define_mode.ready_for_data());
  return synchronise(false);
}

// The file may have been defined further since the sync was posted.
Status SyncPoint::complete() {
  const observe::Timer timer(core_.setting.system().records().counters.time_close_ns, observe::Activity::end);
  SCORPIO_TRY(parts_.define_mode.ready_for_data());
  return synchronise(false, Pending::left);
}

// The ranks have made different calls, so each of them releases its own resources. An incomplete new file is
// removed.
Status SyncPoint::close_alone() {
  if (core_.metadata != nullptr) (void)core_.metadata->close(false);
  core_.transfer.channel().now().abandon();
  return core_.setting.comm().parted();
}

Status SyncPoint::close() {
  const auto scope = core_.setting.counted();
  const observe::Timer timer(core_.setting.system().records().counters.time_close_ns, observe::Activity::end);
  core_.calls.enter("scorpio_file_close");
  (void)guarded([&] { return parts_.library_reads.close(); });
  (void)core_.calls.note(guarded([&] { return parts_.library_client.close_mirrors(); }));
  // A file whose definitions have no valid layout is not completed. After a posted close the layout is
  // complete, and belongs to the worker that gives addresses to chunks.
  FileState& state = core_.calls.state();
  if (state.finished().ok() && state.lost().ok() && !commit_.places_chunks())
    state.lose(guarded([&] { return parts_.define_mode.ready_for_data(); }));
  Status status = synchronise(true);
  if (!core_.setting.comm().parted().ok()) status = close_alone();
  core_.metadata.reset();
  (void)guarded([&] { return core_.transfer.data().close(); });
  core_.take_meanwhile();
  core_.close_channel();
  core_.setting.system().records().accounts.closed(core_.setting.account());
  return status;
}

// Between nodes rounds need calls, in which I/O ranks tell each other their bytes.
bool SyncPoint::written() const {
  const bool placed = core_.setting.system().nodes().nodes() > 1 || !core_.transfer.rounds().under_way();
  return core_.transfer.channel().now().written() && commit_.idle() && placed;
}

// Between nodes chunks get their places in later calls.
bool SyncPoint::all_written() const {
  const System& system = core_.setting.system();
  if (system.nodes().nodes() > 1 && PostedChunks::wanted(core_)) return false;
  return system.sees_all_io_ranks() && written();
}

// The result is the same on all ranks. A posted close or sync is not possible for a file that shares its
// channel, because it would delay the other files, nor for an eager file, which must be complete when the
// application releases its HDF5 id.
bool SyncPoint::may_be_posted(Option option) const {
  const Options& options = core_.setting.options();
  return options.choice(option) == "post" && options.boolean(Option::asynchronous) &&
         core_.calls.state().writable() && !core_.setting.eager() && !core_.transfer.channel().lease().shared;
}

// The conditions that prevent a posted close or sync.
struct SyncPoint::Parting {
  comm::Any to_tell;  // a rank has a failure other than clipped values, or pending requests
  comm::Any unwritten;
  comm::Same definitions;
  comm::Same puts;
  auto fields() { return std::tie(to_tell, unwritten, definitions, puts); }
};

// After written(): whether workers have to make the metadata, or the data durable, of this sync.
bool SyncPoint::leaves_work() const {
  if (!commit_.serves_syncs()) return false;
  return changes_metadata() ||
         (core_.setting.options().boolean(Option::durable) && core_.calls.state().put_since_sync());
}

// Passes all data to the I/O phase and determines in one reduction whether the ranks have failures to return.
std::optional<Status> SyncPoint::part(Parting& all) {
  const FileState& state = core_.calls.state();
  exchange::FileChannel& channel = core_.transfer.channel();
  if (!channel.failed()) (void)core_.calls.note(channel.now().deliver());
  Outcomes::Earlier earlier = core_.calls.outcomes().take();
  const Code own = earlier.failed.code();
  const bool good = state.lost().ok() && harmless(own) && earlier.refused.ok();
  all.to_tell = {!good || channel.failed() || channel.write_failed() || !parts_.requests.pending().empty()};
  all.unwritten = {!written() || leaves_work()};
  all.definitions = {core_.contents.schema().hash()};
  all.puts = {core_.calls.puts().hash()};
  const Status agreed = comm::agree(core_.setting.comm(), harmless(own) ? earlier.failed : Status(), all);
  if (harmless(agreed.code()) && !all.to_tell && !all.definitions.differs && !all.puts.differs) return agreed;
  core_.calls.outcomes().put_back(std::move(earlier));
  return std::nullopt;
}

std::optional<Status> SyncPoint::post_close() {
  if (!may_be_posted(Option::close)) return std::nullopt;
  const auto scope = core_.setting.counted();
  const observe::Timer timer(core_.setting.system().records().counters.time_close_ns, observe::Activity::end);
  core_.calls.enter("scorpio_file_close");
  FileState& state = core_.calls.state();
  if (state.lost().ok()) state.lose(guarded([&] { return parts_.define_mode.ready_for_data(); }));
  Parting all;
  const std::optional<Status> posted = part(all);
  if (posted) commit_.begin(Commit::Naming::last);
  return posted;
}

// A worker of the metadata rank may give the file its name at any time from now on, and an I/O rank that has
// no data yet would not find it by the temporary one.
void SyncPoint::open_before_naming() {
  if (!core_.transfer.temporary() || core_.setting.system().my_owner() < 0) return;
  if (naming_of_sync() == Commit::Naming::now) (void)core_.calls.note(core_.transfer.data().share().status());
}

std::optional<Status> SyncPoint::post_sync() {
  if (!may_be_posted(Option::sync)) return std::nullopt;
  const observe::Timer timer(core_.setting.system().records().counters.time_close_ns, observe::Activity::end);
  if (!core_.calls.state().lost().ok() || !parts_.define_mode.ready_for_data().ok()) return std::nullopt;
  if (commit_.serves_syncs()) open_before_naming();
  Parting all;
  std::optional<Status> posted = part(all);
  if (!posted) return std::nullopt;
  if (!all.unwritten) {
    (void)core_.calls.note(*posted);
    return std::nullopt;
  }
  core_.calls.puts().start_again();
  core_.transfer.rounds().end();
  commit_.begin(naming_of_sync());
  return posted;
}

}  // namespace scorpio::session
