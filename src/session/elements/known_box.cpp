#include "session/elements/known_box.h"

#include <algorithm>

#include "session/elements/free_dims.h"
#include "session/state/variable_access.h"

namespace scorpio::session {

namespace {

// The largest number of records that one operation moves.
constexpr int64_t k_most_records = 1024;

std::string name_of_box(const Box& box, std::optional<int> root) {
  std::string text = fmt::format("the hyperslab start ({}), count ({})", fmt::join(box.start, ", "),
                                 fmt::join(box.count, ", "));
  if (!box.stride.empty()) text += fmt::format(", stride ({})", fmt::join(box.stride, ", "));
  return root ? text + fmt::format(" of rank {}", *root) : text;
}

}  // namespace

Result<KnownBox> KnownBox::make(const System& system, const model::Variable& variable, const Box& box,
                                std::optional<int> root, const Move& like) {
  RecordRange records{0, 1, 1};
  const bool by_record =
      variable.records && !variable.is_free() && (root.has_value() || !reads_records_at_once(variable));
  if (by_record) {
    SCORPIO_ASSIGN(records, records_of(variable, box, root.has_value()));
  }
  KnownBox known(like, records);
  const Box slab = by_record ? of_record(box) : box;
  std::vector<int64_t> dims(variable.dims.begin() + (by_record ? 1 : 0), variable.dims.end());
  if (variable.is_free() && root) {
    SCORPIO_ASSIGN(decomp::Region region, region_of(variable, std::span(&box, 1)));
    dims = std::move(region.extents);
  }
  SCORPIO_ASSIGN(decomp::LocalPart part, part_of(dims, slab));
  known.record_elements_ = part.local_elements;
  known.end_ = part.local_elements == 0 ? 0 : records.count;
  known.distance_ = by_record && !box.map.empty() ? box.map[0] : part.local_elements;
  known.decomposition_ = Decomposition::known_to_all(system, std::move(part), root, name_of_box(box, root));
  return known;
}

std::vector<Move> KnownBox::next() {
  begun_ = true;
  const int64_t first = next_;
  next_ = std::min(end_, first + k_most_records);
  std::vector<Move> moves;
  moves.reserve(static_cast<size_t>(next_ - first));
  for (int64_t k = first; k < next_; ++k) {
    moves.push_back(shifted(like_, k * distance_));
    moves.back().record = records_.first + k * records_.stride;
  }
  return moves;
}

}  // namespace scorpio::session
