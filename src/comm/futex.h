// Sleeping until a word in memory shared between processes changes. Local.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace scorpio::comm {

// Returns when `word` is woken, differs from `seen`, a signal came, or `limit` is over: the caller checks
// again.
void futex_wait(std::atomic<uint32_t>& word, uint32_t seen, std::chrono::microseconds limit);
void futex_wake_all(std::atomic<uint32_t>& word);

}  // namespace scorpio::comm
