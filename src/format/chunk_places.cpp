#include "format/chunk_places.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/checked.h"
#include "format/address_limits.h"
#include "model/extents.h"

namespace scorpio::format {

namespace {

// A variable with an unlimited dimension gets this part of the remaining space: 16 TiB for the first one, a
// tenth of that for the 5,000th.
constexpr uint64_t k_share = 2048;

// The number of pieces of a variable is a multiple of this, plus one: the first chunks of successive
// variables then have different owners, for any number of I/O ranks that divides it.
constexpr uint64_t k_turn = 720720;

uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

uint64_t share_of(uint64_t bytes, uint64_t stretch) {
  const uint64_t stretches = bytes / k_share / stretch;
  return (stretches > k_turn ? stretches / k_turn * k_turn + 1 : stretches) * stretch;
}

}  // namespace

// An unlimited dimension has no length yet and counts as one chunk.
Status check_chunk(const model::Variable& variable, const std::vector<int64_t>& chunk) {
  if (variable.dims.empty() || variable.dims.size() != chunk.size()) {
    return failure(Code::shape, "{} chunk extents for variable {} of {} dimensions; give one for each",
                   chunk.size(), variable.path, variable.dims.size());
  }
  uint64_t bytes = variable.type.size_bytes, padded = 1;
  for (size_t d = 0; d < chunk.size(); ++d) {
    const bool grows = variable.grows(d);
    if (chunk[d] < 1 || (!grows && chunk[d] > variable.dims[d])) {
      return failure(Code::shape,
                     "chunk ({}) of variable {} ({}): each extent must be 1 or more and no more "
                     "than that of the variable, unless it is unlimited",
                     fmt::join(chunk, ", "), variable.path, fmt::join(variable.dims, ", "));
    }
    const auto extent = static_cast<uint64_t>(chunk[d]);
    const auto more = checked_mul(bytes, extent);
    const auto there = grows ? extent : static_cast<uint64_t>(variable.dims[d]);
    const auto all = checked_mul(padded, round_up(there, extent));
    if (!more || *more > k_largest_chunk_bytes) {
      return failure(Code::limit, "chunk ({}) of variable {} has more than {} bytes", fmt::join(chunk, ", "),
                     variable.path, k_largest_chunk_bytes);
    }
    bytes = *more;
    padded = all.value_or(UINT64_MAX);
  }
  // In raw space chunks take at most twice their bytes, or whole units.
  const auto all = checked_mul(padded, 4 * uint64_t{variable.type.size_bytes});
  if (all && *all <= plan::k_chunk_range_bytes / 2) return {};
  return failure(Code::limit, "variable {} ({}) is too large to be stored in chunks of ({})", variable.path,
                 fmt::join(variable.dims, ", "), fmt::join(chunk, ", "));
}

std::vector<int64_t> grid_extents(const model::Variable& variable) {
  std::vector<int64_t> extents = variable.dims;
  for (size_t d = 0; d < extents.size(); ++d) {
    if (variable.grows(d)) extents[d] = decomp::ChunkGrid::k_grows;
  }
  return extents;
}

Result<ByteRange> ChunkPlaces::place(const decomp::ChunkGrid& grid) {
  const auto range = static_cast<size_t>(grid.doublings());
  if (range >= used_.size())
    return failure(Code::limit, "chunks of {} bytes are too large", grid.chunk_bytes());
  const uint64_t base = plan::k_chunk_space + range * plan::k_chunk_range_bytes;
  const uint64_t stretch = grid.unit_bytes() << range;
  uint64_t begin = round_up(base + used_[range], k_alignment_bytes);
  const uint64_t raw =
      grid.grows() ? share_of(plan::k_chunk_range_bytes - used_[range], stretch) : grid.raw_bytes();
  const bool fits = grid.in_one_unit() && begin / stretch == (begin + raw - 1) / stretch;
  if (!fits) begin = round_up(begin, stretch);
  const uint64_t end = begin + raw;
  if (raw == 0 || end < begin || end > base + plan::k_chunk_range_bytes) {
    return failure(Code::limit, "chunks of {} bytes: the raw space of the file is used up", raw);
  }
  changes_.push_back({.range = range, .used = used_[range], .next_open = next_open_});
  used_[range] = end - base;
  return ByteRange{begin, end};
}

void ChunkPlaces::undo(size_t kept) {
  for (; changes_.size() > kept; changes_.pop_back()) {
    const Change& last = changes_.back();
    if (last.range < used_.size()) used_[last.range] = last.used;
    if (last.open < open_.size()) open_[last.open] = last.entry;
    next_open_ = last.next_open;
  }
}

namespace {

// A cell has at most this part of a unit, or one layer that has at most four times as much: a record of many
// variables then is in few units, and so are many records of few variables. Small units also hold larger
// parts of at most so many bytes, as long as four of them fit: alone in a unit each one would need a staging
// slot of which most is empty.
constexpr uint64_t k_cell_share = 64;
constexpr uint64_t k_layer_share = 16;
constexpr uint64_t k_small_layer_bytes = uint64_t{64} << 10;
constexpr uint64_t k_small_layer_share = 4;

uint64_t largest_layer(uint64_t unit_bytes) {
  return std::max(unit_bytes / k_layer_share,
                  std::min(k_small_layer_bytes, unit_bytes / k_small_layer_share));
}

// 0: the variable does not share units.
int64_t cell_layers_of(const decomp::ChunkGrid& grid) {
  const bool small = grid.grows() && !grid.is_free() && grid.can_have_cells() &&
                     grid.layer_bytes() <= largest_layer(grid.unit_bytes()) && grid.chunk()[0] <= INT32_MAX;
  if (!small) return 0;
  const uint64_t fit = grid.unit_bytes() / k_cell_share / grid.layer_bytes();
  return static_cast<int64_t>(std::bit_floor(std::max<uint64_t>(fit, 1)));
}

}  // namespace

Result<ChunkPlaces::Cell> ChunkPlaces::place_new(decomp::ChunkGrid grid) {
  const int64_t layers = cell_layers_of(grid);
  if (layers == 0) {
    SCORPIO_ASSIGN(const ByteRange window, place(grid));
    return Cell{std::move(grid), window, 0};
  }
  grid = grid.with_cells(layers);
  const uint64_t bytes = round_up(static_cast<uint64_t>(layers) * grid.layer_bytes(), k_alignment_bytes);
  const int64_t frames = layers * grid.chunk()[0];
  auto open = std::ranges::find_if(
      open_, [&](const Open& one) { return one.frames == frames && one.used + bytes <= grid.unit_bytes(); });
  const size_t next_before = next_open_;
  const auto change = [&](const Open& now) {
    const auto at = static_cast<size_t>(open - open_.begin());
    changes_.push_back({.open = at, .entry = *open, .next_open = next_before});
    *open = now;
  };
  if (open == open_.end()) {
    SCORPIO_ASSIGN(const ByteRange window, place(grid));
    const auto full = std::ranges::find(open_, frames, &Open::frames);
    open =
        full != open_.end() ? full : open_.begin() + static_cast<std::ptrdiff_t>(next_open_++ % k_most_open);
    change({window, frames, bytes});
    return Cell{std::move(grid), window, 0};
  }
  Cell cell{std::move(grid), open->window, open->used};
  change({open->window, open->frames, open->used + bytes});
  return cell;
}

}  // namespace scorpio::format
