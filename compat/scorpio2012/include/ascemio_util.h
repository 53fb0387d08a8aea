/* The name that ASCEM-IO gave to what parallelIO.h needs beside itself; see scorpio_util.h. */
#ifndef SCORPIO_ASCEMIO_UTIL_2012_H
#define SCORPIO_ASCEMIO_UTIL_2012_H

#include "scorpio_util.h"

#endif
