// A word in memory that ranks share. Tests that draw the interleaving of the ranks compile the sources with a
// type of their own in its place (SCORPIO_SHARED_WORD names the header that defines it); everywhere else it
// is std::atomic itself.
#pragma once

#ifdef SCORPIO_SHARED_WORD
#include SCORPIO_SHARED_WORD
#else

#include <atomic>

namespace scorpio::comm {

template <typename T>
using Shared = std::atomic<T>;

}  // namespace scorpio::comm

#endif
