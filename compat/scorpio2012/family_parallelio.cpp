// The functions whose names begin with parallelIO_, of ASCEM-IO 2.0 to 2.4. Collectivity as in parallelIO.h;
// one thread.
#define SCORPIO_2012_DECLARE_ALL
#include <parallelIO.h>

#include "common.h"

#define X(name) parallelIO_##name
static constexpr scorpio2012::Family k_family = scorpio2012::Family::parallel_io;

#include "family_functions.h"

extern "C" {

int parallelIO_create_dataset_group(const char* name, int fhandle, iogroup_t* group) {
  return face::guarded(__func__,
                       [&] { return face::enter_dataset_group(name, fhandle, group) < 0 ? FAILURE : 0; });
}

int parallelIO_close_dataset_group(int fhandle, iogroup_t* group) {
  return face::guarded(__func__, [&] { return face::close_current_group(fhandle, group); });
}

}  // extern "C"
