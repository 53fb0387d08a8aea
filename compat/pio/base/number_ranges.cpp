#include "pio/base/number_ranges.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "pio/base/iotypes.h"
#include "pio/base/types.h"

namespace scorpio_pio {

namespace {

// Calls function(T{}) with the type in memory of a numeric type of netCDF.
template <typename Function>
auto with_type(nc_type type, Function&& function) {
  switch (type) {
    case PIO_BYTE:
      return function(int8_t{});
    case PIO_UBYTE:
      return function(uint8_t{});
    case PIO_SHORT:
      return function(int16_t{});
    case PIO_USHORT:
      return function(uint16_t{});
    case PIO_INT:
      return function(int32_t{});
    case PIO_UINT:
      return function(uint32_t{});
    case PIO_INT64:
      return function(int64_t{});
    case PIO_UINT64:
      return function(uint64_t{});
    case PIO_FLOAT:
      return function(float{});
    default:
      return function(double{});
  }
}

// The limits are rounded to double, so that 2^63 is in the range of int64, and for uint32 in netCDF-4 files
// to the type of the value. NaN is in range.
template <typename To, typename From>
bool is_in_range(From value, Rules rules) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    return std::in_range<To>(value);
  } else if constexpr (std::is_integral_v<From>) {
    return true;
  } else {
    const bool rounds = std::is_same_v<To, uint32_t> && rules == Rules::netcdf4;
    const double largest =
        rounds ? double{static_cast<From>(Limits::max())} : static_cast<double>(Limits::max());
    return !(value > largest || value < static_cast<double>(Limits::lowest()));
  }
}

template <typename Word, typename From>
Word cut(From value) {
  constexpr Word k_least = std::numeric_limits<Word>::min();
  constexpr From k_low = static_cast<From>(k_least);
  return value >= k_low && value < -k_low ? static_cast<Word>(value) : k_least;
}

// In a netCDF-4 file, netCDF-C also stores 2^63 for larger numbers that uint64 holds; here they are kept.
template <typename From>
uint64_t cut_unsigned(From value, Rules rules) {
  constexpr uint64_t k_half = uint64_t{1} << 63;
  constexpr From k_middle = static_cast<From>(k_half);
  const bool held = value < 2 * k_middle;
  if (!(value >= k_middle) || (!held && rules == Rules::netcdf4))
    return static_cast<uint64_t>(cut<int64_t>(value));
  return static_cast<uint64_t>(cut<int64_t>(value - k_middle)) ^ k_half;
}

template <typename To, typename From>
To to_integer(From value, Rules rules) {
  using Limits = std::numeric_limits<To>;
  if constexpr (sizeof(To) == 8) {
    if (rules == Rules::classic_get && value == static_cast<From>(Limits::max())) return Limits::max();
  }
  if constexpr (std::is_same_v<To, uint64_t>) {
    return cut_unsigned(value, rules);
  } else {
    using Word = std::conditional_t<(sizeof(To) < 4 || std::is_same_v<To, int32_t>), int32_t, int64_t>;
    return static_cast<To>(cut<Word>(value));
  }
}

template <typename To, typename From>
To to_float(From value, Rules rules) {
  using Limits = std::numeric_limits<To>;
  if (rules != Rules::classic_get || is_in_range<To>(value, rules)) return static_cast<To>(value);
  return value > 0 ? Limits::max() : Limits::lowest();
}

template <typename To, typename From>
To changed(From value, Rules rules) {
  if constexpr (std::is_integral_v<From>) {
    return static_cast<To>(value);
  } else if constexpr (std::is_integral_v<To>) {
    return to_integer<To>(value, rules);
  } else {
    return to_float<To>(value, rules);
  }
}

template <typename From, typename To>
bool convert(const void* source, void* target, size_t n, Rules rules) {
  constexpr bool k_cuts = std::is_integral_v<To> && std::is_floating_point_v<From>;
  const bool leaves = k_cuts && rules == Rules::classic_get;
  const auto* from = static_cast<const std::byte*>(source);
  auto* to = static_cast<std::byte*>(target);
  bool all = true;
  for (size_t i = 0; i < n; ++i, from += sizeof(From), to += sizeof(To)) {
    From value;
    std::memcpy(&value, from, sizeof value);
    const bool fits = is_in_range<To>(value, rules);
    all = all && fits;
    if (!fits && leaves) continue;
    const To there = changed<To>(value, rules);
    std::memcpy(to, &there, sizeof there);
  }
  return all;
}

template <typename From, typename To>
bool may_exceed(Rules rules) {
  using Limits = std::numeric_limits<From>;
  if constexpr (std::is_floating_point_v<To> && std::is_floating_point_v<From>) {
    return sizeof(To) < sizeof(From) || (sizeof(To) > sizeof(From) && rules == Rules::classic_put);
  } else if constexpr (std::is_floating_point_v<To>) {
    return false;
  } else if constexpr (std::is_floating_point_v<From>) {
    return true;
  } else {
    return !std::in_range<To>(Limits::min()) || !std::in_range<To>(Limits::max());
  }
}

// Whether values of the numeric type `from` may be out of the range of `to`.
bool may_be_out_of_range(nc_type from, nc_type to, Rules rules) {
  return with_type(from, [&](auto source) {
    return with_type(to, [&](auto target) { return may_exceed<decltype(source), decltype(target)>(rules); });
  });
}

}  // namespace

nc_type signed_as_stored(scorpio_format format, nc_type memory, nc_type stored) {
  const bool same = memory == PIO_UBYTE && stored == PIO_BYTE && has_first_types_only(format);
  return same ? stored : memory;
}

std::optional<Rules> rules_of(scorpio_format format, nc_type from, nc_type to, Rules classic) {
  const Rules rules = is_classic(format) ? classic : Rules::netcdf4;
  if (from == to || !element_of(from) || is_text(from) || !may_be_out_of_range(from, to, rules))
    return std::nullopt;
  return rules;
}

bool convert_numbers(nc_type from, const void* source, nc_type to, void* target, size_t n, Rules rules) {
  return with_type(from, [&](auto a) {
    return with_type(to, [&](auto b) { return convert<decltype(a), decltype(b)>(source, target, n, rules); });
  });
}

}  // namespace scorpio_pio
