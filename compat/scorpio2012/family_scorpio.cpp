// The functions whose names begin with scorpio_, of SCORPIO 2012 to 2023. Collectivity as in scorpio.h; one
// thread.
#define SCORPIO_2012_DECLARE_ALL
#include <scorpio.h>

#include "common.h"

#define X(name) scorpio_##name
static constexpr scorpio2012::Family k_family = scorpio2012::Family::scorpio;

#include "family_functions.h"

extern "C" {

int64_t scorpio_create_dataset_group(const char* name, int fhandle, iogroup_t* group) {
  return face::guarded(__func__, [&]() -> int64_t { return face::lend_dataset_group(name, fhandle, group); });
}

int scorpio_close_dataset_group(int64_t groupid, int fhandle, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::close_lent_group(groupid, fhandle, group); });
}

int scorpio_create_link(const char* target, int64_t location, const char* link_name, int fhandle,
                        iogroup_t* group) {
  return face::guarded(__func__,
                       [&] { return face::create_link(target, location, link_name, fhandle, group); });
}

void initialize_datatype(datatype_t type, iogroup_t* group) {
  face::initialize_datatype(static_cast<int>(type), group, k_family);
}

}  // extern "C"
