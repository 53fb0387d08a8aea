#include "format/hdf5/library_call.h"

namespace scorpio::format::hdf5 {

Mutex library_mutex;

}  // namespace scorpio::format::hdf5
