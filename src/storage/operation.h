// The operations on stores and files that are counted, traced, or made to fail. Local; pure.
#pragma once

#include <array>
#include <cstddef>

namespace scorpio::storage {

// `sync` includes folders, `rename` an exchange of two names. Putting an object is a write and getting it a
// read, if these are single calls.
enum class Operation { open, read, write, truncate, sync, lock, close, rename, remove, mkdir, list };

inline constexpr std::array k_operation_names = {"open",  "read",   "write",  "truncate", "sync", "lock",
                                                 "close", "rename", "remove", "mkdir",    "list"};

inline const char* name_of(Operation operation) { return k_operation_names[static_cast<size_t>(operation)]; }

}  // namespace scorpio::storage
