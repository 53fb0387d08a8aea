// The elements of a dataset that a rank writes or reads: the patterns of the 2012 interface. Local; pure.
#pragma once

#include <memory>

#include "common.h"

namespace scorpio2012 {

// Is shared by the layouts with this list: its address shows whether two lists are the same.
struct IndexList {
  std::shared_ptr<const int64_t[]> index;  // [n]
  int64_t n = 0;

  bool operator==(const IndexList&) const = default;
};

// A list of the caller, valid during the call; a copy that remains valid. None if n or index are invalid.
std::optional<IndexList> borrowed_list(int64_t n, const int64_t* index);
std::optional<IndexList> copied_list(int64_t n, const int64_t* index);

struct Layout {
  enum class Kind { rows, block, list };
  Kind kind = Kind::block;
  Extents dims;    // of the dataset
  Extents start;   // block: [dims]
  Extents count;   // block: [dims]; rows: one number
  IndexList list;  // list

  bool operator==(const Layout&) const = default;
};

// The number of elements of the rank's buffer; none if it does not fit into an int64_t.
std::optional<int64_t> local_elements(const Layout& layout);

// All of these functions return none if the arguments contradict each other.

// `local` rows in rank order; the other extents of `local` are those of `dims`, unless there are no rows.
std::optional<Layout> row_layout(const Extents& dims, const std::optional<Extents>& local);
// This rank's equal share of the rows of `global`, which `local` must equal.
std::optional<Layout> uniform_layout(const Extents& dims, const Extents& global,
                                     const std::optional<Extents>& local, int rank, int ranks);
std::optional<Layout> block_layout(const Extents& dims, const std::optional<Extents>& start,
                                   const std::optional<Extents>& count);
// The `global` elements from the origin on.
std::optional<Layout> origin_layout(const Extents& dims, const Extents& global);
Layout nothing_of(const Extents& dims);
std::optional<Layout> list_layout(const Extents& dims, const std::optional<IndexList>& list);

}  // namespace scorpio2012
