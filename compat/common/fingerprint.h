// A hash (FNV-1a, 64 bit) of what ranks call, so that they can compare it, for all interfaces over the public
// one. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace scorpio_compat {

// Numbers that ranks reduce stay below 2^63: MPICH 4.0 compares MPI_UINT64_T as if it had a sign, Open
// MPI 4.1 does so with MPI_UNSIGNED_LONG.
constexpr uint64_t k_agreeable = INT64_MAX;
// Falls where `value` rises: the maxima of both tell whether all ranks have the same.
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
