// A hash (FNV-1a, 64 bit) of the calls of a rank, which the ranks compare; for the compatibility libraries.
// Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace scorpio_compat {

// Numbers that ranks reduce stay below 2^63, because MPICH 4.0 compares MPI_UINT64_T, and Open MPI 4.1
// MPI_UNSIGNED_LONG, as signed numbers.
constexpr uint64_t k_agreeable = INT64_MAX;
// Decreases when `value` increases: the maxima of both show whether all ranks have the same value.
constexpr uint64_t complement(uint64_t value) { return value ^ k_agreeable; }

class Fingerprint {
 public:
  Fingerprint& add(const void* bytes, size_t n) {
    for (size_t i = 0; i < n; ++i)
      value_ = (value_ ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3;
    return *this;
  }
  Fingerprint& add(int64_t number) {
    value_ = (value_ ^ static_cast<uint64_t>(number)) * 0x9e3779b97f4a7c15;
    value_ ^= value_ >> 29;
    return *this;
  }
  Fingerprint& add(std::string_view text) {
    return add(static_cast<int64_t>(text.size())).add(text.data(), text.size());
  }
  uint64_t value() const { return value_ & k_agreeable; }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace scorpio_compat
