#include "pio/file/part_of_array.h"

#include <algorithm>
#include <functional>

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

// The elements of the layout's array, with one row of fill values for all of its rows.
struct FilledPart {
  std::vector<std::byte> row;
  std::vector<int64_t> start, count, map;

  FilledPart(const Write& write, size_t ndims) {
    count = aligned(write.layout->extents, write.array.size());
    const auto elements = static_cast<size_t>(count.back());
    map.assign(count.size(), 0);
    map.back() = 1;
    row.resize(elements * write.element_bytes);
    for (size_t i = 0; i < elements; ++i)
      std::copy(write.fill.begin(), write.fill.end(),
                row.begin() + static_cast<std::ptrdiff_t>(i * write.element_bytes));
    start.assign(ndims, 0);
    if (ndims == count.size()) return;
    start.front() = write.record;
    count.insert(count.begin(), 1);
    map.insert(map.begin(), 0);
  }

  scorpio_access access(const Write& write, int root) const {
    scorpio_access all =
        scorpio_hyperslab(write.variable, start.data(), count.data(), write.type, row.data());
    all.map = map.data();
    all.sharing = SCORPIO_ALL_RANKS;
    all.root = root;
    return all;
  }
};

}  // namespace

bool is_first_part(std::span<const int64_t> extents, std::span<const int64_t> array) {
  if (array.empty() || extents.size() < array.size()) return false;
  const std::vector<int64_t> part = aligned(extents, array.size());
  return std::ranges::equal(part, array, std::ranges::less_equal());
}

int part_of_array(const IoSystem& system, Layout& layout, const std::vector<int64_t>& array,
                  scorpio_decomp*& decomp) {
  if (const auto at = layout.in_arrays.find(array); at != layout.in_arrays.end()) {
    decomp = at->second;
    return PIO_NOERR;
  }
  const std::vector<int64_t> extents = aligned(layout.extents, array.size());
  std::vector<int64_t> map;
  for (const PIO_Offset index : layout.map->unpacked(layout.elements))
    map.push_back(index == 0 ? -1 : in_array(index - 1, extents, array));
  const int native = scorpio_decomp_map(system.native(), static_cast<int>(array.size()), array.data(),
                                        layout.elements, map.data(), &decomp);
  if (native == SCORPIO_OK) layout.in_arrays[array] = decomp;
  return natively(native);
}

int put_part(scorpio_file* file, const IoSystem& system, const Write& write) {
  scorpio_decomp* decomp = nullptr;
  if (const int code = part_of_array(system, *write.layout, write.array, decomp); code != PIO_NOERR)
    return code;
  const FilledPart filled(write, write.ndims);
  const scorpio_access accesses[] = {
      filled.access(write, system.root()),
      scorpio_darray(write.variable, decomp, write.record, write.type, write.values())};
  const int native = scorpio_put_n(file, 2, accesses);
  return native == SCORPIO_ERR_RANGE ? PIO_NOERR : natively(native);
}

}  // namespace scorpio_pio
