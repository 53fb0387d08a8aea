// The store of an I/O system, according to its options. Local.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "observe/counters.h"
#include "storage/store.h"

namespace scorpio::storage {

// `kind`: "posix" or "null" (option store). `faults`: rules of FaultPlan (option store_faults), "" for none;
// they apply to system calls of the posix store. Calls are counted in `counters`, which outlives the store.
Result<std::unique_ptr<Store>> make_store(std::string_view kind, std::string_view faults,
                                          observe::Counters& counters);

}  // namespace scorpio::storage
