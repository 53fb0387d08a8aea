#include "selection.h"

#include <algorithm>

namespace scorpio::drawn {
namespace {

struct Slab {
  std::vector<int64_t> start, count, stride;
};

Slab draw_slab(Draws& draws, const Contents& contents, const Variable& variable, bool growing) {
  Slab slab;
  for (size_t d = 0; d < variable.dimensions.size(); ++d) {
    const bool free = growing && contents.unlimited(variable, d);
    const int64_t length = variable.extents[d] + (free ? draws.between(0, draws.one_in(4) ? 4 : 1) : 0);
    const int64_t start = length == 0 ? 0 : draws.between(0, length - 1);
    const int64_t stride = draws.one_in(4) ? draws.between(1, 4) : 1;
    const int64_t most = length == 0 ? 0 : (length - start - 1) / stride + 1;
    const bool all = draws.one_in(2);
    slab.start.push_back(start);
    slab.stride.push_back(stride);
    slab.count.push_back(all ? most : draws.one_in(12) ? 0 : most == 0 ? 0 : draws.between(1, most));
  }
  // Whether records are added of which no element is put is not said.
  if (std::ranges::count(slab.count, 0) > 0) {
    for (size_t d = 0; d < slab.count.size(); ++d) slab.start[d] = slab.count[d] = 0;
  }
  return slab;
}

void add_places(Selection& selection, const Slab& slab, int64_t offset, const std::vector<int64_t>& map) {
  const size_t ndims = slab.start.size();
  int64_t n = 1;
  for (const int64_t count : slab.count) n *= count;
  std::vector<int64_t> index(ndims, 0);
  for (int64_t i = 0; i < n; ++i) {
    Place place{};
    int64_t at = map.empty() ? offset + i : offset;
    for (size_t d = 0; d < ndims; ++d) {
      place[d] = slab.start[d] + index[d] * slab.stride[d];
      if (!map.empty()) at += index[d] * map[d];
    }
    selection.places.push_back(place);
    selection.buffer.push_back(static_cast<size_t>(at));
    for (size_t d = ndims; d-- > 0 && ++index[d] == slab.count[d];) index[d] = 0;
  }
}

}  // namespace

Selection draw_slabs(Draws& draws, const Contents& contents, const Variable& variable, bool growing,
                     int64_t most_slabs) {
  Selection selection;
  const size_t ndims = variable.dimensions.size();
  selection.n = most_slabs == 1   ? 1
                : draws.one_in(5) ? 0
                : draws.one_in(3) ? draws.between(1, most_slabs)
                                  : 1;
  if (ndims == 0) selection.n = 1;
  const bool placed = draws.one_in(4), transposed = selection.n == 1 && ndims > 1 && draws.one_in(4);
  const bool strided = !draws.one_in(2);
  int64_t next = placed ? draws.between(0, 3) : 0;
  for (int64_t s = 0; s < selection.n; ++s) {
    Slab slab = draw_slab(draws, contents, variable, growing);
    if (!strided) {
      for (size_t d = 0; d < ndims; ++d) slab.stride[d] = 1;
    }
    int64_t n = 1;
    for (const int64_t count : slab.count) n *= count;
    if (transposed) {
      selection.map.assign(ndims, 1);
      for (size_t d = 1; d < ndims; ++d)
        selection.map[d] = selection.map[d - 1] * std::max<int64_t>(slab.count[d - 1], 1);
    }
    add_places(selection, slab, next, selection.map);
    if (placed) selection.offset.push_back(next);
    next += n + (placed ? draws.between(0, 5) : 0);
    for (size_t d = 0; d < ndims; ++d) {
      selection.start.push_back(slab.start[d]);
      selection.count.push_back(slab.count[d]);
      if (strided) selection.stride.push_back(slab.stride[d]);
    }
  }
  selection.buffer_elements = static_cast<size_t>(next);
  return selection;
}

std::string text_of(const Selection& selection) {
  std::string text = " n " + std::to_string(selection.n);
  const auto add = [&](const char* name, const std::vector<int64_t>& numbers) {
    if (!numbers.empty()) text += std::string(" ") + name;
    for (const int64_t number : numbers) text += " " + std::to_string(number);
  };
  add("start", selection.start);
  add("count", selection.count);
  add("stride", selection.stride);
  add("offset", selection.offset);
  add("map", selection.map);
  return text;
}

scorpio_access access_of(const Selection& selection, int id, scorpio_type type, const void* data) {
  scorpio_access access = scorpio_hyperslab(id, selection.start.data(), selection.count.data(), type, data);
  access.n = selection.n;
  if (selection.start.empty()) access.start = access.count = nullptr;
  if (!selection.stride.empty()) access.stride = selection.stride.data();
  if (!selection.offset.empty()) access.offset = selection.offset.data();
  if (!selection.map.empty()) access.map = selection.map.data();
  return access;
}

Selection part_of(const api_test::Layout& layout, int rank, const Variable& variable, int64_t record) {
  Selection selection;
  const auto& index = layout.of(rank);
  const size_t outer = variable.dimensions.size() - layout.dims.size();
  selection.buffer_elements = index.size();
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0) continue;
    Place place{};
    if (outer == 1) place[0] = record;
    int64_t left = index[i];
    for (size_t d = layout.dims.size(); d-- > 0;) {
      place[outer + d] = left % layout.dims[d];
      left /= layout.dims[d];
    }
    selection.places.push_back(place);
    selection.buffer.push_back(i);
  }
  return selection;
}

}  // namespace scorpio::drawn
