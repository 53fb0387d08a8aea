// Files of the operating system. Independent; the store from any thread, a file from one thread at a time.
#pragma once

#include <memory>

#include "observe/counters.h"
#include "storage/store.h"
#include "storage/system_calls.h"

namespace scorpio::storage {

// `calls`: null for the real ones. `counters` (may be null, outlives store and files) counts `retries`:
// transfers that were continued after an interruption or a short count.
std::unique_ptr<Store> make_posix_store(std::shared_ptr<SystemCalls> calls = nullptr,
                                        observe::Counters* counters = nullptr);

}  // namespace scorpio::storage
