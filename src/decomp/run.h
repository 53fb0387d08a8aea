// A run: consecutive global elements that are consecutive in the buffer of a rank, too. Pure.
#pragma once

#include <cstdint>

namespace scorpio::decomp {

// `length` consecutive elements, global [global, global+length), buffer [local, local+length).
struct Run {
  int64_t global;
  int64_t local;
  int64_t length;

  friend bool operator==(const Run&, const Run&) = default;
};

}  // namespace scorpio::decomp
