// What a variable must hold, kept in memory on every rank, and data that tell where they came from.
#pragma once

#include <cstring>
#include <vector>

#include "layout.h"

namespace scorpio::api_test {

// Element i of rank's buffer in the call-th put: small enough for any type, and different from its
// neighbours.
template <typename T>
T datum(int rank, int64_t i, uint64_t call) {
  uint64_t h = (static_cast<uint64_t>(rank) * 1000003u + static_cast<uint64_t>(i)) * 31u + call * 7919u;
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  return static_cast<T>(1 + (h ^ (h >> 13)) % 120);
}

template <typename T>
std::vector<T> data_of(const Layout& layout, int rank, uint64_t call) {
  std::vector<T> data(layout.of(rank).size());
  for (size_t i = 0; i < data.size(); ++i) data[i] = datum<T>(rank, static_cast<int64_t>(i), call);
  return data;
}

template <typename T>
class Reference {
 public:
  explicit Reference(const Extents& dims) : elements_(static_cast<size_t>(elements_of(dims)), T{}) {}

  // The highest rank wins, and of a rank's own elements the last.
  void put(const Layout& layout, uint64_t call) {
    for (size_t r = 0; r < layout.index.size(); ++r) {
      for (size_t i = 0; i < layout.index[r].size(); ++i) {
        const int64_t g = layout.index[r][i];
        if (g >= 0) (*this)[g] = datum<T>(static_cast<int>(r), static_cast<int64_t>(i), call);
      }
    }
  }

  // What `rank` must get; holes keep `untouched`.
  std::vector<T> part(const Layout& layout, int rank, T untouched) const {
    std::vector<T> part;
    for (const int64_t g : layout.of(rank)) {
      part.push_back(g >= 0 ? elements_[static_cast<size_t>(g)] : untouched);
    }
    return part;
  }

  T& operator[](int64_t g) { return elements_[static_cast<size_t>(g)]; }
  const std::vector<T>& elements() const { return elements_; }

 private:
  std::vector<T> elements_;
};

template <typename T>
constexpr scorpio_type type_of();
template <>
constexpr scorpio_type type_of<int8_t>() {
  return SCORPIO_INT8;
}
template <>
constexpr scorpio_type type_of<uint8_t>() {
  return SCORPIO_UINT8;
}
template <>
constexpr scorpio_type type_of<int16_t>() {
  return SCORPIO_INT16;
}
template <>
constexpr scorpio_type type_of<uint16_t>() {
  return SCORPIO_UINT16;
}
template <>
constexpr scorpio_type type_of<int32_t>() {
  return SCORPIO_INT32;
}
template <>
constexpr scorpio_type type_of<uint32_t>() {
  return SCORPIO_UINT32;
}
template <>
constexpr scorpio_type type_of<int64_t>() {
  return SCORPIO_INT64;
}
template <>
constexpr scorpio_type type_of<uint64_t>() {
  return SCORPIO_UINT64;
}
template <>
constexpr scorpio_type type_of<float>() {
  return SCORPIO_FLOAT32;
}
template <>
constexpr scorpio_type type_of<double>() {
  return SCORPIO_FLOAT64;
}

// Puts datum() of this rank. Collective.
template <typename T>
int put(scorpio_file* file, int variable, const Decomp& decomp, const Layout& layout, uint64_t call,
        int rank) {
  const std::vector<T> data = data_of<T>(layout, rank, call);
  return scorpio_put_darray(file, variable, decomp.get(), 0, type_of<T>(), data.data());
}

// Gets this rank's part and compares it. Collective.
template <typename T>
void expect_part(scorpio_file* file, int variable, const Decomp& decomp, const Layout& layout,
                 const Reference<T>& reference, int rank) {
  const T untouched = 77;
  std::vector<T> got(layout.of(rank).size(), untouched);
  EXPECT_SUCCESS(scorpio_get_darray(file, variable, decomp.get(), 0, type_of<T>(), got.data()))
      << layout.name;
  const std::vector<T> expected = reference.part(layout, rank, untouched);
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i]) continue;
    ADD_FAILURE() << layout.name << ": buffer element " << i << " (global " << layout.of(rank)[i] << ") is "
                  << +got[i] << ", not " << +expected[i];
    return;
  }
}

}  // namespace scorpio::api_test
