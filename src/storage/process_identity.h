// Which process this is, in a form that another process of the same node can recognise later. Local; any
// thread.
#pragma once

#include <cstdint>

namespace scorpio::storage {

struct ProcessIdentity {
  uint64_t place = 0;    // a hash of the running system and the process namespace; 0: unknown
  uint64_t process = 0;  // its id there
  uint64_t started = 0;  // in clock ticks after the start of the system; ids are used again
};

enum class Life { ended, goes_on, unknown };

ProcessIdentity this_process();

// `unknown` for a process of another node or another process namespace.
Life life_of(const ProcessIdentity& identity);

}  // namespace scorpio::storage
