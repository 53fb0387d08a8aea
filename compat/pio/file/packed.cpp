#include "pio/file/packed.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <utility>

#include "pio/base/types.h"
#include "pio/file/string_elements.h"

namespace scorpio_pio {

std::vector<int64_t> places_of(const CheckedRegion& region) {
  std::vector<int64_t> places(static_cast<size_t>(region.elements));
  if (region.map.empty()) {
    std::iota(places.begin(), places.end(), int64_t{0});
    return places;
  }
  std::vector<int64_t> at(region.count.size(), 0);
  for (int64_t& place : places) {
    for (size_t d = 0; d < at.size(); ++d) place += at[d] * region.map[d];
    for (size_t d = at.size(); d-- > 0 && ++at[d] == region.count[d];) at[d] = 0;
  }
  return places;
}

Buffer packed(IoSystem& system, const CheckedRegion& region, nc_type memory, const void* data) {
  if (memory == PIO_STRING)
    return packed_strings(system, places_of(region), static_cast<const char* const*>(data));
  const size_t element_bytes = element_of(memory)->bytes;
  Buffer bytes = system.take_buffer(static_cast<size_t>(region.elements) * element_bytes);
  if (region.map.empty()) {
    std::memcpy(bytes.get(), data, static_cast<size_t>(region.elements) * element_bytes);
    return bytes;
  }
  const auto* const from = static_cast<const std::byte*>(data);
  std::byte* to = bytes.get();
  for (const int64_t place : places_of(region)) {
    std::memcpy(to, from + place * static_cast<int64_t>(element_bytes), element_bytes);
    to += element_bytes;
  }
  return bytes;
}

Buffer converted(IoSystem& system, const CheckedRegion& region, nc_type memory, nc_type stored, Rules rules,
                 const void* data, bool& fits) {
  const auto n = static_cast<size_t>(region.elements);
  Buffer changed = system.take_buffer(n * element_of(stored)->bytes);
  if (region.map.empty()) {
    fits = convert_numbers(memory, data, stored, changed.get(), n, rules);
    return changed;
  }
  Buffer values = packed(system, region, memory, data);
  fits = convert_numbers(memory, values.get(), stored, changed.get(), n, rules);
  system.give_back(std::move(values));
  return changed;
}

bool all_fit(const CheckedRegion& region, nc_type memory, nc_type stored, Rules rules, const void* data) {
  constexpr int64_t k_piece = 512;
  std::array<std::byte, k_piece * sizeof(double)> unused;
  const auto fit = [&](int64_t place, int64_t n) {
    const auto* const from =
        static_cast<const std::byte*>(data) + place * static_cast<int64_t>(element_of(memory)->bytes);
    return convert_numbers(memory, from, stored, unused.data(), static_cast<size_t>(n), rules);
  };
  if (!region.map.empty())
    return std::ranges::all_of(places_of(region), [&](int64_t place) { return fit(place, 1); });
  for (int64_t at = 0; at < region.elements; at += k_piece) {
    if (!fit(at, std::min(k_piece, region.elements - at))) return false;
  }
  return true;
}

}  // namespace scorpio_pio
