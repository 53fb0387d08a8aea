#include "base/guarded.h"

namespace scorpio {

namespace {
const Status k_out_of_memory(Code::memory, "out of memory");
}  // namespace

const Status& out_of_memory() { return k_out_of_memory; }

}  // namespace scorpio
