// Sync points: all ranks learn one outcome, and the metadata rank makes the file valid.
#include <array>

#include "base/hash.h"
#include "comm/agree.h"
#include "model/schema_describe.h"
#include "session/file.h"

namespace scorpio::session {

// This rank's outcome since the last sync point, with its data in the file.
Status File::own_state() {
  if (!channel_->failed()) (void)note(channel_->flush());
  Status own = std::exchange(pending_, Status());
  if (channel_->was_lost() && harmless(own.code())) {
    return first_failure(
        std::exchange(refused_, Status()),
        failure(Code::aborted,
                "data put since the last sync point are lost: another rank could not take part{}",
                channel_->lease().shared ? " in a call on this file, or on one that shares staging with it"
                                         : ""));
  }
  if (!writable_ || !finished_.ok() || !harmless(own.code())) return own;
  // Also where the file stays open: it must not get its name, nor metadata that speak of these bytes, before
  // a file system that holds writes back until a close has told what became of them.
  Status kept = options_.boolean(Option::durable) ? data_file_.sync() : Status();
  if (kept.ok()) kept = data_file_.check_close();
  return kept.ok() ? own : kept;
}

// Some rank made other definitions: a rank whose definition failed says so, else the lowest that differs from
// rank 0.
Status File::explain_definitions(uint64_t hash) {
  const comm::Communicator& comm = system_.comm();
  // What failed on all ranks alike made no difference.
  const uint64_t text = fnv1a(definition_error_.text());
  std::array<uint64_t, 2> bounds{text, ~text};
  const Status failed = comm::agree(comm, definition_error_, bounds);
  if (!failed.ok() && bounds[0] != ~bounds[1]) return failed;
  return comm::agree_equal(comm, Status(), hash, k_definitions, {},
                           [this] { return model::describe(schema_); });
}

// On the metadata rank. `everywhere`: what the ranks' data calls came to.
Status File::metadata_work(const Status& everywhere, bool closing) {
  if (metadata_ == nullptr) return {};
  const bool good = everywhere.ok() && broken_.ok();
  Status status;
  if (writable_ && good) {
    using Naming = MetadataOwner::Naming;
    const Naming synced = options_.choice(Option::file_name) == "sync" ? Naming::now : Naming::later;
    status = metadata_->commit(schema_, layout_->end_of_data(schema_), closing ? Naming::last : synced);
  }
  if (closing) status = first_failure(status, metadata_->close(good && status.ok()));
  return status;
}

Status File::settle(bool closing) {
  const comm::Communicator& comm = system_.comm();
  SCORPIO_TRY(comm.parted());
  const Status own = own_state();
  const Status refused = std::exchange(refused_, Status());
  const Status closed = closing && metadata_ == nullptr ? data_file_.close() : Status();
  const bool complete = harmless(own.code()) && closed.ok();
  // First the metadata rank learns whether all data are in the file and all calls the same, ...
  const uint64_t hash = schema_.hash();
  const uint64_t order = channel_->calls_so_far();
  std::array<uint64_t, 9> facts{complete ? 0u : 1u,
                                hash,
                                ~hash,
                                puts_.hash(),
                                ~puts_.hash(),
                                requests_.empty() ? 0u : 1u,
                                order,
                                ~order,
                                channel_->failed() ? 1u : 0u};
  SCORPIO_TRY(comm.max_at(facts, system_.metadata_rank()));
  const bool other_definitions = metadata_ != nullptr && facts[1] != ~facts[2];
  const bool other_calls = metadata_ != nullptr && facts[3] != ~facts[4];
  // Where ranks put files that share staging in different orders their bytes are in the wrong files.
  const bool other_order = metadata_ != nullptr && facts[6] != ~facts[7] && facts[8] == 0;
  const bool failed = facts[0] != 0 || other_definitions || other_calls || other_order;
  const Status everywhere = failed ? failure(Code::aborted, "another rank failed") : Status();
  const bool posts_first = facts[5] != 0 && metadata_ != nullptr;
  const Status made = posts_first ? Status() : metadata_work(everywhere, closing);
  // ... then all ranks learn how it ended.
  std::array<uint64_t, 8> news{
      other_definitions ? 1u : 0u,
      other_calls ? 1u : 0u,
      complete && made.ok() && !failed ? 0u : 1u,
      metadata_ != nullptr && !closing ? metadata_->library().end_of_allocation() : 0,
      metadata_ != nullptr && metadata_->take_relocated() ? 1u : 0u,
      channel_->failed() ? 1u : 0u,
      posts_first ? 1u : 0u,
      other_order ? 1u : 0u};
  const Status lighter = first_failure(first_failure(closed, made), first_failure(refused, own));
  Status agreed = comm::agree(comm, harmless(own.code()) ? lighter : own, news);
  if (news[6] != 0) {
    pending_ = own;
    refused_ = refused;
    return settle_posts(closing);
  }
  const bool recovers = news[5] != 0 && (closing || channel_->lease().shared);
  if (recovers || news[7] != 0)
    agreed = first_failure(agreed, system_.recover(*channel_, exchange::Loss::some));
  if (news[0] != 0) {
    agreed = explain_definitions(hash);
  } else if (news[1] != 0 && is_explained(agreed.code())) {
    agreed = puts_.explain(comm, schema_);
  } else if (news[7] != 0 && (harmless(agreed.code()) || agreed.code() == Code::aborted)) {
    agreed = comm::agree_equal(comm, Status(), order,
                               "files, in this order, to puts and gets of files that share staging");
  }
  if (news[2] != 0) broken_ = first_failure(broken_, agreed);
  SCORPIO_TRY(broken_);
  definition_error_ = {};
  unsettled_ = false;
  puts_.start_again();
  channel_->settled();
  if (writable_ && !closing) {
    (void)close_library_reader();                   // it holds metadata of before
    if (news[4] != 0) SCORPIO_TRY(share_schema());  // the library placed a variable elsewhere
    schema_.mark_committed();
    layout_->raise(news[3]);
    if (options_.choice(Option::file_name) == "sync") data_file_.set_path(path_);
  }
  return agreed;
}

// Some rank has requests that nobody waited for: they are carried out, and then it is as if there had been
// none.
Status File::settle_posts(bool closing) {
  std::map<int64_t, Code> outcomes;
  (void)note(wait(nullptr, outcomes));
  (void)cancel(nullptr);  // a file that is lost already carries out nothing
  return settle(closing);
}

Status File::sync() {
  const auto scope = counted(observe::FileCall::sync);
  enter("scorpio_file_sync");
  return synced();
}

Status File::synced() {
  const observe::Timer timer(system_.counters().time_close_ns);
  SCORPIO_TRY(finished_);
  SCORPIO_TRY(ready_for_data());
  return settle(false);
}

// The ranks have been in different calls: this one frees what it holds. A new file that is not complete goes.
Status File::close_alone() {
  if (metadata_ != nullptr) (void)metadata_->close(false);
  channel_->abandon();
  return system_.comm().parted();
}

Status File::close() {
  const auto scope = counted();
  const observe::Timer timer(system_.counters().time_close_ns);
  enter("scorpio_file_close");
  (void)close_library_reader();
  (void)note(mirrors_.close());
  // A file whose definitions cannot be laid out is not completed.
  if (finished_.ok() && broken_.ok()) broken_ = ready_for_data();
  Status status = settle(true);
  if (!system_.comm().parted().ok()) status = close_alone();
  metadata_.reset();
  (void)data_file_.close();
  system_.close_channel(std::move(channel_));
  system_.accounts().closed(account_);
  return status;
}

}  // namespace scorpio::session
