#include "comm/call.h"

#include <array>

#include "base/guarded.h"
#include "base/hash.h"

namespace scorpio::comm {

void CallLog::enter(const char* kind, uint64_t file, const char* name, const std::string& path) {
  call_.kind = kind;
  call_.file = file;
  call_.name = *name == '\0' ? kind : name;
  assign_if_possible(path, call_.path);
  step_ = 0;
  compared_ = false;
}

uint64_t CallLog::begin_reduction(size_t values, size_t sums) {
  ++reductions_;
  const std::array<uint64_t, 4> facts{fnv1a(call_.kind) ^ mixed(call_.file), step_++, values, sums};
  return hash_of_numbers(facts);
}

}  // namespace scorpio::comm
