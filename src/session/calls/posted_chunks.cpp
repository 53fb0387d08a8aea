#include "session/calls/posted_chunks.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "session/calls/chunk_addresses.h"

namespace scorpio::session {

namespace {

constexpr uint64_t k_part_bytes = uint64_t{4} << 20;

}  // namespace

// Chunks of a variable that was removed after it was put also need space.
bool PostedChunks::wanted(const Core& core) { return core.contents.layout().placements().any_chunks(); }

bool PostedChunks::possible(const Core& core) {
  return core.setting.system().nodes().nodes() <= 1 && wanted(core);
}

Result<PostedChunks::Step> PostedChunks::advance(uint64_t number, bool whole) {
  storage::ChunkPlacement& chunks = core_.transfer.placement();
  if (!core_.transfer.rounds().advance()) return Step::waits;
  if (told_ != number) {
    SCORPIO_TRY(core_.transfer.data().check_close());  // encodes what is incomplete
    chunks.end_rounds();
    const uint64_t unplaced = chunks.unplaced_bytes();
    core_.transfer.channel().now().announcements().tell_stored(
        number, {unplaced > 0 || core_.transfer.chunks()->has_news(), unplaced, chunks.arena_end()});
    told_ = number;
  }
  if (computed_ != number) {
    const auto all = core_.transfer.channel().now().announcements().all_stored(number);
    if (!all) return Step::waits;
    if (all->empty()) return Step::left;
    SCORPIO_TRY(compute(*all));
    computed_ = number;
  }
  const uint64_t bytes = whole ? chunks.unplaced_bytes() : k_part_bytes;
  SCORPIO_ASSIGN(next_, chunks.place_first(next_, bytes));
  return chunks.unplaced_bytes() > 0 ? Step::part : Step::placed;
}

// The same computation as at a synchronisation point (SyncPoint::place_stored). No rank uses the layout for
// anything else after a posted close.
Status PostedChunks::compute(std::span<const exchange::StoredBytes> all) {
  if (std::ranges::none_of(all, &exchange::StoredBytes::any)) return {};
  SCORPIO_ASSIGN(const std::vector<ChunkAddresses> addresses,
                 place_chunks(core_.contents, core_.transfer.rounds().in_use(), all));
  const ChunkAddresses& mine = addresses[static_cast<size_t>(core_.setting.system().my_owner())];
  next_ = mine.address;
  return fill_regions(core_.transfer.placement(), mine);
}

}  // namespace scorpio::session
