#include "store_kinds.h"

#include "storage/fault_plan.h"
#include "storage/faulty_store.h"
#include "storage/faulty_system_calls.h"
#include "storage/memory_store.h"
#include "storage/posix_store.h"
#include "storage/traced_store.h"

namespace scorpio::storage::test {
namespace {

std::unique_ptr<Store> make_interrupted_posix_store() {
  auto plan = FaultPlan::parse(
      "write:*2=short;write:*3=EINTR;read:*2=short;read:*3=EINTR;sync:*2=EINTR;open:*2=EINTR");
  return make_posix_store(std::make_shared<FaultySystemCalls>(*plan));
}

std::unique_ptr<Store> make_decorated_memory_store() {
  static observe::Counters counters;
  return make_traced_store(make_faulty_store(make_memory_store(), *FaultPlan::parse("")), counters);
}

}  // namespace

const std::vector<Kind>& store_kinds() {
  static const std::vector<Kind> k_kinds = {{"posix", true, [] { return make_posix_store(); }},
                                            {"posix_interrupted", true, make_interrupted_posix_store},
                                            {"memory", true, make_memory_store},
                                            {"decorated", true, make_decorated_memory_store},
                                            {"null", false, make_null_store}};
  return k_kinds;
}

}  // namespace scorpio::storage::test
