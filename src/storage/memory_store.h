// Files in this process's memory, by name: for tests and for counting. Independent; the store from any
// thread, a file from one thread at a time, several open files of one name from several threads.
// Files need no folders: any name can be made; objects need the one that they are put into. Files live until
// removed, even while none is open.
#pragma once

#include <memory>

#include "storage/store.h"

namespace scorpio::storage {

// Holes cost nothing.
std::unique_ptr<Store> make_memory_store();

// Remembers names and sizes, forgets the bytes: everything reads as zeros. Only for counting what is written.
std::unique_ptr<Store> make_null_store();

}  // namespace scorpio::storage
