/* One source for both C families of the interface: X(open_file) is scorpio_open_file or parallelIO_open_file,
 * T(DOUBLE) a datatype, P(...) a pattern, M(CREATE) a file mode. */
#pragma once

#define SCORPIO_2012_DECLARE_ALL
#ifdef FAMILY_PARALLELIO
#include "parallelIO.h"
#define X(name) parallelIO_##name
#define T(name) PIO_##name
#define P(name) name
#define M(name) FILE_##name
#define FAMILY "parallelio"
#else
#include "scorpio.h"
#define X(name) scorpio_##name
#define T(name) SCORPIO_##name
#define P(name) SCORPIO_##name
#define M(name) SCORPIO_FILE_##name
#define FAMILY "scorpio"
#endif

#include "check.h"
#include "values.h"

/* Ranks of `comm` in groups of `size`, as Truchas asks for them. */
static inline void make_group(MPI_Comm comm, int size, iogroup_t* group) {
  iogroup_conf_t conf;
  conf.numIOgroups = 0;
  conf.preferredGroupSize = size;
  conf.commIncoming = comm;
  EXPECT(0, X(IOgroup_init)(&conf, group));
}
