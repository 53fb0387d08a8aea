#include "session/definitions/define_mode.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "comm/agree.h"
#include "model/schema_describe.h"
#include "storage/atomic_commit.h"
#include "transfer/rearrange.h"

namespace scorpio::session {

Status DefineMode::ready_for_requests() {
  core_.calls.enter(k_wait);
  return ready_for_data();
}

Status DefineMode::ready_for_data() {
  if (core_.calls.state().defining()) SCORPIO_TRY(ended());
  format::ChunkLayout* const chunks = core_.contents.layout().chunks();
  if (chunks != nullptr) {
    SCORPIO_TRY(arena_.place_waiting());
    chunks->before_data(core_.contents.schema(),
                        [this](const model::Variable& variable) { return fills_.fill_value(variable); });
  }
  follow();
  if (chunks != nullptr) arena_.use();
  fills_.before_data();
  return {};
}

void DefineMode::follow() {
  const int variables = core_.contents.schema().variables().count();
  if (followed_ >= variables) return;
  core_.transfer.data().follow();
  if (core_.contents.layout().chunks() != nullptr) encoder_notes_.add_from(followed_);
  followed_ = variables;
}

Status DefineMode::end() {
  const auto scope = core_.setting.counted();
  SCORPIO_TRY(core_.calls.check(FileState::Event::end_definitions));
  if (!core_.contents.layout().traits().define_mode) return {};
  core_.calls.enter("scorpio_define_end");
  return ended();
}

// A file that is lost may have its variables neither where they were nor where they should be.
Status DefineMode::ended() {
  SCORPIO_TRY(core_.calls.state().lost());
  if (!core_.transfer.channel().failed())
    (void)core_.calls.note(
        core_.transfer.channel().flush());  // data that may have to be moved are in the file
  const uint64_t hash = core_.contents.schema().hash();
  format::Rearrangement arrangement;
  const Status placed = guarded([&]() -> Status {
    SCORPIO_ASSIGN(arrangement, core_.contents.layout().end_definitions(core_.contents.schema()));
    return {};
  });
  const Status agreed = comm::agree_equal(core_.setting.comm(), placed, hash, k_definitions, {},
                                          [this] { return model::describe(core_.contents.schema()); });
  if (agreed.code() == Code::mismatch) {
    core_.calls.state().lose(steps_.explain(hash));
    return core_.calls.state().lost();
  }
  SCORPIO_TRY(agreed);
  if (arrangement.needed) {
    const Status moved = rearrange(arrangement);
    core_.calls.state().lose(moved);
    SCORPIO_TRY(moved);
  }
  core_.calls.state().happened(FileState::Event::end_definitions);
  core_.calls.outcomes().definitions_agreed();
  fills_.fill_new_variables();
  return {};
}

// The file with the new layout is written under a temporary name and takes the final name when it is
// complete. If the job is killed before, the old file remains.
Status DefineMode::rearrange(const format::Rearrangement& arrangement) {
  const comm::Group& comm = core_.setting.comm();
  Status own;
  std::vector<std::byte> path;  // the resolved path of the file, if the user's is a symbolic link
  if (core_.metadata != nullptr) {
    own = guarded([&]() -> Status {
      SCORPIO_TRY(core_.metadata->begin_copy(transfer::named_bytes(arrangement.shifts)));
      const auto bytes = std::as_bytes(std::span(core_.metadata->container().current_path()));
      path.assign(bytes.begin(), bytes.end());
      return {};
    });
  }
  SCORPIO_TRY(comm::agree(comm, own));
  SCORPIO_TRY(comm.broadcast(path, core_.setting.system().metadata_rank()));
  own = guarded([&] {
    return copy_share(arrangement,
                      storage::temporary_name({reinterpret_cast<const char*>(path.data()), path.size()}));
  });
  Status copied = comm::agree(comm, own);
  if (core_.metadata != nullptr) {
    if (copied.ok()) copied = core_.metadata->finish_copy(core_.contents.schema(), core_.contents.layout());
    if (!copied.ok()) core_.metadata->abandon_copy();
  }
  SCORPIO_TRY(comm::agree(comm, copied));
  (void)core_.transfer.data().close();  // closes the old file
  if (core_.metadata != nullptr) core_.transfer.data().adopt(core_.metadata->container());
  core_.contents.schema().clear_pending();
  return {};
}

Status DefineMode::copy_share(const format::Rearrangement& arrangement, const std::string& to) {
  const int mine = core_.setting.system().my_owner();
  if (mine < 0) return {};
  SCORPIO_ASSIGN(const auto from, core_.transfer.data().share());
  SCORPIO_ASSIGN(const auto target,
                 core_.setting.system().store().open(to, storage::OpenMode::made_elsewhere));
  const transfer::CopyShare share{mine, static_cast<int>(core_.setting.system().io_ranks().size()),
                                  core_.transfer.domains().rule().unit_bytes};
  Status copied = transfer::copy_shifts(*from, *target, arrangement.shifts, share);
  // A rank of another node cannot do it: its file system may not know what this node has not written yet.
  if (copied.ok() && core_.setting.options().boolean(Option::durable)) copied = target->sync();
  return first_failure(copied, target->close());
}

}  // namespace scorpio::session
