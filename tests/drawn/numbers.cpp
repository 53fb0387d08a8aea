#include "numbers.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace scorpio::drawn {
namespace {

template <typename F>
auto with_type(scorpio_type type, const F& f) {
  switch (type) {
    case SCORPIO_INT8:
      return f(int8_t{});
    case SCORPIO_INT16:
      return f(int16_t{});
    case SCORPIO_UINT16:
      return f(uint16_t{});
    case SCORPIO_INT32:
      return f(int32_t{});
    case SCORPIO_UINT32:
      return f(uint32_t{});
    case SCORPIO_INT64:
      return f(int64_t{});
    case SCORPIO_UINT64:
      return f(uint64_t{});
    case SCORPIO_FLOAT32:
      return f(float{});
    case SCORPIO_FLOAT64:
      return f(double{});
    default:
      return f(uint8_t{});
  }
}

}  // namespace

size_t bytes_of(scorpio_type type) {
  return with_type(type, [](auto zero) { return sizeof zero; });
}

bool is_float(scorpio_type type) { return type == SCORPIO_FLOAT32 || type == SCORPIO_FLOAT64; }

Number converted(Number number, scorpio_type type, bool* clipped) {
  return with_type(type, [&](auto zero) -> Number {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) {
      const T is = static_cast<T>(number);
      if (std::isinf(is) && !std::isinf(number) && clipped != nullptr) *clipped = true;
      return is;
    } else {
      const Number whole = std::trunc(number);
      const Number least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
      if (whole >= least && whole <= most) return whole;
      if (clipped != nullptr) *clipped = true;
      return whole < least ? least : most;
    }
  });
}

void encode(Number number, scorpio_type type, std::byte* to) {
  with_type(type, [&](auto zero) {
    zero = static_cast<decltype(zero)>(number);
    std::memcpy(to, &zero, sizeof zero);
    return 0;
  });
}

Number decoded(const std::byte* from, scorpio_type type) {
  return with_type(type, [&](auto is) -> Number {
    std::memcpy(&is, from, sizeof is);
    return is;
  });
}

Number default_fill(scorpio_type type) {
  switch (type) {
    case SCORPIO_INT8:
      return -127;
    case SCORPIO_UINT8:
      return 255;
    case SCORPIO_INT16:
      return -32767;
    case SCORPIO_UINT16:
      return 65535;
    case SCORPIO_INT32:
      return -2147483647;
    case SCORPIO_UINT32:
      return 4294967295U;
    case SCORPIO_INT64:
      return -9223372036854775806LL;
    case SCORPIO_UINT64:
      return 18446744073709551614ULL;
    case SCORPIO_FLOAT32:
      return static_cast<float>(9.9692099683868690e+36);
    case SCORPIO_FLOAT64:
      return 9.9692099683868690e+36;
    default:
      return 0;
  }
}

}  // namespace scorpio::drawn
