#include "session/define_mode.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/agree.h"
#include "format/chunk_arena.h"
#include "model/schema_describe.h"
#include "session/encoders.h"
#include "storage/atomic_commit.h"
#include "transfer/rearrange.h"

namespace scorpio::session {

Status DefineMode::ready_for_posts() {
  core_.enter(k_posts);
  return ready_for_data();
}

Status DefineMode::ready_for_data() {
  if (core_.state().defining()) SCORPIO_TRY(ended());
  format::ChunkLayout* const chunks = core_.layout().chunks();
  if (chunks != nullptr) {
    SCORPIO_TRY(settle_arena(*chunks));
    chunks->before_data(core_.schema(),
                        [this](const model::Variable& variable) { return fills_.fill_value(variable); });
  }
  core_.data().follow();
  if (chunks != nullptr) {
    use_arena(*chunks);
    note_long_chunks();
  }
  fills_.before_data();
  return {};
}

// Places variables that were defined after I/O ranks began to store chunks: one reduction determines the end
// of the part of the file that is in use.
Status DefineMode::settle_arena(format::ChunkLayout& chunks) {
  if (!chunks.waits_for_arena()) return {};
  SCORPIO_TRY(finish_rounds());
  std::array<uint64_t, 1> end{core_.chunks()->arena_end()};
  SCORPIO_TRY(core_.comm().all_max(end));
  return chunks.end_arena(core_.schema(), end[0]);
}

// On several nodes I/O ranks wait for each other only if none of them gives up, which one more reduction
// tells.
Status DefineMode::finish_rounds() {
  (void)core_.note(core_.rounds().encode());
  if (core_.rounds().in_use() && core_.system().nodes().nodes() > 1) {
    std::array<uint64_t, 1> failed{core_.channel().failed() ? uint64_t{1} : 0};
    SCORPIO_TRY(core_.comm().all_max(failed));
    if (failed[0] != 0) return {};
  }
  core_.rounds().place();
  return {};
}

// One note names the variable with the longest of the chunks that limit who encodes.
void DefineMode::note_long_chunks() {
  if (!core_.system().is_metadata_rank()) return;
  std::string note;
  for (; known_ < core_.schema().variable_count(); ++known_) {
    if (!core_.schema().alive(known_)) continue;
    const model::Variable& variable = core_.schema().variable(known_);
    const std::optional<Encoders> found = encoders_of(core_, variable);
    if (!found || (!found->beyond && found->left_out == 0) || found->bytes <= noted_bytes_) continue;
    noted_bytes_ = found->bytes;
    note = fmt::format("{}: chunks of variable {} ({}) are encoded by {}", core_.path(), variable.path,
                       fmt::join(variable.storage.chunk, ", "), found->text());
  }
  if (!note.empty()) core_.system().events().add(std::move(note));
}

// The I/O ranks take turns.
void DefineMode::use_arena(const format::ChunkLayout& chunks) {
  const std::optional<uint64_t> begin = chunks.arena();
  const int mine = core_.system().my_owner();
  if (!begin || mine < 0) return;
  if (core_.rounds().in_use()) {
    core_.rounds().use(*begin);
    return;
  }
  const uint64_t block = core_.domains().rule().block_bytes,
                 most = core_.options().bytes(Option::chunk_bytes);
  const uint64_t chunk = chunks.arena_chunk_bytes();
  const uint64_t region = chunk > 0 ? chunk : (most + block - 1) / block * block;
  const uint64_t held =
      chunk > 0 ? format::HeldBytes{core_.domains().rule().unit_bytes, most}.of(chunk) : region;
  const format::ChunkArena arena{*begin, region, core_.system().io_ranks().size()};
  core_.chunks()->use_arena(arena.of(static_cast<uint64_t>(mine), held));
}

Status DefineMode::end() {
  const auto scope = core_.counted();
  SCORPIO_TRY(core_.check(FileState::Event::end_definitions));
  if (!core_.layout().traits().define_mode) return {};
  core_.enter("scorpio_define_end");
  return ended();
}

Status DefineMode::ended() {
  if (!core_.channel().failed())
    (void)core_.note(core_.channel().flush());  // data that may have to be moved are in the file
  const uint64_t hash = core_.schema().hash();
  const Result<format::Rearrangement> arrangement = core_.layout().end_definitions(core_.schema());
  const Status agreed = comm::agree_equal(core_.comm(), arrangement.status(), hash, k_definitions, {},
                                          [this] { return model::describe(core_.schema()); });
  if (agreed.code() == Code::mismatch) {
    core_.state().lose(steps_.explain(hash));
    return core_.state().lost();
  }
  SCORPIO_TRY(agreed);
  if (arrangement->needed) {
    const Status moved = rearrange(*arrangement);
    core_.state().lose(moved);
    SCORPIO_TRY(moved);
  }
  core_.state().happened(FileState::Event::end_definitions);
  core_.outcomes().definitions_agreed();
  fills_.fill_new_variables();
  return {};
}

// The file with the new layout is written under a temporary name and takes the final name when it is
// complete. If the job is killed before, the old file remains.
Status DefineMode::rearrange(const format::Rearrangement& arrangement) {
  const comm::Group& comm = core_.comm();
  Status own;
  std::vector<std::byte> path;  // the resolved path of the file, if the user's is a symbolic link
  if (core_.metadata() != nullptr) {
    own = core_.metadata()->begin_copy(transfer::named_bytes(arrangement.shifts));
    const auto bytes = std::as_bytes(std::span(core_.metadata()->container().current_path()));
    path.assign(bytes.begin(), bytes.end());
  }
  SCORPIO_TRY(comm::agree(comm, own));
  SCORPIO_TRY(comm.broadcast(path, core_.system().metadata_rank()));
  own = copy_share(arrangement,
                   storage::temporary_name({reinterpret_cast<const char*>(path.data()), path.size()}));
  Status copied = comm::agree(comm, own);
  if (core_.metadata() != nullptr) {
    if (copied.ok()) copied = core_.metadata()->finish_copy(core_.schema(), core_.layout());
    if (!copied.ok()) core_.metadata()->abandon_copy();
  }
  SCORPIO_TRY(comm::agree(comm, copied));
  (void)core_.data().close();  // closes the old file
  if (core_.metadata() != nullptr) core_.data().adopt(core_.metadata()->container());
  core_.schema().settle();
  return {};
}

Status DefineMode::copy_share(const format::Rearrangement& arrangement, const std::string& to) {
  const int mine = core_.system().my_owner();
  if (mine < 0) return {};
  SCORPIO_ASSIGN(const auto from, core_.data().share());
  SCORPIO_ASSIGN(const auto target, core_.system().store().open(to, storage::OpenMode::made_elsewhere));
  const transfer::CopyShare share{mine, static_cast<int>(core_.system().io_ranks().size()),
                                  core_.domains().rule().unit_bytes};
  const Status copied = transfer::copy_shifts(*from, *target, arrangement.shifts, share);
  return first_failure(copied, target->close());
}

}  // namespace scorpio::session
