#include "support/allocations.h"

#include <cstdlib>
#include <new>

namespace {

constexpr uint64_t k_none = ~uint64_t{0};
thread_local uint64_t made = 0;
thread_local uint64_t to_fail = k_none;
thread_local uint64_t largest = k_none;
thread_local int uncounted = 0;

void* allocate(size_t size, size_t alignment) {
  if (uncounted == 0 && made++ == to_fail) return nullptr;
  if (size > largest) return nullptr;
  if (size == 0) size = 1;
  if (alignment == 0) return std::malloc(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(size_t size, size_t alignment) {
  void* memory = allocate(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t size) { return allocate_or_throw(size, 0); }
void* operator new[](size_t size) { return allocate_or_throw(size, 0); }
void* operator new(size_t size, std::align_val_t a) {
  return allocate_or_throw(size, static_cast<size_t>(a));
}
void* operator new[](size_t size, std::align_val_t a) {
  return allocate_or_throw(size, static_cast<size_t>(a));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept { return allocate(size, 0); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return allocate(size, 0); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace scorpio::test {

uint64_t allocations() { return made; }

FailingAllocation::FailingAllocation(uint64_t n) { to_fail = made + n; }

FailingAllocation::~FailingAllocation() { to_fail = k_none; }

bool FailingAllocation::failed() const { return made > to_fail; }

SmallAllocations::SmallAllocations(uint64_t most_bytes) { largest = most_bytes; }

SmallAllocations::~SmallAllocations() { largest = k_none; }

UncountedAllocations::UncountedAllocations() { ++uncounted; }

UncountedAllocations::~UncountedAllocations() { --uncounted; }

}  // namespace scorpio::test
