#include "storage/make_store.h"

#include <utility>

#include "storage/fault_plan.h"
#include "storage/faulty_store.h"
#include "storage/faulty_system_calls.h"
#include "storage/memory_store.h"
#include "storage/posix_store.h"
#include "storage/traced_store.h"

namespace scorpio::storage {

Result<std::unique_ptr<Store>> make_store(std::string_view kind, std::string_view faults,
                                          observe::Counters& counters) {
  SCORPIO_ASSIGN(const std::shared_ptr<FaultPlan> plan, FaultPlan::parse(faults));
  std::shared_ptr<Store> store;
  if (kind == "posix") {
    std::shared_ptr<SystemCalls> calls;
    if (!faults.empty()) calls = std::make_shared<FaultySystemCalls>(plan);
    store = make_posix_store(std::move(calls), &counters);
  } else if (kind == "null") {
    store = make_null_store();
    if (!faults.empty()) store = make_faulty_store(std::move(store), plan);
  } else {
    return failure(Code::argument, "no store is named \"{}\": choose posix or null", kind);
  }
  return make_traced_store(std::move(store), counters);
}

}  // namespace scorpio::storage
