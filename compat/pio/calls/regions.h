// Puts and gets of regions of variables, of numbers and of strings. One thread.
#pragma once

#include "pio/file/region.h"

namespace scorpio_pio {

// `memory`: PIO_NAT for the type of the variable. Local: the data of the I/O root are buffered until the next
// call that carries out writes. If the buffer is full, that is this call (Collective).
int put_region(const char* function, int ncid, int varid, const Region& region, nc_type memory,
               const void* data);
// Collective. All ranks get the data.
int get_region(const char* function, int ncid, int varid, const Region& region, nc_type memory, void* data);

}  // namespace scorpio_pio
