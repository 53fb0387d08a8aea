// The operations on stores and files that are counted, traced and made to fail. Local; pure.
#pragma once

#include <array>
#include <cstddef>

namespace scorpio::storage {

// `sync` is also that of a folder, `rename` also an exchange of two names. To put an object is a write and to
// get it a read, where that is one call.
enum class Operation { open, read, write, truncate, sync, lock, close, rename, remove, mkdir, list };

inline constexpr std::array k_operation_names = {"open",  "read",   "write",  "truncate", "sync", "lock",
                                                 "close", "rename", "remove", "mkdir",    "list"};

inline const char* name_of(Operation operation) { return k_operation_names[static_cast<size_t>(operation)]; }

}  // namespace scorpio::storage
