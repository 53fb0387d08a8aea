/* netcdf_codes FOLDER: calls of the PIO interface, right and wrong, return the codes that netCDF-C returns.
 */
#include <netcdf.h>
#include <pio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"
#include "must_nc.h"

enum { k_most = 300 };

/* The codes of one interface, and the calls that they are of. */
struct codes {
  int count;
  int code[k_most];
  const char* call[k_most];
};
static struct codes of_netcdf, of_pio;

static void keep(struct codes* codes, int code, const char* call) {
  if (codes->count == k_most) MPI_Abort(MPI_COMM_WORLD, 1);
  codes->code[codes->count] = code;
  codes->call[codes->count++] = call;
}

#define RUN(call) keep(&CODES, API(call), #call)

#define LENGTH size_t
#define ADD(name) name##_by_netcdf
#define API(call) nc_##call
#define CODES of_netcdf
#include "netcdf_codes_steps.inc"
#undef LENGTH
#undef ADD
#undef API
#undef CODES

#define LENGTH PIO_Offset
#define BY_PIO
#define ADD(name) name##_by_pio
#define API(call) PIOc_##call
#define CODES of_pio
#include "netcdf_codes_steps.inc"

static void by_netcdf(const char* path, int mode) {
  int file = -1, old = 0;
  const int netcdf4 = (mode & NC_NETCDF4) != 0;
  must_nc(nc_create(path, NC_CLOBBER | mode, &file));
  must_nc(nc_set_fill(file, NC_NOFILL, &old));
  define_by_netcdf(file, netcdf4);
  rename_by_netcdf(file, netcdf4);
  store_by_netcdf(file, netcdf4);
  must_nc(nc_enddef(file));
  change_by_netcdf(file, netcdf4);
  must_nc(nc_close(file));
  must_nc(nc_open(path, NC_NOWRITE, &file));
  read_by_netcdf(file, netcdf4);
  must_nc(nc_close(file));
}

static void by_pio(int system, const char* path, int iotype, int mode) {
  int file = -1;
  const int netcdf4 = iotype == PIO_IOTYPE_NETCDF4C || iotype == PIO_IOTYPE_NETCDF4P;
  must(PIOc_createfile(system, &file, &iotype, path, PIO_CLOBBER | mode));
  define_by_pio(file, netcdf4);
  rename_by_pio(file, netcdf4);
  store_by_pio(file, netcdf4);
  must(PIOc_enddef(file));
  change_by_pio(file, netcdf4);
  must(PIOc_closefile(file));
  must(PIOc_openfile(system, &file, &iotype, path, PIO_NOWRITE));
  read_by_pio(file, netcdf4);
  must(PIOc_closefile(file));
}

/* Returns the number of calls whose codes differ. */
static int compare(const char* what) {
  int wrong = 0;
  if (of_netcdf.count != of_pio.count || of_pio.count == 0) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < of_pio.count; ++i) {
    if (of_pio.code[i] == of_netcdf.code[i]) continue;
    fprintf(stderr, "%s, call %d: %s: PIO %d, netCDF %d\n", what, i, of_pio.call[i], of_pio.code[i],
            of_netcdf.code[i]);
    ++wrong;
  }
  return wrong;
}

static int run(int system, const char* folder, const char* what, int iotype, int mode) {
  char path[4096];
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  of_netcdf.count = of_pio.count = 0;
  snprintf(path, sizeof path, "%s/netcdf.%s.%d.nc", folder, what, rank);
  by_netcdf(path, mode);
  snprintf(path, sizeof path, "%s/pio.%s.nc", folder, what);
  by_pio(system, path, iotype, mode == NC_NETCDF4 ? 0 : mode);
  return rank == 0 ? compare(what) : 0;
}

int main(int argc, char** argv) {
  int system = -1, wrong = 0;
  MPI_Init(&argc, &argv);
  if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 1);
  must(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_SUBSET, &system));
  must(PIOc_set_iosystem_error_handling(system, PIO_RETURN_ERROR, NULL));
  wrong += run(system, argv[1], "cdf1", PIO_IOTYPE_NETCDF, 0);
  wrong += run(system, argv[1], "cdf5", PIO_IOTYPE_PNETCDF, NC_64BIT_DATA);
  wrong += run(system, argv[1], "netcdf4", PIO_IOTYPE_NETCDF4P, NC_NETCDF4);
  MPI_Bcast(&wrong, 1, MPI_INT, 0, MPI_COMM_WORLD);
  must(PIOc_finalize(system));
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
