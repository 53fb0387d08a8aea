// Parts of variables that are the same on all ranks: the whole variable, one element, or a hyperslab. One
// thread.
#pragma once

#include "pio/file/open_file.h"

namespace scorpio_pio {

struct Region {
  enum class Kind { whole, element, slab };
  Kind kind = Kind::whole;
  const PIO_Offset* start = nullptr;
  const PIO_Offset* count = nullptr;
  const PIO_Offset* stride = nullptr;  // NULL: 1
  const PIO_Offset* map = nullptr;     // distances in memory; NULL: row-major
};

// `memory`: PIO_NAT for the type of the variable. Local: the data of the I/O root are buffered until the next
// call that carries out writes. If the buffer is full, that is this call (Collective).
int put_region(const char* function, int ncid, int varid, const Region& region, nc_type memory,
               const void* data);
// Collective. All ranks get the data.
int get_region(const char* function, int ncid, int varid, const Region& region, nc_type memory, void* data);

}  // namespace scorpio_pio
