// The types in memory of the families of functions: the end of their names, the type in C, and the type of
// netCDF that has its size and sign. Text is apart.
#pragma once

#include "pio/base/types.h"

#define SCORPIO_PIO_NUMBERS(X)                 \
  X(schar, signed char, PIO_BYTE)              \
  X(uchar, unsigned char, PIO_UBYTE)           \
  X(short, short, PIO_SHORT)                   \
  X(ushort, unsigned short, PIO_USHORT)        \
  X(int, int, PIO_INT)                         \
  X(uint, unsigned int, PIO_UINT)              \
  X(long, long, scorpio_pio::k_long)           \
  X(longlong, long long, PIO_INT64)            \
  X(ulonglong, unsigned long long, PIO_UINT64) \
  X(float, float, PIO_FLOAT)                   \
  X(double, double, PIO_DOUBLE)
