// Conversion kernels: simple loops with memcpy for loads and stores, which compilers vectorise. Local;
// thread-safe.
#include "codec/kernels.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "codec/words.h"

namespace scorpio::codec {
namespace {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);

template <typename Word>
uint64_t swap(const std::byte* from, std::byte* to, size_t elements) {
  for (size_t i = 0; i < elements; ++i) {
    store(to + i * sizeof(Word), reversed(load<Word>(from + i * sizeof(Word))));
  }
  return 0;
}

template <typename To>
struct Fitted {
  To value;
  bool fits;
};

template <typename To, typename From>
Fitted<To> fit_integer(From value) {
  using Limits = std::numeric_limits<To>;
  if (std::cmp_less(value, Limits::min())) return {Limits::min(), false};
  if (std::cmp_greater(value, Limits::max())) return {Limits::max(), false};
  return {static_cast<To>(value), true};
}

// The bounds are powers of two, or zero, and therefore exact in every floating-point type.
template <typename To, typename From>
Fitted<To> fit_truncated(From value) {
  using Limits = std::numeric_limits<To>;
  constexpr From k_low = static_cast<From>(Limits::min());
  constexpr From k_beyond = static_cast<From>(Limits::max() / 2 + 1) * From{2};
  const From whole = std::trunc(value);
  if (whole >= k_beyond) return {Limits::max(), false};
  if (whole >= k_low) return {static_cast<To>(whole), true};
  return {std::isnan(value) ? To{0} : Limits::min(), false};
}

template <typename To, typename From>
Fitted<To> fit(From value) {
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    return fit_integer<To>(value);
  } else if constexpr (std::is_integral_v<To>) {
    return fit_truncated<To>(value);
  } else if constexpr (sizeof(To) < sizeof(From) && std::is_floating_point_v<From>) {
    const To rounded = static_cast<To>(value);
    return {rounded, !std::isinf(rounded) || std::isinf(value)};
  } else {
    return {static_cast<To>(value), true};
  }
}

template <typename From, typename To>
uint64_t convert(const std::byte* from, std::byte* to, size_t elements) {
  uint64_t misfits = 0;
  for (size_t i = 0; i < elements; ++i) {
    const Fitted<To> fitted = fit<To>(load<From>(from + i * sizeof(From)));
    store(to + i * sizeof(To), fitted.value);
    misfits += fitted.fits ? 0 : 1;
  }
  return misfits;
}

// In the order of model::Kind.
using Numbers =
    std::tuple<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, float, double>;
constexpr size_t k_numbers = std::tuple_size_v<Numbers>;
static_assert(static_cast<size_t>(model::Kind::float64) + 1 == k_numbers);

template <size_t... I>
constexpr std::array<Kernel, sizeof...(I)> make_table(std::index_sequence<I...>) {
  return {&convert<std::tuple_element_t<I / k_numbers, Numbers>,
                   std::tuple_element_t<I % k_numbers, Numbers>>...};
}

// [from kind][to kind]
constexpr auto k_convert = make_table(std::make_index_sequence<k_numbers * k_numbers>());

}  // namespace

Kernel swap_kernel(size_t element_bytes) {
  if (element_bytes == 2) return &swap<uint16_t>;
  if (element_bytes == 4) return &swap<uint32_t>;
  if (element_bytes == 8) return &swap<uint64_t>;
  return nullptr;
}

Kernel number_kernel(model::Kind from, model::Kind to) {
  if (from == to) return nullptr;
  return k_convert[static_cast<size_t>(from) * k_numbers + static_cast<size_t>(to)];
}

}  // namespace scorpio::codec
