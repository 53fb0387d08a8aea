#include "session/calls/posted_commit.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "base/guarded.h"
#include "comm/deadline.h"
#include "observe/counters_here.h"

namespace scorpio::session {

namespace {

// What is written has its place before: no index is made of it when all is written.
bool all_have_addresses(const Core& core) {
  if (PostedChunks::wanted(core)) return false;
  const std::set<int>& by_library = core.contents.layout().placements().by_library();
  return std::ranges::none_of(
      by_library, [&](int variable) { return core.contents.schema().variables().alive(variable); });
}

bool several_nodes(const Core& core) { return core.setting.system().nodes().nodes() > 1; }

}  // namespace

bool PostedCommit::serves_syncs() const {
  return !several_nodes(core_) && core_.contents.format().capabilities().flushes_in_any_thread;
}

// Each I/O rank says that its data are written; for one that cannot, a later call completes the file.
void PostedCommit::begin(Commit::Naming naming) {
  const bool closing = naming == Commit::Naming::last;
  if (closing && PostedChunks::possible(core_)) {
    end();
    places_ = true;
  }
  if (core_.setting.system().my_owner() < 0) return;
  if (!closing && !serves_syncs()) return;
  ++begun_;
  async::Executor* worker = core_.setting.system().worker();
  const bool able = worker != nullptr && (places_ || all_have_addresses(core_));
  const Status begun = guarded([&] {
    if (!able) return Status();
    if (places_) {
      SCORPIO_TRY(core_.transfer.chunks()->leave_library());
    } else {
      prepare(naming);
    }
    Slots slots = core_.transfer.channel().now().delivered_here();
    {
      const MutexLock lock(mutex_);
      slots_ = std::move(slots);
      wanted_ = begun_;
    }
    worker_ = again_ = worker;
    worker->attend(*this);
    return Status();
  });
  if (!able || !begun.ok()) core_.transfer.channel().now().announcements().tell_complete(begun_, false);
}

// The worker is not to wait meanwhile: it does nothing with metadata that are not prepared.
void PostedCommit::prepare(Commit::Naming naming) {
  Commit* commit = core_.commit();
  if (commit == nullptr) return;
  {
    const MutexLock lock(mutex_);
    if (writing_) return;  // a later call writes the present ones
    end_image();
    prepared_ = 0;
  }
  const bool ahead = several_nodes(core_);
  if (ahead && !commit->is_hidden(naming)) return;
  if (!commit->prepare(core_.contents.schema(), core_.contents.layout(), naming)) return;
  const MutexLock lock(mutex_);
  prepared_ = begun_;
  ahead_ = ahead;
  auto& backlog = core_.setting.system().records().backlog;
  if (!backlog) return;
  image_bytes_ = commit->prepared_bytes();
  backlog->add_image(image_bytes_);
}

void PostedCommit::end() {
  if (worker_ == nullptr) return;
  std::exchange(worker_, nullptr)->withdraw(*this);
  const MutexLock lock(mutex_);
  // No other worker is to wait for this one.
  if (places_ && wanted_ != told_)
    core_.transfer.channel().now().announcements().tell_complete(wanted_, false);
  wanted_ = told_;
  prepared_ = 0;
  end_image();
}

// A channel in which ranks have made different calls may never be written.
void PostedCommit::finish_data() {
  if (worker_ == nullptr) return;
  constexpr std::chrono::milliseconds k_look_again{10};
  const MutexLock lock(mutex_);
  waited_for_ = true;
  const comm::Deadline deadline(core_.transfer.channel().now().longest_wait());
  while (wanted_ != told_ && !core_.transfer.channel().failed()) {
    told_more_.wait_for(mutex_, k_look_again);
    deadline.check();
  }
}

bool PostedCommit::wants_index() const {
  if (!places_ || has_index_ || worker_ == nullptr) return false;
  const MutexLock lock(mutex_);
  return wanted_ == told_ &&
         core_.transfer.channel().now().announcements().all_complete(begun_).value_or(false);
}

void PostedCommit::begin_metadata(bool good) {
  has_index_ = true;
  if (!good || worker_ == nullptr) return;
  (void)core_.calls.note(guarded([&] {
    prepare(Commit::Naming::last);
    worker_->attend(*this);
    return Status();
  }));
}

bool PostedCommit::idle() const {
  const MutexLock lock(mutex_);
  return wanted_ == told_ && prepared_ == 0;
}

bool PostedCommit::made() const {
  const MutexLock lock(mutex_);
  return begun_ > 0 && made_ == begun_;
}

void PostedCommit::end_image() {
  if (image_bytes_ > 0)
    core_.setting.system().records().backlog->remove_image(std::exchange(image_bytes_, 0));
}

void PostedCommit::run() noexcept {
  if (idle()) return;
  observe::Counters worked;
  Status advanced;
  {
    const observe::CountHere here(worked);
    const observe::TraceFile file(core_.setting.number());
    advanced = guarded([&] {
      advance(worked);
      return Status();
    });
  }
  core_.transfer.channel().add_worked(worked);
  if (advanced.ok()) return;
  const MutexLock lock(mutex_);
  if (wanted_ != told_) {
    if (places_) core_.transfer.channel().note(std::move(advanced));  // some chunks may be lost
    core_.transfer.channel().now().announcements().tell_complete(wanted_, false);
  }
  told_ = wanted_;
  prepared_ = 0;
  writing_ = false;
  told_more_.notify_all();
}

// An operating system tells a failure once: it is kept for the close, which tells it. A call that was made
// since the sync may have returned it by now.
bool PostedCommit::keep_data() const {
  Status kept = core_.setting.options().boolean(Option::durable) ? core_.transfer.data().sync() : Status();
  if (kept.ok()) kept = core_.transfer.data().check_close();
  core_.transfer.channel().note(std::move(kept));
  return !core_.transfer.channel().ever_failed();
}

void PostedCommit::advance(observe::Counters& worked) {
  write_data(worked);
  write_metadata(worked);
}

// A later begin() may replace what is wanted at any time.
void PostedCommit::write_data(observe::Counters& worked) {
  uint64_t wanted = 0;
  bool whole = false;
  {
    const MutexLock lock(mutex_);
    if (wanted_ == told_ || !core_.transfer.channel().now().written(slots_)) return;
    wanted = wanted_;
    whole = waited_for_;
  }
  {
    const observe::Timer timer(worked.time_io_ns, observe::Activity::write);
    const std::optional<bool> kept = places_ ? place_and_keep(wanted, whole) : keep_data();
    if (!kept) return;
    core_.transfer.channel().now().announcements().tell_complete(wanted, *kept);
  }
  const MutexLock lock(mutex_);
  told_ = wanted;
  told_more_.notify_all();
}

// Nothing: the worker of another I/O rank, or other work of this one, comes before the rest.
std::optional<bool> PostedCommit::place_and_keep(uint64_t wanted, bool whole) {
  if (core_.transfer.channel().ever_failed()) return false;
  const auto step = chunks_.advance(wanted, whole);
  if (!step.ok()) {
    core_.transfer.channel().note(step.status());
    return false;
  }
  if (*step == PostedChunks::Step::part) again_->resume(*this);
  if (*step == PostedChunks::Step::part || *step == PostedChunks::Step::waits) return std::nullopt;
  return *step == PostedChunks::Step::placed && keep_data();
}

void PostedCommit::write_metadata(observe::Counters& worked) {
  bool good = false, ahead = false;
  uint64_t bytes = 0;
  {
    const MutexLock lock(mutex_);
    if (prepared_ == 0) return;
    ahead = ahead_;
    if (ahead) {
      if (told_ < prepared_) return;
      good = true;
    } else {
      const std::optional<bool> complete =
          core_.transfer.channel().now().announcements().all_complete(prepared_);
      if (!complete) return;
      good = *complete;
    }
    writing_ = true;
    bytes = image_bytes_;
  }
  if (bytes > 0) core_.setting.system().records().backlog->sample();
  if (good) {
    const uint64_t to_write = core_.commit()->keeps_changes() ? bytes : 0;
    const observe::Timer timer(worked.time_metadata_ns, observe::Activity::metadata, to_write);
    if (ahead) {
      core_.commit()->write_ahead();
    } else {
      core_.commit()->carry_out();
    }
  }
  const MutexLock lock(mutex_);
  if (good && core_.commit()->is_carried_out()) made_ = prepared_;
  writing_ = false;
  prepared_ = 0;
  end_image();
}

}  // namespace scorpio::session
