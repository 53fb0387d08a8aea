/* The name in ASCEM-IO of the header that parallelIO.h includes; see scorpio_util.h. */
#ifndef SCORPIO_ASCEMIO_UTIL_2012_H
#define SCORPIO_ASCEMIO_UTIL_2012_H

#include "scorpio_util.h"

#endif
