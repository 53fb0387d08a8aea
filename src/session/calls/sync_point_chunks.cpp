// The part of a synchronisation point that concerns chunks: their addresses, and what the metadata rank must
// know of them.
#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "comm/agree.h"
#include "comm/gather_at.h"
#include "format/lossy_marks.h"
#include "session/calls/chunk_addresses.h"
#include "session/calls/sync_point.h"
#include "session/state/chunk_news.h"

namespace scorpio::session {

// On all ranks what each I/O rank has passed, two values, in the order of the I/O ranks.
Result<std::span<const int64_t>> SyncPoint::of_io_ranks(const std::array<int64_t, 2>& own) {
  const comm::Group& comm = core_.setting.comm();
  const std::vector<int>& io_ranks = core_.setting.system().io_ranks();
  const bool tells = core_.setting.system().my_owner() >= 0;
  const int root = core_.setting.system().metadata_rank();
  auto told = comm::gather_at(comm, root, std::span(own).first(tells ? own.size() : 0));
  const std::span<int64_t> all(of_io_ranks_);
  std::ranges::fill(all, 0);
  if (told.ok()) {
    for (size_t i = 0; i < io_ranks.size(); ++i) {
      if (const auto at = told->find(io_ranks[i]); at != told->end())
        std::ranges::copy(at->second, all.begin() + static_cast<std::ptrdiff_t>(own.size() * i));
    }
  }
  SCORPIO_TRY(first_failure(comm.broadcast(all, root), told.status()));
  return std::span<const int64_t>(all);
}

// I/O ranks have stored encoded chunks, whose sizes were not known before. All ranks exchange the number of
// bytes of each I/O rank and compute the same addresses from them. Only the metadata rank receives the index.
Status SyncPoint::place_stored() {
  storage::ChunkPlacement& chunks = core_.transfer.placement();
  const Status ended = guarded([&] {
    if (core_.setting.system().nodes().nodes() > 1) core_.transfer.rounds().place();
    chunks.end_rounds();
    return Status();
  });
  const std::array<int64_t, 2> own{static_cast<int64_t>(chunks.unplaced_bytes()),
                                   static_cast<int64_t>(chunks.arena_end())};
  const Result<std::span<const int64_t>> all = of_io_ranks(own);
  const Status placed = guarded([&] { return all.ok() ? place_own(*all, own[0] > 0) : all.status(); });
  return first_failure(first_failure(ended, placed), tell_index());
}

// `all`: of of_io_ranks(). All ranks compute all addresses; one that has chunks writes them.
Status SyncPoint::place_own(std::span<const int64_t> all, bool has_chunks) {
  std::vector<exchange::StoredBytes> stored;
  for (size_t i = 0; i + 1 < all.size(); i += 2)
    stored.push_back({true, static_cast<uint64_t>(all[i]), static_cast<uint64_t>(all[i + 1])});
  SCORPIO_ASSIGN(const std::vector<ChunkAddresses> addresses,
                 place_chunks(core_.contents, core_.transfer.rounds().in_use(), stored));
  if (!has_chunks) return {};
  const ChunkAddresses& mine = addresses[static_cast<size_t>(core_.setting.system().my_owner())];
  SCORPIO_TRY(fill_regions(core_.transfer.placement(), mine));
  return mine.bytes > 0 ? core_.transfer.placement().place(mine.address) : Status();
}

// The metadata rank receives the locations of the chunks that I/O ranks have stored. Returns in every case,
// because an agreement follows.
Status SyncPoint::tell_index() {
  storage::ChunkAccess& chunks = *core_.transfer.chunks();
  std::vector<int64_t> mine;
  const Status made = guarded([&] {
    mine = as_message({.index = chunks.placement().take_index(), .losses = chunks.take_losses()});
    return Status();
  });
  SCORPIO_ASSIGN(const auto gathered,
                 comm::gather_at(core_.setting.comm(), core_.setting.system().metadata_rank(), mine));
  if (!made.ok() || core_.metadata == nullptr) return made;
  return guarded([&] {
    ChunkNews news;
    for (const auto& [rank, words] : gathered) add_message(words, news);
    core_.metadata->library().add_index(std::move(news.index));
    tell_losses(news.losses);
    return Status();
  });
}

// Runs on the metadata rank, so that the metadata of this synchronisation point have the errors.
void SyncPoint::tell_losses(const std::vector<storage::LossEntry>& losses) {
  for (const storage::LossEntry& loss : losses) {
    if (!format::tell_loss(core_.contents.schema(), loss)) continue;
    core_.setting.system().records().events.add(fmt::format(
        "{}: chunks of variable {} are stored without their lossy filter, which would have exceeded its "
        "bound, "
        "changed missing values, made nothing smaller, or changed elements a second time; its attribute {} "
        "counts them",
        core_.contents.path(), core_.contents.schema().variables()[loss.variable].path,
        format::k_lossless_chunks));
  }
}

// What the metadata rank knows of the errors in the file, for the inquiries of the other ranks. The number of
// values follows from definitions, which are equal on all ranks if chunks were placed.
std::vector<uint64_t> SyncPoint::losses_to_tell(bool closing, Chunks chunks) const {
  if (closing || chunks == Chunks::to_place) return {};
  std::vector<uint64_t> losses = format::told_losses(core_.contents.schema().variables());
  if (core_.metadata == nullptr) std::ranges::fill(losses, 0);
  return losses;
}

void SyncPoint::bring_index() {
  const auto scope = core_.setting.counted();
  const observe::Timer timer(core_.setting.system().records().counters.time_close_ns, observe::Activity::end);
  const Status told = core_.calls.note(comm::agree(core_.setting.comm(), tell_index()));
  commit_.begin_metadata(told.ok());
}

}  // namespace scorpio::session
