// A decorator that makes calls on a store fail according to a plan. Thread-safe as the decorated store.
#pragma once

#include <memory>

#include "storage/fault_plan.h"
#include "storage/store.h"

namespace scorpio::storage {

// A failed call does not change `inner`, with two exceptions: a `short` write writes the first half (but
// nothing of an object), and a close closes the file. "any:7+=EIO" has the effect of a crash at the seventh
// call.
std::unique_ptr<Store> make_faulty_store(std::shared_ptr<Store> inner, std::shared_ptr<FaultPlan> plan);

}  // namespace scorpio::storage
