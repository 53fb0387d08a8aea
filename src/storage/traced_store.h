// A decorator that counts the calls on a store and passes them to an observer. Thread-safe as the decorated
// store; the observer is called by the thread that makes the call.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "observe/counters.h"
#include "storage/operation.h"
#include "storage/store.h"

namespace scorpio::storage {

struct Trace {
  Operation operation;
  const std::string& path;
  uint64_t offset = 0;  // read, write
  uint64_t bytes = 0;   // read, write: transferred; truncate: the new size
};
using Observer = std::function<void(const Trace&)>;

// Counts calls that succeeded: opens, closes, reads, writes, bytes_read, bytes_written, syncs. An object that
// is put counts as a write, one that is got as a read. `counters` outlives the store and its files;
// `observer` may be empty.
std::unique_ptr<Store> make_traced_store(std::shared_ptr<Store> inner, observe::Counters& counters,
                                         Observer observer = {});

}  // namespace scorpio::storage
