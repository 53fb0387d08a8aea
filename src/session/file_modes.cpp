// Define mode and data mode of formats whose layout follows from all definitions.
#include <span>

#include "comm/agree.h"
#include "model/schema_describe.h"
#include "session/file.h"
#include "storage/atomic_commit.h"
#include "transfer/rearrange.h"

namespace scorpio::session {

Status File::begin_definitions() {
  SCORPIO_TRY(check(FileState::Event::begin_definitions));
  if (!layout_->has_define_mode()) return {};
  enter("scorpio_define_begin");
  const Status status = synced();
  if (harmless(status.code())) state_.happened(FileState::Event::begin_definitions);
  return status;
}

Status File::ready_for_posts() {
  enter(k_posts);
  return ready_for_data();
}

Status File::ready_for_data() {
  if (state_.defining()) SCORPIO_TRY(definitions_ended());
  moved_from_ = schema_.variable_count();
  fill_new_variables();
  return {};
}

Status File::end_definitions() {
  const auto scope = counted();
  SCORPIO_TRY(check(FileState::Event::end_definitions));
  if (!layout_->has_define_mode()) return {};
  enter("scorpio_define_end");
  return definitions_ended();
}

Status File::definitions_ended() {
  if (!channel_->failed()) (void)note(channel_->flush());  // what may have to move is in the file
  const uint64_t hash = schema_.hash();
  const Result<format::Rearrangement> arrangement = layout_->end_definitions(schema_);
  const Status agreed = comm::agree_equal(system_.comm(), arrangement.status(), hash, k_definitions, {},
                                          [this] { return model::describe(schema_); });
  if (agreed.code() == Code::mismatch) {
    state_.lose(explain_definitions(hash));
    return state_.lost();
  }
  SCORPIO_TRY(agreed);
  if (arrangement->needed) {
    const Status moved = rearrange(*arrangement);
    state_.lose(moved);
    SCORPIO_TRY(moved);
  }
  state_.happened(FileState::Event::end_definitions);
  outcomes_.definitions_agreed();
  fill_new_variables();
  return {};
}

// The file in its new form comes into being beside it and takes its name when it is complete: whoever is
// stopped on the way leaves the old one.
Status File::rearrange(const format::Rearrangement& arrangement) {
  const comm::Group& comm = system_.comm();
  Status own;
  std::vector<std::byte> path;  // of the file itself, where the user's is a symbolic link
  if (metadata_ != nullptr) {
    own = metadata_->begin_copy(transfer::named_bytes(arrangement.shifts));
    const auto bytes = std::as_bytes(std::span(metadata_->container().current_path()));
    path.assign(bytes.begin(), bytes.end());
  }
  SCORPIO_TRY(comm::agree(comm, own));
  SCORPIO_TRY(comm.broadcast(path, system_.metadata_rank()));
  own = copy_share(arrangement,
                   storage::temporary_name({reinterpret_cast<const char*>(path.data()), path.size()}));
  Status copied = comm::agree(comm, own);
  if (metadata_ != nullptr) {
    if (copied.ok()) copied = metadata_->finish_copy(schema_, *layout_);
    if (!copied.ok()) metadata_->abandon_copy();
  }
  SCORPIO_TRY(comm::agree(comm, copied));
  (void)data_->close();  // of the old form, which nobody needs any more
  if (metadata_ != nullptr) data_->adopt(metadata_->container());
  schema_.settle();
  return {};
}

Status File::copy_share(const format::Rearrangement& arrangement, const std::string& to) {
  const int mine = system_.my_owner();
  if (mine < 0) return {};
  SCORPIO_ASSIGN(const auto from, data_->share());
  SCORPIO_ASSIGN(const auto target, system_.store().open(to, storage::OpenMode::read_write));
  const transfer::CopyShare share{mine, static_cast<int>(system_.io_ranks().size()), rule_.region_bytes};
  const Status copied = transfer::copy_shifts(*from, *target, arrangement.shifts, share);
  return first_failure(copied, target->close());
}

}  // namespace scorpio::session
