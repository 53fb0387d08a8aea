// A decorator that makes calls on any store fail as a plan says. Threads: as the store it decorates.
#pragma once

#include <memory>

#include "storage/fault_plan.h"
#include "storage/store.h"

namespace scorpio::storage {

// Failed calls do nothing to `inner`, but for `short` writes (the first half is written; of an object nothing
// is) and close (the file is closed all the same). "any:7+=EIO" is how a crash at the seventh call looks to
// the file.
std::unique_ptr<Store> make_faulty_store(std::shared_ptr<Store> inner, std::shared_ptr<FaultPlan> plan);

}  // namespace scorpio::storage
