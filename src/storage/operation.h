// The operations on stores and files that are counted, traced and made to fail. Local; pure.
#pragma once

#include <array>
#include <cstddef>

namespace scorpio::storage {

// `sync` is also that of a folder.
enum class Operation { open, read, write, truncate, sync, lock, close, rename, remove };

inline constexpr std::array k_operation_names = {"open", "read",  "write",  "truncate", "sync",
                                                 "lock", "close", "rename", "remove"};

inline const char* name_of(Operation operation) { return k_operation_names[static_cast<size_t>(operation)]; }

}  // namespace scorpio::storage
