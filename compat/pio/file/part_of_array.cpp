#include "pio/file/part_of_array.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "pio/base/failure.h"
#include "scorpio/codes.h"
#include "scorpio/data.h"

namespace scorpio_pio {

namespace {

// With as many dimensions as the array has.
std::vector<int64_t> aligned(std::span<const int64_t> extents, size_t ndims) {
  while (extents.size() > ndims && extents.front() == 1) extents = extents.subspan(1);
  std::vector<int64_t> all(ndims - std::min(ndims, extents.size()), 1);
  all.insert(all.end(), extents.begin(), extents.end());
  return all;
}

// The place in `array` of the element that has this one in its part of `extents`.
int64_t in_array(int64_t index, const std::vector<int64_t>& extents, const std::vector<int64_t>& array) {
  int64_t place = 0, step = 1;
  for (size_t d = array.size(); d-- > 0;) {
    place += index % extents[d] * step;
    index /= extents[d];
    step *= array[d];
  }
  return place;
}

}  // namespace

bool is_first_part(std::span<const int64_t> extents, std::span<const int64_t> array) {
  if (array.empty() || extents.size() < array.size()) return false;
  const std::vector<int64_t> part = aligned(extents, array.size());
  return std::ranges::equal(part, array, std::ranges::less_equal());
}

PartOfArray::PartOfArray(Layout& layout, const std::vector<int64_t>& array) : layout_(layout), array_(array) {
  if (layout.in_arrays.contains(array)) return;
  const std::vector<int64_t> extents = aligned(layout.extents, array.size());
  map_ = layout.index();
  for (int64_t& at : map_) {
    if (at >= 0) at = in_array(at, extents, array);
  }
  entry_.emplace(array, nullptr);
}

int PartOfArray::decomposition(const IoSystem& system, scorpio_decomp*& decomp) {
  if (const auto at = layout_.in_arrays.find(array_); at != layout_.in_arrays.end()) {
    decomp = at->second;
    return PIO_NOERR;
  }
  const int native = scorpio_decomp_map(system.native(), static_cast<int>(array_.size()), array_.data(),
                                        layout_.elements, map_.data(), &decomp);
  if (native != SCORPIO_OK) return natively(native);
  entry_.begin()->second = decomp;
  layout_.in_arrays.merge(entry_);
  return PIO_NOERR;
}

PutOfPart::PutOfPart(const Write& write) : part_(*write.layout, write.array) {
  count_ = aligned(write.layout->extents, write.array.size());
  const auto elements = static_cast<size_t>(count_.back());
  map_.assign(count_.size(), 0);
  map_.back() = 1;
  row_.reserve(elements * write.element_bytes);
  for (size_t i = 0; i < elements; ++i) row_.insert(row_.end(), write.fill.begin(), write.fill.end());
  start_.assign(write.ndims, 0);
  if (write.ndims == count_.size()) return;
  start_.front() = write.record;
  count_.insert(count_.begin(), 1);
  map_.insert(map_.begin(), 0);
}

int PutOfPart::carry_out(scorpio_file* file, const IoSystem& system, const Write& write) {
  scorpio_decomp* decomp = nullptr;
  if (const int code = part_.decomposition(system, decomp); code != PIO_NOERR) return code;
  scorpio_access fill =
      scorpio_hyperslab(write.variable, start_.data(), count_.data(), write.type, row_.data());
  fill.map = map_.data();
  fill.sharing = SCORPIO_ALL_RANKS;
  fill.root = system.root();
  const scorpio_access accesses[] = {
      fill, scorpio_darray(write.variable, decomp, write.record, write.type, write.values())};
  const int native = scorpio_put_n(file, 2, accesses);
  return native == SCORPIO_ERR_RANGE ? PIO_NOERR : natively(native);
}

}  // namespace scorpio_pio
