// The elements of variables of PIO_STRING in memory: pointers to texts that end with a NUL. Local; one
// thread.
#pragma once

#include <cstdint>
#include <vector>

#include "pio/base/types.h"
#include "pio/file/write.h"
#include "pio/system/io_system.h"

namespace scorpio_pio {

// What stands for the type of strings in a Write. No other write has it.
constexpr Element k_string{SCORPIO_OPAQUE, sizeof(char*)};

inline bool is_of_strings(const Write& write) { return write.type == k_string.type; }

// Copies the texts one after another, each with its NUL. `places`: the position in `texts` of each element;
// NULL stands for an empty text.
Buffer packed_strings(IoSystem& system, const std::vector<int64_t>& places, const char* const* texts);

// Collective: carries out a write of strings. Returns a code of the public C API.
int put_strings(scorpio_file* file, const Write& write, int root);

}  // namespace scorpio_pio
