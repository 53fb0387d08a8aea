// What the ranks of an I/O system say of themselves when they begin a collective call, and what one reduction
// to the maxima tells all of them. Calls in which ranks may be at the same time are compared by the same
// words. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/compared_words.h"

namespace scorpio_pio {

// The collective calls on a file. The first two are the end of a write that has filled the buffer, in data
// mode and in define mode; other ranks may not have come to it.
enum class Call { flush = 1, flush_defining, sync, close, redef, enddef, get, read };

constexpr bool is_flush(Call call) { return call == Call::flush || call == Call::flush_defining; }

// The numbers are below 2^63; those that are compared are names or hashes.
struct CallFacts {
  uint64_t name = 0;          // of the call and the file, or of an agreement without a file
  uint64_t writes = 0;        // the buffered writes
  uint64_t valid_writes = 0;  // the same without those of calls that have failed on this rank
  uint64_t failures = 0;      // the failures that other ranks may not have returned
  uint64_t definitions = 0;   // what was defined since the ranks last agreed
  uint64_t failure = 0;       // a FailureWord: why this rank cannot make the call, or 0
  bool changed = false;       // the file has something that storage does not have
};

class CallComparison {
 public:
  // `system`: its number among those whose ranks are compared; `file`: its number in the I/O system.
  static constexpr uint64_t name_of(Call call, int system, int file) {
    return (static_cast<uint64_t>(call) << k_call_bit) + (static_cast<uint64_t>(system) << k_system_bit) +
           static_cast<uint64_t>(file);
  }
  // No call on a file has these names.
  static constexpr uint64_t name_of_agreement(int system) {
    return static_cast<uint64_t>(system) << k_system_bit;
  }
  static constexpr uint64_t name_of_end(int system) {
    return (k_end << k_call_bit) + static_cast<uint64_t>(system);
  }

  explicit CallComparison(const CallFacts& mine) {
    words_.compare(k_name, mine.name);
    words_.compare(k_writes, mine.writes);
    words_.compare(k_valid_writes, mine.valid_writes);
    words_.compare(k_failures, mine.failures);
    words_.compare(k_definitions, mine.definitions);
    words_[k_failure] = mine.failure;
    words_[k_changed] = mine.changed ? 1 : 0;
  }

  // Each becomes its maximum over all ranks; what follows is valid then.
  uint64_t* words() { return words_.data(); }
  static constexpr int count() { return Words::count(); }

  bool same_call() const { return words_.all_equal(k_name); }
  bool same_writes() const { return words_.all_equal(k_writes); }
  bool same_valid_writes() const { return words_.all_equal(k_valid_writes); }
  bool same_failures() const { return words_.all_equal(k_failures); }
  bool same_definitions() const { return words_.all_equal(k_definitions); }
  // The highest one, 0 if all ranks can make the call.
  uint64_t failure() const { return words_[k_failure]; }
  bool some_file_changed() const { return words_[k_changed] != 0; }
  // Whether all ranks are in an agreement without a file, perhaps of different I/O systems.
  bool all_agree() const { return words_[k_name] >> k_call_bit == 0; }
  // Whether the lowest, or the highest, of the names of all ranks is that of a flush of a file.
  bool lowest_is_flush() const { return is_flush(words_.lowest(k_name)); }
  bool highest_is_flush() const { return is_flush(words_[k_name]); }

 private:
  static constexpr int k_call_bit = 56, k_system_bit = 32;
  static constexpr uint64_t k_end = 64;  // above the calls on files
  // Those that are compared take two words.
  enum Word : size_t {
    k_name = 0,
    k_writes = 2,
    k_valid_writes = 4,
    k_failures = 6,
    k_definitions = 8,
    k_failure = 10,
    k_changed = 11,
    k_words = 12
  };
  using Words = scorpio_compat::ComparedWords<k_words>;
  static bool is_flush(uint64_t name) { return scorpio_pio::is_flush(static_cast<Call>(name >> k_call_bit)); }

  Words words_;
};

}  // namespace scorpio_pio
