#include "capi/handles.h"

#include "capi/handle_pool.h"
#include "comm/mpi_state.h"

namespace scorpio::capi {
namespace {

// One for the process, because the address of a handle must be checked before it is read. Not destroyed: a
// program may release its handles while it exits.
template <typename Handle>
HandlePool& pool_of() {
  static_assert(alignof(Handle) <= HandlePool::k_alignment);
  static auto* const pool = new HandlePool(sizeof(Handle));
  return *pool;
}

template <typename Handle>
Status check_alive(const Handle* handle, const char* name, const char* what) {
  if (handle == nullptr) return null_argument(name);
  if (pool_of<Handle>().lives(handle)) return {};
  return failure(Code::handle, "argument '{}' is no {}, or one that was {} before", name, what,
                 std::is_same_v<Handle, scorpio_file> ? "closed" : "freed");
}

}  // namespace

Status check_argument(const scorpio_options* options, const char* name) {
  return check_alive(options, name, "set of options");
}

Status check_argument(const scorpio_decomp* decomp, const char* name) {
  return check_alive(decomp, name, "decomposition");
}

Status check_argument(const scorpio_iosystem* iosystem, const char* name) {
  return check_alive(iosystem, name, "I/O system");
}

Status check_argument(scorpio_iosystem* iosystem, const char* name) {
  SCORPIO_TRY(check_alive(iosystem, name, "I/O system"));
  return comm::check_mpi_not_finalized();
}

Status check_argument(const scorpio_file* file, const char* name) {
  SCORPIO_TRY(check_alive(file, name, "open file"));
  return comm::check_mpi_not_finalized();
}

}  // namespace scorpio::capi

using scorpio::capi::pool_of;

void* scorpio_options::operator new(size_t) { return pool_of<scorpio_options>().take(); }
void scorpio_options::operator delete(void* handle) { pool_of<scorpio_options>().give_back(handle); }

void* scorpio_iosystem::operator new(size_t) { return pool_of<scorpio_iosystem>().take(); }
void scorpio_iosystem::operator delete(void* handle) { pool_of<scorpio_iosystem>().give_back(handle); }

void* scorpio_file::operator new(size_t) { return pool_of<scorpio_file>().take(); }
void scorpio_file::operator delete(void* handle) { pool_of<scorpio_file>().give_back(handle); }

void* scorpio_decomp::operator new(size_t) { return pool_of<scorpio_decomp>().take(); }
void scorpio_decomp::operator delete(void* handle) { pool_of<scorpio_decomp>().give_back(handle); }
