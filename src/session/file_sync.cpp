// Sync points: all ranks learn one outcome, and the metadata rank makes the file valid.
#include "base/hash.h"
#include "comm/ballot.h"
#include "model/schema_describe.h"
#include "session/file.h"

namespace scorpio::session {

// This rank's outcome since the last sync point, with its data in the file.
Status File::own_state(Outcomes::Earlier& earlier) {
  if (!channel_->failed()) (void)note(channel_->flush());
  earlier = outcomes_.take();
  const Status& own = earlier.failed;
  if (channel_->was_lost() && harmless(own.code())) {
    return first_failure(
        std::exchange(earlier.refused, Status()),
        failure(Code::aborted,
                "data put since the last sync point are lost: another rank could not take part{}",
                channel_->lease().shared ? " in a call on this file, or on one that shares staging with it"
                                         : ""));
  }
  if (!state_.writable() || !state_.finished().ok() || !harmless(own.code())) return own;
  // Also where the file stays open: it must not get its name, nor metadata that speak of these bytes, before
  // a file system that holds writes back until a close has told what became of them.
  Status kept = options_.boolean(Option::durable) ? data_->sync() : Status();
  if (kept.ok()) kept = data_->check_close();
  return kept.ok() ? own : kept;
}

namespace {

struct FailedDefinition {
  comm::Same text;
  auto fields() { return std::tie(text); }
};

}  // namespace

// What the metadata rank must know before it makes the file valid.
struct File::Brought {
  comm::Any incomplete;  // some data are not in the file
  comm::Same definitions;
  comm::Same puts;
  comm::Any posts;   // requests that nobody has waited for
  comm::Same order;  // of calls on files that share staging
  comm::Any channel_failed;
  auto fields() { return std::tie(incomplete, definitions, puts, posts, order, channel_failed); }
};

// What became of it there; nothing on the other ranks, but for the first and the last.
struct File::News {
  comm::Any incomplete;
  comm::Any other_definitions;
  comm::Any other_puts;
  comm::Any other_order;
  comm::Any posts_first;  // nothing was done yet
  comm::Any relocated;    // the library placed a variable elsewhere
  comm::Most end_of_allocation;
  comm::Any channel_failed;
  auto fields() {
    return std::tie(incomplete, other_definitions, other_puts, other_order, posts_first, relocated,
                    end_of_allocation, channel_failed);
  }
};

// Some rank made other definitions: a rank whose definition failed says so, else the lowest that differs from
// rank 0.
Status File::explain_definitions(uint64_t hash) {
  const comm::Group& comm = system_.comm();
  // What failed on all ranks alike made no difference.
  FailedDefinition definition{{.value = fnv1a(outcomes_.failed_definition().text())}};
  const Status failed = comm::agree(comm, outcomes_.failed_definition(), definition);
  if (!failed.ok() && definition.text.differs) return failed;
  return comm::agree_equal(comm, Status(), hash, k_definitions, {},
                           [this] { return model::describe(schema_); });
}

// On the metadata rank. `everywhere`: what the ranks' data calls came to.
Status File::metadata_work(const Status& everywhere, bool closing) {
  if (metadata_ == nullptr) return {};
  const bool good = everywhere.ok() && state_.lost().ok();
  Status status;
  if (state_.writable() && good) {
    using Naming = MetadataOwner::Naming;
    const Naming synced = options_.choice(Option::file_name) == "sync" ? Naming::now : Naming::later;
    status = metadata_->commit(schema_, *layout_, closing ? Naming::last : synced);
  }
  if (closing) status = first_failure(status, metadata_->close(good && status.ok()));
  return status;
}

// On the metadata rank, which knows what all ranks brought: makes the file valid, or tells what stands
// against it.
Status File::conclude(const Brought& all, bool closing, News& news) {
  // Where ranks put files that share staging in different orders their bytes are in the wrong files.
  const bool other_order = all.order.differs && !all.channel_failed;
  const bool failed = all.incomplete || all.definitions.differs || all.puts.differs || other_order;
  const Status everywhere = failed ? failure(Code::aborted, "another rank failed") : Status();
  const Status made = all.posts ? Status() : metadata_work(everywhere, closing);
  news.incomplete = {failed || !made.ok()};
  news.other_definitions = {all.definitions.differs};
  news.other_puts = {all.puts.differs};
  news.other_order = {other_order};
  news.posts_first = all.posts;
  news.relocated = {metadata_->take_relocated()};
  if (!closing) news.end_of_allocation = {metadata_->library().end_of_allocation()};
  return made;
}

Status File::settle(bool closing) {
  const comm::Group& comm = system_.comm();
  SCORPIO_TRY(comm.parted());
  Outcomes::Earlier earlier;
  const Status own = own_state(earlier);
  const Status closed = closing && metadata_ == nullptr ? data_->close() : Status();
  const bool complete = harmless(own.code()) && closed.ok();
  // First the metadata rank learns whether all data are in the file and all calls the same, ...
  const uint64_t hash = schema_.hash();
  const uint64_t order = channel_->calls_so_far();
  Brought all{.incomplete = {!complete},
              .definitions = {hash},
              .puts = {puts_.hash()},
              .posts = {!requests_.empty()},
              .order = {order},
              .channel_failed = {channel_->failed()}};
  SCORPIO_TRY(comm::collect_at(comm, system_.metadata_rank(), all));
  News news;
  news.incomplete = {!complete};
  news.channel_failed = {channel_->failed()};
  Status made;
  if (metadata_ != nullptr) made = conclude(all, closing, news);
  // ... then all ranks learn how it ended.
  const Status lighter = first_failure(first_failure(closed, made), first_failure(earlier.refused, own));
  Status agreed = comm::agree(comm, harmless(own.code()) ? lighter : own, news);
  if (news.posts_first) {
    outcomes_.put_back({own, earlier.refused});
    return settle_posts(closing);
  }
  const bool recovers = news.channel_failed && (closing || channel_->lease().shared);
  if (recovers || news.other_order)
    agreed = first_failure(agreed, system_.recover(*channel_, exchange::Loss::some));
  if (news.other_definitions) {
    agreed = explain_definitions(hash);
  } else if (news.other_puts && is_explained(agreed.code())) {
    agreed = puts_.explain(comm, schema_);
  } else if (news.other_order && (harmless(agreed.code()) || agreed.code() == Code::aborted)) {
    agreed = comm::agree_equal(comm, Status(), order,
                               "files, in this order, to puts and gets of files that share staging");
  }
  if (news.incomplete) state_.lose(agreed);
  SCORPIO_TRY(state_.lost());
  outcomes_.definitions_agreed();
  state_.happened(FileState::Event::sync);
  puts_.start_again();
  channel_->settled();
  if (state_.writable() && !closing) {
    (void)close_library_reader();                     // it holds metadata of before
    if (news.relocated) SCORPIO_TRY(share_schema());  // the library placed a variable elsewhere
    schema_.settle();
    layout_->raise(news.end_of_allocation.value);
    if (options_.choice(Option::file_name) == "sync") data_->set_path(path_);
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
  SCORPIO_TRY(state_.finished());
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
  if (state_.finished().ok() && state_.lost().ok()) state_.lose(ready_for_data());
  Status status = settle(true);
  if (!system_.comm().parted().ok()) status = close_alone();
  metadata_.reset();
  (void)data_->close();
  system_.close_channel(std::move(channel_));
  system_.accounts().closed(account_);
  return status;
}

}  // namespace scorpio::session
