// The families put_var, put_var1, put_vara, put_vars, put_varm, and those that read. All ranks pass the same
// arguments; the data of the I/O root are written, and all ranks get the data that are read.
#include "pio/base/define.h"
#include "pio/base/numbers.h"
#include "pio/base/types.h"
#include "pio/calls/calls.h"
#include "pio/calls/regions.h"

using namespace scorpio_pio;

namespace {

using Kind = Region::Kind;

constexpr Region k_whole{};

Region element(const PIO_Offset* index) { return {Kind::element, index, nullptr, nullptr, nullptr}; }
Region slab(const PIO_Offset* start, const PIO_Offset* count, const PIO_Offset* stride = nullptr,
            const PIO_Offset* map = nullptr) {
  return {Kind::slab, start, count, stride, map};
}

// For the untyped varm: PIO_STRING stands for a type that is not elementary, which is an error for every
// variable.
nc_type memory_of(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return PIO_NAT;
  const nc_type known = type_of(type);
  return known == PIO_NAT ? PIO_STRING : known;
}

}  // namespace

#define DATA(SUFFIX, T, TYPE)                                                                            \
  PIOC(int, put_var##SUFFIX, (int ncid, int varid, const T* op)) {                                       \
    return put_region(__func__, ncid, varid, k_whole, TYPE, op);                                         \
  }                                                                                                      \
  PIOC(int, get_var##SUFFIX, (int ncid, int varid, T* buf)) {                                            \
    return get_region(__func__, ncid, varid, k_whole, TYPE, buf);                                        \
  }                                                                                                      \
  PIOC(int, put_var1##SUFFIX, (int ncid, int varid, const PIO_Offset* index, const T* op)) {             \
    return put_region(__func__, ncid, varid, element(index), TYPE, op);                                  \
  }                                                                                                      \
  PIOC(int, get_var1##SUFFIX, (int ncid, int varid, const PIO_Offset* index, T* buf)) {                  \
    return get_region(__func__, ncid, varid, element(index), TYPE, buf);                                 \
  }                                                                                                      \
  PIOC(int, put_vara##SUFFIX,                                                                            \
       (int ncid, int varid, const PIO_Offset* start, const PIO_Offset* count, const T* op)) {           \
    return put_region(__func__, ncid, varid, slab(start, count), TYPE, op);                              \
  }                                                                                                      \
  PIOC(int, get_vara##SUFFIX,                                                                            \
       (int ncid, int varid, const PIO_Offset* start, const PIO_Offset* count, T* buf)) {                \
    return get_region(__func__, ncid, varid, slab(start, count), TYPE, buf);                             \
  }                                                                                                      \
  PIOC(int, put_vars##SUFFIX,                                                                            \
       (int ncid, int varid, const PIO_Offset* start, const PIO_Offset* count, const PIO_Offset* stride, \
        const T* op)) {                                                                                  \
    return put_region(__func__, ncid, varid, slab(start, count, stride), TYPE, op);                      \
  }                                                                                                      \
  PIOC(int, get_vars##SUFFIX,                                                                            \
       (int ncid, int varid, const PIO_Offset* start, const PIO_Offset* count, const PIO_Offset* stride, \
        T* buf)) {                                                                                       \
    return get_region(__func__, ncid, varid, slab(start, count, stride), TYPE, buf);                     \
  }

#define MAPPED(SUFFIX, T, TYPE)                                                                          \
  PIOC(int, put_varm##SUFFIX,                                                                            \
       (int ncid, int varid, const PIO_Offset* start, const PIO_Offset* count, const PIO_Offset* stride, \
        const PIO_Offset* imap, const T* op)) {                                                          \
    return put_region(__func__, ncid, varid, slab(start, count, stride, imap), TYPE, op);                \
  }                                                                                                      \
  PIOC(int, get_varm##SUFFIX,                                                                            \
       (int ncid, int varid, const PIO_Offset* start, const PIO_Offset* count, const PIO_Offset* stride, \
        const PIO_Offset* imap, T* buf)) {                                                               \
    return get_region(__func__, ncid, varid, slab(start, count, stride, imap), TYPE, buf);               \
  }

#define TYPED(NAME, T, TYPE) DATA(_##NAME, T, TYPE) MAPPED(_##NAME, T, TYPE)

TYPED(text, char, PIO_CHAR)
SCORPIO_PIO_NUMBERS(TYPED)
DATA(, void, PIO_NAT)

PIOC(int, put_varm,
     (int ncid, int varid, const PIO_Offset* start, const PIO_Offset* count, const PIO_Offset* stride,
      const PIO_Offset* imap, const void* buf, PIO_Offset, MPI_Datatype buftype)) {
  return put_region(__func__, ncid, varid, slab(start, count, stride, imap), memory_of(buftype), buf);
}

PIOC(int, get_varm,
     (int ncid, int varid, const PIO_Offset* start, const PIO_Offset* count, const PIO_Offset* stride,
      const PIO_Offset* imap, void* buf, PIO_Offset, MPI_Datatype buftype)) {
  return get_region(__func__, ncid, varid, slab(start, count, stride, imap), memory_of(buftype), buf);
}
