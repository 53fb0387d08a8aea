// Arrays of strings: text of fixed length in the file. Collective; one thread.
#pragma once

#include "scorpio_util.h"

namespace scorpio2012 {

// Writes the strings of rank 0.
int write_str_array(const char* const* strings, int n, int handle, const char* name, iogroup_t* shown);
// Returns all strings on every rank; the caller frees each of them and the array.
int read_str_array(char*** strings, int* n, int handle, const char* name, iogroup_t* shown);

}  // namespace scorpio2012
