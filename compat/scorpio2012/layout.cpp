#include "layout.h"

#include <algorithm>

namespace scorpio2012 {

std::optional<IndexList> borrowed_list(int64_t n, const int64_t* index) {
  if (n < 0 || (n > 0 && index == nullptr)) return std::nullopt;
  return IndexList{{index, [](const int64_t*) {}}, n};
}

std::optional<IndexList> copied_list(int64_t n, const int64_t* index) {
  if (n < 0 || (n > 0 && index == nullptr)) return std::nullopt;
  auto copy = std::make_shared<int64_t[]>(static_cast<size_t>(n));
  std::copy_n(index, n, copy.get());
  return IndexList{std::move(copy), n};
}

std::optional<int64_t> local_elements(const Layout& layout) {
  if (layout.kind == Layout::Kind::list) return layout.list.n;
  Extents local = layout.count;
  if (layout.kind == Layout::Kind::rows)
    local.insert(local.end(), layout.dims.begin() + 1, layout.dims.end());
  return volume(local);
}

namespace {

bool same_tails(const Extents& a, const Extents& b) {
  return a.size() == b.size() && std::equal(a.begin() + 1, a.end(), b.begin() + 1);
}

}  // namespace

std::optional<Layout> row_layout(const Extents& dims, const std::optional<Extents>& local) {
  if (!local || local->size() != dims.size()) return std::nullopt;
  if ((*local)[0] > 0 && !same_tails(*local, dims)) return std::nullopt;
  return Layout{Layout::Kind::rows, dims, {}, {(*local)[0]}, {}};
}

std::optional<Layout> uniform_layout(const Extents& dims, const Extents& global,
                                     const std::optional<Extents>& local, int rank, int ranks) {
  if (!local || !same_tails(*local, global)) return std::nullopt;
  const int64_t share = global[0] / ranks;
  const int64_t longer = global[0] % ranks;
  Extents count = global;
  count[0] = share + (rank < longer ? 1 : 0);
  if ((*local)[0] != count[0]) return std::nullopt;
  Extents start(global.size(), 0);
  start[0] = share * rank + std::min<int64_t>(rank, longer);
  return block_layout(dims, start, count);
}

std::optional<Layout> block_layout(const Extents& dims, const std::optional<Extents>& start,
                                   const std::optional<Extents>& count) {
  if (!count || count->size() != dims.size()) return std::nullopt;
  if (std::find(count->begin(), count->end(), 0) != count->end()) return nothing_of(dims);
  if (!start || start->size() != dims.size()) return std::nullopt;
  for (size_t d = 0; d < dims.size(); ++d) {
    if ((*start)[d] > dims[d] || (*count)[d] > dims[d] - (*start)[d]) return std::nullopt;
  }
  return Layout{Layout::Kind::block, dims, *start, *count, {}};
}

std::optional<Layout> origin_layout(const Extents& dims, const Extents& global) {
  return block_layout(dims, Extents(global.size(), 0), global);
}

Layout nothing_of(const Extents& dims) {
  return Layout{Layout::Kind::block, dims, Extents(dims.size(), 0), Extents(dims.size(), 0), {}};
}

std::optional<Layout> list_layout(const Extents& dims, const std::optional<IndexList>& list) {
  if (!list) return std::nullopt;
  return Layout{Layout::Kind::list, dims, {}, {}, *list};
}

}  // namespace scorpio2012
