// What the exchange of runs of a decomposition costs a rank in jobs of a size that no test machine has: all
// ranks make its steps in one process. Local.
#pragma once

#include <cstdint>

namespace scorpio::scale {

// Which elements a rank holds, of an array with 1000 elements for each rank.
enum class Held {
  neighbours,  // 20 runs in its part of the array and in the begin of the next one, with holes
  transposed,  // the same, but the parts are in the order of the columns of a square of ranks
  anywhere,    // 20 runs of the whole array, without order
  the_same     // all ranks hold the same 20 runs
};

struct ExchangeCounts {
  int ranks = 0;
  uint64_t messages = 0;   // sent by a rank at most
  double sent = 0;         // bytes sent by a rank, mean
  double lists = 0;        // largest memory of the lists of a rank in any step, mean
  uint64_t most_sent = 0;  // bytes sent by a rank at most
  uint64_t most_lists = 0;
  uint64_t coverage = 0;  // bytes that a rank sends afterwards, so that all ranks know the elements held
  uint64_t lost = 0;      // elements that ranks hold and do not write
};

ExchangeCounts counts_of_exchange(int ranks, Held held);

}  // namespace scorpio::scale
