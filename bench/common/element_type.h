// Types of elements, and a way to act on each. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

enum class Type { int8, uint8, int32, float32, float64 };

// Calls act(zero of the type).
template <class Act>
void with_type(Type type, Act&& act) {
  switch (type) {
    case Type::int8:
      return act(int8_t{});
    case Type::uint8:
      return act(uint8_t{});
    case Type::int32:
      return act(int32_t{});
    case Type::float32:
      return act(float{});
    case Type::float64:
      return act(double{});
  }
}

inline size_t bytes_of(Type type) {
  size_t bytes = 0;
  with_type(type, [&](auto zero) { bytes = sizeof(zero); });
  return bytes;
}

}  // namespace bench
