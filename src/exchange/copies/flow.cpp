#include "exchange/copies/flow.h"

#include <array>

#include "base/hash.h"

namespace scorpio::exchange {

ByteRange Part::hull() const {
  if (runs->empty()) return {begin, begin};
  const decomp::Interval elements = runs->hull();
  return {begin + static_cast<uint64_t>(elements.begin) * element_bytes,
          begin + static_cast<uint64_t>(elements.end) * element_bytes};
}

uint64_t Flow::bytes() const {
  uint64_t bytes = 0;
  for (const Part& part : parts) bytes += part.bytes();
  return bytes;
}

uint64_t Flow::hash(bool reading) const {
  std::array<uint64_t, 8> facts{reading ? 1u : 0u,
                                variable.begin,
                                variable.end,
                                touched.size(),
                                0,
                                0,
                                rule.contiguous ? 1u : 0u,
                                static_cast<uint64_t>(rule.io_ranks)};
  if (!touched.empty()) {
    facts[4] = touched.front().begin;
    facts[5] = touched.back().end;
  }
  return hash_of_numbers(facts);
}

}  // namespace scorpio::exchange
