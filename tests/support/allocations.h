// Replaces operator new in the test that links it: counts what this thread allocates, and makes one
// allocation fail. What C code takes with malloc() is not seen.
#pragma once

#include <cstdint>

namespace scorpio::test {

// Of this thread, so far.
uint64_t allocations();

// While it lives, allocation number `n` of this thread from now on (0: the next) throws std::bad_alloc, and
// no other does.
class FailingAllocation {
 public:
  explicit FailingAllocation(uint64_t n);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  // Whether it was reached.
  bool failed() const;
};

// While it lives, an allocation of this thread of more bytes throws std::bad_alloc.
class SmallAllocations {
 public:
  explicit SmallAllocations(uint64_t most_bytes);
  ~SmallAllocations();
  SmallAllocations(const SmallAllocations&) = delete;
  SmallAllocations& operator=(const SmallAllocations&) = delete;
};

// While it lives, what this thread allocates is not counted, and does not fail.
class UncountedAllocations {
 public:
  UncountedAllocations();
  ~UncountedAllocations();
  UncountedAllocations(const UncountedAllocations&) = delete;
  UncountedAllocations& operator=(const UncountedAllocations&) = delete;
};

}  // namespace scorpio::test
