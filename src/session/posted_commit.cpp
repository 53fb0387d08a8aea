#include "session/posted_commit.h"

#include <utility>

#include "base/guarded.h"
#include "observe/counters_here.h"

namespace scorpio::session {

namespace {

// What is written has its place before: no index is made of it when all is written.
bool all_have_addresses(const Core& core) {
  for (int i = 0; i < core.schema().variable_count(); ++i) {
    if (!core.schema().alive(i)) continue;
    const format::Placement& placement = core.placement(i);
    if (placement.is_by_library() || placement.chunks() != nullptr) return false;
  }
  return true;
}

}  // namespace

// Each I/O rank says that its data are written: one without a worker cannot, and a later call completes the
// file.
std::unique_ptr<PostedCommit> PostedCommit::begin(Core& core) {
  if (core.system().nodes().nodes() > 1 || core.system().my_owner() < 0) return nullptr;
  async::Executor* worker = core.system().worker();
  if (worker == nullptr || !all_have_addresses(core)) {
    core.channel().tell_complete(false);
    return nullptr;
  }
  const auto scope = core.counted();
  MetadataOwner* metadata = core.metadata();
  if (metadata != nullptr && !metadata->prepare(core.schema(), core.layout())) metadata = nullptr;
  std::unique_ptr<PostedCommit> commit(new PostedCommit(core, *worker, metadata));
  worker->attend(*commit);
  return commit;
}

PostedCommit::PostedCommit(Core& core, async::Executor& worker, MetadataOwner* metadata)
    : core_(core), worker_(worker), metadata_(metadata) {
  observe::Backlog* backlog = core.system().backlog();
  if (backlog == nullptr || metadata == nullptr) return;
  image_bytes_ = metadata->prepared_bytes();
  backlog->add_image(image_bytes_);
}

void PostedCommit::end_image() {
  if (image_bytes_ > 0) core_.system().backlog()->remove_image(std::exchange(image_bytes_, 0));
}

void PostedCommit::run() noexcept {
  if (done_) return;
  observe::Counters worked;
  {
    const observe::CountHere here(worked);
    const observe::TraceFile file(core_.number());
    (void)guarded([&] {
      advance(worked);
      return Status();
    });
  }
  core_.channel().add_worked(worked);
}

// An operating system tells a failure once: it is kept for the close, which tells it.
bool PostedCommit::keep_data() const {
  Status kept = core_.options().boolean(Option::durable) ? core_.data().sync() : Status();
  if (kept.ok()) kept = core_.data().check_close();
  core_.channel().note(std::move(kept));
  return !core_.channel().write_failed();
}

void PostedCommit::advance(observe::Counters& worked) {
  if (!told_) {
    if (!core_.channel().written_here()) return;
    told_ = true;
    const observe::Timer timer(worked.time_io_ns, observe::Activity::write);
    core_.channel().tell_complete(keep_data());
  }
  if (metadata_ != nullptr) {
    const std::optional<bool> complete = core_.channel().all_complete();
    if (!complete) return;
    if (image_bytes_ > 0) core_.system().backlog()->sample();
    if (*complete) {
      const observe::Timer timer(worked.time_metadata_ns, observe::Activity::metadata, image_bytes_);
      metadata_->carry_out();
    }
    end_image();
  }
  done_ = true;
}

}  // namespace scorpio::session
