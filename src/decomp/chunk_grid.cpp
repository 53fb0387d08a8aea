#include "decomp/chunk_grid.h"

#include <algorithm>
#include <array>
#include <utility>

#include "decomp/shells.h"

namespace scorpio::decomp {

ChunkGrid::ChunkGrid(std::vector<int64_t> dims, std::vector<int64_t> chunk, uint32_t element_bytes,
                     uint64_t unit_bytes, int64_t cell_layers)
    : dims_(std::move(dims)),
      chunk_(std::move(chunk)),
      element_bytes_(element_bytes),
      unit_bytes_(unit_bytes),
      cell_layers_(cell_layers) {
  for (size_t d = 0; d < dims_.size(); ++d) {
    const bool unlimited = dims_[d] == k_grows;
    free_ = free_ || (unlimited && d > 0);
    growing_ += unlimited ? 1 : 0;
  }
  for (size_t d = 0; d < dims_.size(); ++d) {
    chunk_elements_ *= chunk_[d];
    if (d > 0) plane_elements_ *= chunk_[d];
    if (free_ ? dims_[d] != k_grows : d > 0) chunks_in_layer_ *= (dims_[d] + chunk_[d] - 1) / chunk_[d];
  }
  space_out(unit_bytes);
}

// If the size of an element does not divide a unit, the first element of a unit begins up to two elements
// after the beginning of the unit.
void ChunkGrid::space_out(uint64_t unit_bytes) {
  const uint64_t spare = unit_bytes % element_bytes_ == 0 ? 0 : 2 * uint64_t{element_bytes_};
  while ((unit_bytes << doublings_) < chunk_bytes() + spare) ++doublings_;
  group_bytes_ = unit_bytes << doublings_;
  const uint64_t room = group_bytes_ - spare;
  const uint64_t fit = room / chunk_bytes();
  if (doublings_ == 0 && fit >= static_cast<uint64_t>(chunks_in_layer_)) {
    chunks_together_ = chunks_in_layer_;
    layers_together_ = static_cast<int64_t>(fit) / std::max<int64_t>(chunks_in_layer_, 1);
    if (cell_layers_ > 0) layers_together_ = std::min(layers_together_, cell_layers_);
    layer_group_bytes_ = group_bytes_;
    in_one_unit_ = !grows() && layers() <= layers_together_;
    return;
  }
  chunks_together_ = doublings_ == 0 ? static_cast<int64_t>(fit) : 1;
  const int64_t groups = (chunks_in_layer_ + chunks_together_ - 1) / chunks_together_;
  layer_group_bytes_ = static_cast<uint64_t>(groups) * group_bytes_;
}

ChunkGrid ChunkGrid::with_frames(int64_t frames) const {
  std::vector<int64_t> dims = dims_;
  dims[0] = frames;
  return {std::move(dims), chunk_, element_bytes_, unit_bytes_, cell_layers_};
}

ChunkGrid ChunkGrid::with_cells(int64_t layers) const {
  return {dims_, chunk_, element_bytes_, unit_bytes_, layers};
}

uint64_t ChunkGrid::raw_bytes() const {
  if (chunks() == 0) return 0;
  return static_cast<uint64_t>(begin_of(chunks() - 1) + chunk_elements_) * element_bytes_;
}

// The number of elements is limited to 64 bits.
int64_t ChunkGrid::frames_within(uint64_t bytes) const {
  constexpr int64_t k_most = int64_t{1} << 62;
  const auto groups = static_cast<int64_t>(bytes / layer_group_bytes_);
  const int64_t frames_together = layers_together_ * chunk_[0];
  return groups > k_most / frames_together ? k_most : groups * frames_together;
}

// The numbers of shells leave gaps for chunks that the array does not have.
bool ChunkGrid::fits(std::span<const int64_t> extents, uint64_t bytes) const {
  std::array<int64_t, Shells::k_most_dims> chunks{};
  size_t next = 0;
  for (size_t d = 0; d < dims_.size(); ++d) {
    if (dims_[d] == k_grows) chunks[next++] = extents[d] / chunk_[d] + (extents[d] % chunk_[d] != 0 ? 1 : 0);
  }
  const auto layers = Shells(growing_).end(std::span(chunks).first(growing_));
  const uint64_t groups = bytes / layer_group_bytes_;
  return layers && static_cast<uint64_t>(*layers) / static_cast<uint64_t>(layers_together_) < groups;
}

int64_t ChunkGrid::layer_begin(int64_t layer) const {
  const auto group = static_cast<uint64_t>(layer / layers_together_);
  return elements_behind(group * layer_group_bytes_) +
         layer % layers_together_ * chunks_in_layer_ * chunk_elements_;
}

int64_t ChunkGrid::frame_begin(int64_t index) const {
  if (!free_) return layer_begin(index / chunk_[0]) + index % chunk_[0] * plane_elements_;
  std::vector<int64_t> indices(dims_.size());
  indices[0] = index / chunk_[0];
  return begin_of(number_of(indices)) + index % chunk_[0] * plane_elements_;
}

int64_t ChunkGrid::in_layer(int64_t chunk) const {
  const auto group = static_cast<uint64_t>(chunk / chunks_together_);
  return elements_behind(group * group_bytes_) + chunk % chunks_together_ * chunk_elements_;
}

int64_t ChunkGrid::begin_of(int64_t chunk) const {
  return layer_begin(chunk / chunks_in_layer_) + in_layer(chunk % chunks_in_layer_);
}

// The groups that contain the byte determine the chunk. A byte before the first chunk of a group or after the
// last one is in a gap. This is asked for each chunk several times: divisions take most of its time.
ChunkGrid::Place ChunkGrid::at(uint64_t byte) const {
  const auto bytes_to = [this](int64_t elements) { return static_cast<uint64_t>(elements) * element_bytes_; };
  const auto distance = [](uint64_t from, uint64_t to) { return to > from ? to - from : 0; };
  const uint64_t layers = byte / layer_group_bytes_;  // groups of layers before this one
  uint64_t begin = bytes_to(elements_behind(layers * layer_group_bytes_));
  const uint64_t behind = distance(begin, byte);
  int64_t number = static_cast<int64_t>(layers) * layers_together_ * chunks_in_layer_;
  if (chunks_together_ == chunks_in_layer_) {
    const auto last = static_cast<uint64_t>(layers_together_ * chunks_in_layer_ - 1);
    const uint64_t chunk = std::min(behind / chunk_bytes(), last);
    number += static_cast<int64_t>(chunk);
    begin += chunk * chunk_bytes();
  } else {  // a group of layers is one layer
    const auto group = static_cast<int64_t>(behind / group_bytes_), last = chunks_together_ - 1;
    const uint64_t inside = distance(bytes_to(in_layer(group * chunks_together_)), behind);
    const auto in_group = std::min(inside / chunk_bytes(), static_cast<uint64_t>(last));
    const int64_t chunk =
        std::min(group * chunks_together_ + static_cast<int64_t>(in_group), chunks_in_layer_ - 1);
    number += chunk;
    begin += bytes_to(in_layer(chunk));
  }
  if (distance(begin, byte) < chunk_bytes()) return {number, distance(begin, byte), begin};
  return {number + 1, 0, bytes_to(begin_of(number + 1))};
}

int64_t ChunkGrid::number_of(std::span<const int64_t> indices) const {
  std::array<int64_t, Shells::k_most_dims> shell{};
  size_t next = 0;
  int64_t inside = 0;
  for (size_t d = 0; d < dims_.size(); ++d) {
    if (dims_[d] == k_grows) {
      shell[next++] = indices[d];
    } else {
      inside = inside * ((dims_[d] + chunk_[d] - 1) / chunk_[d]) + indices[d];
    }
  }
  return *Shells(growing_).number(std::span(shell).first(growing_)) * chunks_in_layer_ + inside;
}

std::vector<int64_t> ChunkGrid::start_of(int64_t chunk) const {
  std::vector<int64_t> start(dims_.size());
  for (size_t d = dims_.size(); d-- > (free_ ? 0 : 1);) {
    if (dims_[d] == k_grows) continue;
    const int64_t chunks = (dims_[d] + chunk_[d] - 1) / chunk_[d];
    start[d] = chunk % chunks * chunk_[d];
    chunk /= chunks;
  }
  if (!free_) {
    start[0] = chunk * chunk_[0];
    return start;
  }
  std::array<int64_t, Shells::k_most_dims> shell{};
  Shells(growing_).point(chunk, std::span(shell).first(growing_));
  for (size_t d = 0, next = 0; d < dims_.size(); ++d) {
    if (dims_[d] == k_grows) start[d] = shell[next++] * chunk_[d];
  }
  return start;
}

std::vector<ByteRange> ChunkGrid::padding_of(int64_t chunk) const { return padding_of(chunk, dims_); }

std::vector<ByteRange> ChunkGrid::padding_of(int64_t chunk, std::span<const int64_t> dims) const {
  const std::vector<int64_t> start = start_of(chunk);
  const auto inside_of = [&](size_t d) {
    return dims[d] == k_grows ? chunk_[d] : std::clamp<int64_t>(dims[d] - start[d], 0, chunk_[d]);
  };
  std::vector<ByteRange> padding;
  // [begin, end) in elements of the image, for dimension d; the indices of the dimensions before it are
  // inside.
  const auto add = [&](int64_t begin, int64_t end) {
    const ByteRange range{static_cast<uint64_t>(begin) * element_bytes_,
                          static_cast<uint64_t>(end) * element_bytes_};
    if (begin == end) return;
    if (!padding.empty() && padding.back().end == range.begin) {
      padding.back().end = range.end;
    } else {
      padding.push_back(range);
    }
  };
  const auto visit = [&](const auto& self, size_t d, int64_t begin, int64_t elements) -> void {
    if (d == dims_.size()) return;
    const int64_t inside = inside_of(d);
    const int64_t step = elements / chunk_[d];
    bool deeper = false;
    for (size_t e = d + 1; e < dims_.size(); ++e) deeper = deeper || inside_of(e) < chunk_[e];
    for (int64_t i = 0; i < inside && deeper; ++i) self(self, d + 1, begin + i * step, step);
    add(begin + inside * step, begin + elements);
  };
  visit(visit, 0, 0, chunk_elements_);
  return padding;
}

}  // namespace scorpio::decomp
