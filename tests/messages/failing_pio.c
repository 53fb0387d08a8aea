/* failing_pio FOLDER: PIO calls that fail, one in the native library, one in PIO alone, with the handler that
 * returns codes. */
#include <mpi.h>
#include <pio.h>
#include <stdio.h>

static void expect(int wanted, int code, int line) {
  if (code == wanted) return;
  printf("line %d: code %d, not %d\n", line, code, wanted);
  MPI_Abort(MPI_COMM_WORLD, 3);
}
#define EXPECT(wanted, call) expect(wanted, call, __LINE__)

int main(int argc, char** argv) {
  char missing[4096];
  int system = 0, file = 0, ranks = 0, format = PIO_IOTYPE_PNETCDF;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(missing, sizeof missing, "%s/missing.nc", argv[1]);
  EXPECT(PIO_NOERR, PIOc_Init_Intracomm(MPI_COMM_WORLD, ranks, 1, 0, PIO_REARR_BOX, &system));
  EXPECT(PIO_NOERR, PIOc_set_iosystem_error_handling(system, PIO_BCAST_ERROR, NULL));
  EXPECT(-220, PIOc_openfile(system, &file, &format, missing, PIO_NOWRITE));
  format = 99;
  EXPECT(PIO_EBADIOTYPE, PIOc_createfile(system, &file, &format, missing, PIO_CLOBBER));
  EXPECT(PIO_NOERR, PIOc_finalize(system));
  MPI_Finalize();
  return 0;
}
