// Files in the memory of this process, by name, for tests and counting. Independent; the store from any
// thread, a file from one thread at a time, several open files of one name from several threads. A file can
// have any name without creating folders; objects need the folder that contains them. Files exist until they
// are removed, also while none is open.
#pragma once

#include <memory>

#include "storage/store.h"

namespace scorpio::storage {

// For tests. Holes use no memory.
std::unique_ptr<Store> make_memory_store();

// The value `null` of option `store`: keeps names and sizes but no bytes; all reads return zeros. For
// counting writes only. A file that another process has made is there when it is opened as such.
std::unique_ptr<Store> make_null_store();

}  // namespace scorpio::storage
