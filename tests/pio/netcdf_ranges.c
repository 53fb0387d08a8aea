/* netcdf_ranges FOLDER: values that are at the limits of the types of numbers, and beyond them, have the
 * codes that netCDF-C returns, and become what it makes of them: through variables and attributes, put and
 * got.
 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <netcdf.h>
#include <pio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"
#include "must_nc.h"

enum { k_most = 160, k_types = 10, k_before = 0x55, k_classic_types = 5 };

#define NUMBERS(X)                     \
  X(schar, signed char, NC_BYTE)       \
  X(short, short, NC_SHORT)            \
  X(int, int, NC_INT)                  \
  X(float, float, NC_FLOAT)            \
  X(double, double, NC_DOUBLE)         \
  X(uchar, unsigned char, NC_UBYTE)    \
  X(ushort, unsigned short, NC_USHORT) \
  X(uint, unsigned int, NC_UINT)       \
  X(longlong, long long, NC_INT64)     \
  X(ulonglong, unsigned long long, NC_UINT64)

static const nc_type k_stored[k_types] = {NC_BYTE,  NC_SHORT,  NC_INT,  NC_FLOAT, NC_DOUBLE,
                                          NC_UBYTE, NC_USHORT, NC_UINT, NC_INT64, NC_UINT64};

/* The codes of single values and of all in one call, and what became of the values. */
struct values {
  int n;
  int code[k_most];
  int code_of_all;
  unsigned char bytes[k_most * 8];
};

/* [type in memory][number of the type in the file] */
struct results {
  struct values put[NC_STRING][k_types], get[NC_STRING][k_types];
  struct values put_att[NC_STRING][k_types], get_att[NC_STRING][k_types];
  int enddef, sync;
};

static int variable_of_pair[NC_STRING][k_types];

static size_t bytes_of(nc_type type) {
  static const size_t bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
  return bytes[type];
}

static int is_floating(nc_type type) { return type == NC_FLOAT || type == NC_DOUBLE; }

/* The limits of all types, and values beside them. */
static int floating_values(double* value) {
  static const double limits[] = {0, -128, 127, 255, -32768, 32767, 65535, INT_MIN, INT_MAX, UINT_MAX};
  static const double large[] = {-0x1p63, 0x1p63, 0x1p64, FLT_MAX, -FLT_MAX};
  static const double others[] = {1e300, -1e300, 1e-300, 5e9, -5e9, 1e15, 300.25, -300.25};
  int n = 0;
  for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i)
    for (int halves = -3; halves <= 3; ++halves) value[n++] = limits[i] + halves * 0.5;
  for (size_t i = 0; i < sizeof large / sizeof *large; ++i) {
    value[n++] = large[i];
    value[n++] = nextafter(large[i], 0);
    value[n++] = nextafter(large[i], 2 * large[i]);
    value[n++] = large[i] * 1.5;
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) value[n++] = others[i];
  value[n++] = INFINITY;
  value[n++] = -INFINITY;
  value[n++] = NAN;
  return n;
}

static int holds(nc_type type, int64_t value) {
  static const int64_t least[] = {0, -128, 0, -32768, INT_MIN, 0, 0, 0, 0, 0, INT64_MIN, 0};
  static const int64_t most[] = {0, 127, 0, 32767, INT_MAX, 0, 0, 255, 65535, UINT_MAX, INT64_MAX, INT64_MAX};
  return value >= least[type] && value <= most[type];
}

/* The values of a type: returns how many there are. `to` may be NULL. */
static int fill_with_values(nc_type type, void* to) {
  static const int64_t limits[] = {0,       -128,    127,      255,       -32768,   32767, 65535,
                                   INT_MIN, INT_MAX, UINT_MAX, 1LL << 53, -1000000, 1000};
  static const uint64_t large[] = {INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 1, UINT64_MAX};
  double floating[k_most];
  unsigned char* at = to;
  int n = 0;
  if (is_floating(type)) {
    n = floating_values(floating);
    for (int i = 0; i < n && to != NULL; ++i) {
      const float single = (float)floating[i];
      memcpy(at + (size_t)i * bytes_of(type), type == NC_FLOAT ? (const void*)&single : &floating[i],
             bytes_of(type));
    }
    return n;
  }
  for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i) {
    for (int64_t value = limits[i] - 1; value <= limits[i] + 1; ++value) {
      if (!holds(type, value)) continue;
      if (to != NULL) memcpy(at + (size_t)n * bytes_of(type), &value, bytes_of(type));
      ++n;
    }
  }
  for (size_t i = 0; i < sizeof large / sizeof *large; ++i) {
    if (type != NC_UINT64 && (type != NC_INT64 || i > 1)) continue;
    if (to != NULL) memcpy(at + (size_t)n * 8, &large[i], 8); /* int64: INT64_MAX and INT64_MIN */
    ++n;
  }
  return n;
}

#define LENGTH size_t
#define ADD(name) name##_by_netcdf
#define API(call) nc_##call
#include "netcdf_ranges_steps.inc"
#undef LENGTH
#undef ADD
#undef API

#define LENGTH PIO_Offset
#define ADD(name) name##_by_pio
#define API(call) PIOc_##call
#include "netcdf_ranges_steps.inc"

/* netCDF-C makes 2^63 of all larger numbers in netCDF-4 files, also of those that the type holds. Here they
 * stay what they are. */
static int is_held_here(nc_type from, nc_type to, int i, int netcdf4) {
  double value[k_most];
  if (!netcdf4 || !is_floating(from) || to != NC_UINT64) return 0;
  (void)floating_values(value);
  if (from == NC_FLOAT) value[i] = (float)value[i];
  return value[i] > 0x1p63 && value[i] < 0x1p64;
}

/* A put of negative numbers of 8 bits to unsigned ones of 32 bits, in a CDF-5 file, leaves in the file what
 * was there with netCDF-C. */
static int is_left(nc_type from, nc_type to) { return from == NC_BYTE && to == NC_UINT; }

/* Where C leaves the result of a cast open, netCDF-C has that of the processor. */
static int is_open(nc_type from, nc_type to) {
#if defined(__x86_64__)
  (void)from;
  (void)to;
  return 0;
#else
  return is_floating(from) && !is_floating(to);
#endif
}

static int compare_values(const char* what, nc_type from, nc_type to, const struct values* pio,
                          const struct values* netcdf, int netcdf4) {
  const int puts = strstr(what, "put") != NULL && !netcdf4;
  const size_t bytes = bytes_of(to);
  int wrong = pio->n != netcdf->n || pio->n == 0;
  if (pio->code_of_all != netcdf->code_of_all) {
    fprintf(stderr, "%s, type %d to %d: PIO %d, netCDF %d\n", what, from, to, pio->code_of_all,
            netcdf->code_of_all);
    ++wrong;
  }
  for (int i = 0; i < pio->n; ++i) {
    const int same = memcmp(pio->bytes + (size_t)i * bytes, netcdf->bytes + (size_t)i * bytes, bytes) == 0 ||
                     is_held_here(from, to, i, netcdf4) || is_open(from, to) || (puts && is_left(from, to));
    if (same && pio->code[i] == netcdf->code[i]) continue;
    fprintf(stderr, "%s, type %d to %d, value %d: PIO %d, netCDF %d%s\n", what, from, to, i, pio->code[i],
            netcdf->code[i], same ? "" : ", and it becomes another one");
    ++wrong;
  }
  return wrong;
}

/* Returns the number of differences. After the puts that returned the codes, `enddef` and `sync` have none.
 */
static int compare(const char* what, int types, int netcdf4) {
  char text[80];
  int wrong = (results_by_pio.enddef != PIO_NOERR) + (results_by_pio.sync != PIO_NOERR);
  if (wrong > 0)
    fprintf(stderr, "%s: enddef %d, sync %d\n", what, results_by_pio.enddef, results_by_pio.sync);
  for (int m = 0; m < k_types; ++m) {
    for (int x = 0; x < types; ++x) {
      const nc_type memory = k_stored[m], stored = k_stored[x];
#define COMPARE(KIND, FROM, TO)                                            \
  snprintf(text, sizeof text, "%s, %s", what, #KIND);                      \
  wrong += compare_values(text, FROM, TO, &results_by_pio.KIND[memory][x], \
                          &results_by_netcdf.KIND[memory][x], netcdf4);
      COMPARE(put, memory, stored)
      COMPARE(put_att, memory, stored)
      COMPARE(get, stored, memory)
      COMPARE(get_att, stored, memory)
#undef COMPARE
    }
  }
  return wrong;
}

static int run(int system, const char* folder, const char* what, int iotype, int mode) {
  const int netcdf4 = mode == NC_NETCDF4;
  const int types = netcdf4 || mode == NC_64BIT_DATA ? k_types : k_classic_types;
  char path[4096];
  int rank = 0, file = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memset(&results_by_netcdf, 0, sizeof results_by_netcdf);
  memset(&results_by_pio, 0, sizeof results_by_pio);
  snprintf(path, sizeof path, "%s/netcdf.%s.%d.nc", folder, what, rank);
  must_nc(nc_create(path, NC_CLOBBER | mode, &file));
  run_by_netcdf(file, types);
  must_nc(nc_close(file));
  snprintf(path, sizeof path, "%s/pio.%s.nc", folder, what);
  must(PIOc_createfile(system, &file, &iotype, path, PIO_CLOBBER | (netcdf4 ? 0 : mode)));
  run_by_pio(file, types);
  must(PIOc_closefile(file));
  return compare(what, types, netcdf4);
}

int main(int argc, char** argv) {
  int system = -1, wrong = 0;
  MPI_Init(&argc, &argv);
  if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 1);
  must(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_SUBSET, &system));
  must(PIOc_set_iosystem_error_handling(system, PIO_RETURN_ERROR, NULL));
  wrong += run(system, argv[1], "cdf1", PIO_IOTYPE_NETCDF, 0);
  wrong += run(system, argv[1], "cdf2", PIO_IOTYPE_PNETCDF, NC_64BIT_OFFSET);
  wrong += run(system, argv[1], "cdf5", PIO_IOTYPE_PNETCDF, NC_64BIT_DATA);
  wrong += run(system, argv[1], "netcdf4", PIO_IOTYPE_NETCDF4P, NC_NETCDF4);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  must(PIOc_finalize(system));
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
