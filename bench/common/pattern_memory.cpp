#include "common/pattern_memory.h"

#include <algorithm>

#include "common/value.h"

namespace bench {
namespace {

constexpr std::byte k_unused{0xa5};

// Calls act(element in memory, its value) for each element of a part.
template <class T, class Act>
void for_each_element(const Pattern& pattern, const Part& part, std::byte* frame, Act&& act) {
  T* const elements = reinterpret_cast<T*>(frame);
  for_each_row(
      pattern, part, [&](int64_t place, int64_t distance, int64_t index, int64_t record, int64_t row) {
        const uint64_t seed = element_seed(static_cast<uint32_t>(part.array), static_cast<uint32_t>(record));
        for (int64_t i = 0; i < row; ++i) {
          act(elements[place + i * distance], element_value<T>(seed, static_cast<uint64_t>(index + i)));
        }
      });
}

}  // namespace

PatternMemory::PatternMemory(const Pattern& pattern)
    : pattern_(pattern), store_(std::max<size_t>(1, pattern.memory_bytes), k_unused) {}

std::byte* PatternMemory::data(const Part& part) {
  const auto bytes = static_cast<int64_t>(bytes_of(pattern_.arrays[part.array].type));
  return frame(part) + part.first_element() * bytes;
}

void PatternMemory::fill() {
  for (const auto& parts : pattern_.steps) {
    for (const Part& part : parts) {
      with_type(pattern_.arrays[part.array].type, [&](auto zero) {
        using T = decltype(zero);
        for_each_element<T>(pattern_, part, frame(part), [](T& element, T value) { element = value; });
      });
    }
  }
}

int64_t PatternMemory::wrong() {
  int64_t wrong = 0;
  for (const auto& parts : pattern_.steps) {
    for (const Part& part : parts) {
      with_type(pattern_.arrays[part.array].type, [&](auto zero) {
        using T = decltype(zero);
        for_each_element<T>(pattern_, part, frame(part), [&](T& element, T value) {
          wrong += element != value ? 1 : 0;
          std::fill_n(reinterpret_cast<std::byte*>(&element), sizeof(T), k_unused);
        });
      });
    }
  }
  return wrong + (std::ssize(store_) - std::count(store_.begin(), store_.end(), k_unused));
}

}  // namespace bench
