#include "session/state/file_arena.h"

#include <array>
#include <optional>

#include "format/chunk_arena.h"

namespace scorpio::session {

Status FileArena::end_arena() {
  SCORPIO_TRY(finish_rounds());
  std::array<uint64_t, 1> end{core_.transfer.placement().arena_end()};
  SCORPIO_TRY(core_.setting.comm().all_max(end));
  return core_.contents.layout().chunks()->end_arena(core_.contents.schema(), end[0]);
}

// On several nodes I/O ranks wait for each other only if none of them gives up, which one more reduction
// tells.
Status FileArena::finish_rounds() {
  (void)core_.calls.note(core_.transfer.rounds().encode());
  if (core_.transfer.rounds().in_use() && core_.setting.system().nodes().nodes() > 1) {
    std::array<uint64_t, 1> failed{core_.transfer.channel().failed() ? uint64_t{1} : 0};
    SCORPIO_TRY(core_.setting.comm().all_max(failed));
    if (failed[0] != 0) return {};
  }
  core_.transfer.rounds().place();
  return {};
}

void FileArena::use() {
  const format::ChunkLayout* const chunks = core_.contents.layout().chunks();
  const int mine = core_.setting.system().my_owner();
  if (chunks == nullptr || !chunks->arena() || mine < 0) return;
  if (core_.transfer.rounds().in_use()) {
    core_.transfer.rounds().use(*chunks->arena());
  } else {
    use_regions(*chunks, static_cast<uint64_t>(mine));
  }
}

// The I/O ranks take turns.
void FileArena::use_regions(const format::ChunkLayout& chunks, uint64_t io_rank) {
  const plan::DomainRule& rule = core_.transfer.domains().rule();
  const uint64_t block = rule.block_bytes, most = core_.setting.options().bytes(Option::chunk_bytes);
  const uint64_t chunk = chunks.arena_chunk_bytes();
  const uint64_t region = chunk > 0 ? chunk : (most + block - 1) / block * block;
  const uint64_t held = chunk > 0 ? format::HeldBytes{rule.unit_bytes, most}.of(chunk) : region;
  const format::ChunkArena arena{*chunks.arena(), region, core_.setting.system().io_ranks().size()};
  core_.transfer.placement().use_arena(arena.of(io_rank, held));
}

}  // namespace scorpio::session
