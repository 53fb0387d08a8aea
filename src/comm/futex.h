// Sleeps until a word in memory that processes share changes. Local.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace scorpio::comm {

// Returns when another process wakes it, when `word` differs from `seen`, at a signal, or after `limit`: the
// caller checks its condition again.
void futex_wait(std::atomic<uint32_t>& word, uint32_t seen, std::chrono::microseconds limit);
void futex_wake_all(std::atomic<uint32_t>& word);

}  // namespace scorpio::comm
