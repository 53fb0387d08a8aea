// How a function of the interface is defined: as scorpio_pio_NAME, of which PIOc_NAME is a weak alias. The
// Fortran modules call scorpio_pio_NAME, so that another library with PIOc_NAME cannot take its place, and
// can be linked statically with this one.
#pragma once

#include "pio.h"

#define PIOC(returns, name, ...)                                                                        \
  extern "C" {                                                                                          \
  SCORPIO_PIO_API decltype(PIOc_##name) scorpio_pio_##name;                                             \
  SCORPIO_PIO_API __attribute__((weak, alias("scorpio_pio_" #name))) decltype(PIOc_##name) PIOc_##name; \
  }                                                                                                     \
  extern "C" returns scorpio_pio_##name __VA_ARGS__
