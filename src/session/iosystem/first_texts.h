// Which texts are printed already: a set of hashes, which the ranks of a node share if its memory is theirs.
// Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/hash.h"
#include "comm/shared_word.h"

namespace scorpio::session {

// All bytes zero: empty.
class FirstTexts {
 public:
  static constexpr size_t k_most = 1024;

  // Whether this is the first call with the text. False for further texts when there are k_most.
  bool is_first(std::string_view text) {
    const uint64_t hash = fnv1a(text) | 1;  // not 0
    for (size_t step = 0; step < k_most; ++step) {
      comm::Shared<uint64_t>& place = places_[(hash / 2 + step) % k_most];
      uint64_t found = 0;
      if (place.compare_exchange_strong(found, hash)) return true;
      if (found == hash) return false;
    }
    return false;
  }

 private:
  std::array<comm::Shared<uint64_t>, k_most> places_{};
};

}  // namespace scorpio::session
