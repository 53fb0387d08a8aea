#include "decomp/chunk_order.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "decomp/intervals.h"
#include "decomp/run_packer.h"

namespace scorpio::decomp {

namespace {

// After so many elements the number of pieces is looked at.
constexpr int64_t k_pieces_at_once = int64_t{1} << 16;

}  // namespace

// The first dimension of the array is not joined with others, because layers have distances of their own.
ChunkOrder::ChunkOrder(const ChunkGrid& grid, bool frame) : grid_(grid), frame_(frame) {
  for (size_t d = 0; d < grid.dims().size(); ++d) {
    const int64_t extent = frame && d == 0 ? 1 : grid.dims()[d];
    const int64_t chunk = frame && d == 0 ? 1 : grid.chunk()[d];
    total_ *= extent;
    if (d > 1 && chunk == extent) {
      dims_.back() *= extent;
      chunk_.back() *= extent;
    } else {
      dims_.push_back(extent);
      chunk_.push_back(chunk);
    }
  }
  for (size_t d = 0; d < dims_.size(); ++d) chunks_.push_back((dims_[d] + chunk_[d] - 1) / chunk_[d]);
}

std::vector<int64_t> Region::ends() const {
  if (std::ranges::find(extents, 0) != extents.end()) return {};
  std::vector<int64_t> ends = extents;
  if (!ends.empty()) ends[0] += first;
  return ends;
}

// No dimensions are joined, because the numbers of chunks are not those of a row-major order.
ChunkOrder::ChunkOrder(const ChunkGrid& grid, const Region& region)
    : grid_(grid),
      frame_(false),
      first_(region.first),
      origin_(grid.frame_begin(region.first)),
      dims_(region.extents),
      chunk_(grid.chunk()) {
  for (const int64_t extent : dims_) total_ *= extent;
}

template <typename Visit>
void ChunkOrder::for_each_free_piece(int64_t begin, int64_t end, Visit&& visit) const {
  const size_t last = dims_.size() - 1;
  std::vector<int64_t> chunk(dims_.size());
  for (int64_t at = begin; at < end;) {
    int64_t rest = at, inside = 0, step = 1, piece = end - at;
    for (size_t d = dims_.size(); d-- > 0;) {
      const int64_t index = rest % dims_[d] + (d == 0 ? first_ : 0);
      if (d == last) piece = std::min({piece, dims_[d] - index, chunk_[d] - index % chunk_[d]});
      rest /= dims_[d];
      chunk[d] = index / chunk_[d];
      inside += index % chunk_[d] * step;
      step *= chunk_[d];
    }
    visit(grid_.begin_of(grid_.number_of(chunk)) + inside - origin_, at - begin, piece);
    at += piece;
  }
}

template <typename Visit>
void ChunkOrder::for_each_piece(int64_t begin, int64_t end, Visit&& visit) const {
  if (grid_.is_free()) return for_each_free_piece(begin, end, visit);
  const size_t last = dims_.size() - 1;
  for (int64_t at = begin; at < end;) {
    int64_t rest = at, number = 0, chunks = 1, inside = 0, step = 1, piece = 0;
    for (size_t d = last; d > 0; --d) {
      const int64_t index = rest % dims_[d];
      rest /= dims_[d];
      number += index / chunk_[d] * chunks;
      inside += index % chunk_[d] * step;
      chunks *= chunks_[d];
      step *= chunk_[d];
      if (d == last) piece = std::min(dims_[d] - index, chunk_[d] - index % chunk_[d]);
    }
    if (last == 0) piece = std::min(dims_[0], rest / chunk_[0] * chunk_[0] + chunk_[0]) - rest;
    piece = std::min(piece, end - at);
    visit(grid_.frame_begin(rest) + grid_.in_layer(number) + inside, at - begin, piece);
    at += piece;
  }
}

// The elements of a layer of chunks; 0: the walk through the array does not end one layer before the next.
int64_t ChunkOrder::layer_elements() const {
  if (grid_.is_free() || frame_) return 0;
  return std::accumulate(dims_.begin() + 1, dims_.end(), chunk_[0], std::multiplies<>());
}

// Runs of single elements take more memory than the elements: those of one layer at a time are sorted, and
// packed. An element that is held twice may come again later.
RunList ChunkOrder::runs(const RunList& row_major) const {
  const int64_t elements = row_major.segments().overlap() ? 0 : layer_elements();
  RunPacker packer;
  std::vector<Run> layer;
  int64_t layer_end = elements == 0 ? INT64_MAX : 0;
  row_major.for_each([&](const Run& run) {
    for_each_piece(run.global, run.global + run.length, [&](int64_t raw, int64_t offset, int64_t length) {
      const int64_t at = run.global + offset;
      if (at >= layer_end) {
        packer.sort_and_add(layer);
        layer.clear();
        layer_end = (at / elements + 1) * elements;
      }
      layer.push_back({raw, run.local + offset, length});
    });
  });
  packer.sort_and_add(layer);
  return RunList(packer.take());
}

// The elements of the region in one chunk, with the padding of the dimensions that do not grow. Elements
// beyond the region are no padding, because later calls may put them.
void ChunkOrder::add_rows(const std::vector<int64_t>& indices, std::vector<Interval>& all) const {
  const int64_t begin = grid_.begin_of(grid_.number_of(indices)) - origin_;
  const auto visit = [&](const auto& self, size_t d, int64_t at, int64_t elements) -> void {
    const int64_t step = elements / chunk_[d], start = indices[d] * chunk_[d];
    const bool grows = grid_.dims()[d] == ChunkGrid::k_grows;
    const int64_t offset = d == 0 ? first_ : 0;
    const int64_t from = d == 0 ? std::max<int64_t>(offset - start, 0) : 0;
    const bool framed =
        d == 0 && offset + dims_[d] < grid_.dims()[d];  // a frame of a dimension of fixed extent
    const int64_t to = grows || framed ? std::min(chunk_[d], offset + dims_[d] - start) : chunk_[d];
    bool deeper = false;  // the region ends inside the chunk in a later dimension
    for (size_t e = d + 1; e < dims_.size(); ++e)
      deeper =
          deeper || (grid_.dims()[e] == ChunkGrid::k_grows && dims_[e] - indices[e] * chunk_[e] < chunk_[e]);
    if (!deeper) {
      const Interval row{at + from * step, at + to * step};
      if (!all.empty() && all.back().end == row.begin) {
        all.back().end = row.end;
      } else {
        all.push_back(row);
      }
      return;
    }
    for (int64_t i = from; i < to; ++i) self(self, d + 1, at + i * step, step);
  };
  visit(visit, 0, begin, grid_.chunk_elements());
}

// Calls visit(indices of a chunk) for each chunk with elements of the region whose indices are from `first`
// to `last`, inclusive.
template <typename Visit>
void ChunkOrder::for_each_chunk(std::vector<int64_t> first, std::vector<int64_t> last, Visit&& visit) const {
  first[0] += first_;
  last[0] += first_;
  for (size_t d = 0; d < first.size(); ++d) {
    first[d] /= chunk_[d];
    last[d] /= chunk_[d];
  }
  for (std::vector<int64_t> indices = first;;) {
    visit(indices);
    size_t d = indices.size();
    while (d > 0 && indices[d - 1] == last[d - 1]) {
      --d;
      indices[d] = first[d];
    }
    if (d == 0) return;
    ++indices[d - 1];
  }
}

std::vector<Interval> ChunkOrder::whole_region() const {
  std::vector<Interval> all;
  if (total_ == 0) return all;
  std::vector<int64_t> last = dims_;
  for (int64_t& index : last) --index;
  for_each_chunk(std::vector<int64_t>(dims_.size()), std::move(last),
                 [&](const std::vector<int64_t>& indices) { add_rows(indices, all); });
  join(all);
  return all;
}

// Calls visit(indices) for all chunks with elements of a box that contains the interval.
template <typename Visit>
void ChunkOrder::for_each_chunk_near(const Interval& row_major, Visit&& visit) const {
  std::vector<int64_t> first(dims_.size()), last(dims_.size());
  int64_t begin = row_major.begin, end = row_major.end - 1;
  for (size_t d = dims_.size(); d-- > 0;) {
    first[d] = begin % dims_[d];
    last[d] = end % dims_[d];
    begin /= dims_[d];
    end /= dims_[d];
    if (begin == end) continue;
    first[d] = 0;
    last[d] = dims_[d] - 1;
  }
  for_each_chunk(std::move(first), std::move(last), visit);
}

Interval ChunkOrder::free_hull(const Interval& row_major) const {
  Interval hull{INT64_MAX, 0};
  for_each_chunk_near(row_major, [&](const std::vector<int64_t>& indices) {
    const Interval chunk = elements_in_chunk(indices);
    hull = {std::min(hull.begin, chunk.begin), std::max(hull.end, chunk.end)};
  });
  return hull;
}

// Of a frame its part of the chunk.
Interval ChunkOrder::elements_in_chunk(const std::vector<int64_t>& indices) const {
  if (grid_.is_free()) {
    const int64_t at = grid_.begin_of(grid_.number_of(indices)) - origin_;
    return {std::max<int64_t>(at, 0), at + grid_.chunk_elements()};
  }
  int64_t number = 0;
  for (size_t d = 1; d < indices.size(); ++d) number = number * chunks_[d] + indices[d];
  const int64_t begin = grid_.frame_begin(indices[0] * chunk_[0]) + grid_.in_layer(number);
  return {begin, begin + (frame_ ? grid_.chunk_elements() / grid_.chunk()[0] : grid_.chunk_elements())};
}

// All chunks or, for a frame, the elements of each chunk at one index of the first dimension.
std::vector<Interval> ChunkOrder::everything() const {
  if (grid_.is_free()) return whole_region();
  std::vector<Interval> all;
  const int64_t length = frame_ ? grid_.chunk_elements() / grid_.chunk()[0] : grid_.chunk_elements();
  for (int64_t layer = 0; layer < (frame_ ? 1 : grid_.layers()); ++layer) {
    const int64_t begin = grid_.frame_begin(layer * grid_.chunk()[0]);
    for (int64_t chunk = 0; chunk < grid_.chunks_in_layer(); ++chunk) {
      const int64_t at = begin + grid_.in_layer(chunk);
      if (!all.empty() && all.back().end == at) {
        all.back().end = at + length;
      } else {
        all.push_back({at, at + length});
      }
    }
  }
  return all;
}

void ChunkOrder::Covering::add(std::span<const Interval> row_major) {
  for (const Interval& interval : row_major) add(interval);
}

// Once pieces are too many, the chunks are found without them.
void ChunkOrder::Covering::add(const Interval& row_major) {
  if (row_major == Interval{0, order_.total_}) {
    cover_ = {order_.everything(), true};
    whole_ = true;
    return;
  }
  const auto add_one = [this](const Interval& raw) {
    cover_.intervals.push_back(raw);
    if (cover_.intervals.size() >= 2 * most_) reduce();
  };
  const int64_t end = row_major.end;
  int64_t at = row_major.begin;
  while (at < end && cover_.exact) {
    const int64_t stop = std::min(end, at + k_pieces_at_once);
    order_.for_each_piece(at, stop, [&](int64_t begin, int64_t, int64_t length) {
      add_one({begin, begin + length});
    });
    at = stop;
  }
  if (at == end) return;
  order_.for_each_chunk_near({at, end}, [&](const std::vector<int64_t>& indices) {
    const Interval chunk = order_.elements_in_chunk(indices);
    if (cover_.intervals.empty() || cover_.intervals.back() != chunk) add_one(chunk);
  });
}

void ChunkOrder::Covering::reduce() {
  join(cover_.intervals);
  if (cover_.exact && cover_.intervals.size() <= most_) return;
  cover_.exact = false;
  close_gaps(cover_.intervals, order_.grid_.chunk_elements() - 1);
  cover_.intervals = merge(std::move(cover_.intervals), most_);
}

ChunkOrder::Cover ChunkOrder::Covering::take() {
  if (!whole_) reduce();
  return std::move(cover_);
}

ChunkOrder::Cover ChunkOrder::cover(const std::vector<Interval>& row_major, size_t most) const {
  Covering covering(*this, most);
  covering.add(row_major);
  return covering.take();
}

Interval ChunkOrder::hull(const Interval& row_major) const {
  if (row_major.begin >= row_major.end) return {0, 0};
  if (grid_.is_free()) return free_hull(row_major);
  const int64_t row = frame_ ? total_ : total_ / dims_[0];
  const int64_t first = row_major.begin / row / grid_.chunk()[0];
  const int64_t last = (row_major.end - 1) / row / grid_.chunk()[0];
  const auto begin_of = [this](int64_t layer) { return grid_.frame_begin(layer * grid_.chunk()[0]); };
  return {begin_of(first), begin_of(last) + grid_.layer_elements()};
}

}  // namespace scorpio::decomp
