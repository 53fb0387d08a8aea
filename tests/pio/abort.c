/* abort: with the handler PIO_INTERNAL_ERROR, which is the default, a wrong definition ends the program, a
 * wrong inquiry does not. */
#include <pio.h>

int main(int argc, char** argv) {
  int system = -1, file = -1, id = -1, iotype = PIO_IOTYPE_NETCDF;
  if (argc != 2) return 2;
  MPI_Init(&argc, &argv);
  if (PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &system) != PIO_NOERR ||
      PIOc_createfile(system, &file, &iotype, argv[1], 0) != PIO_NOERR)
    return 3;
  if (PIOc_inq_varid(file, "none", &id) != PIO_ENOTVAR || PIOc_inq_dimid(file, "none", &id) != PIO_EBADDIM ||
      PIOc_get_att(file, PIO_GLOBAL, "none", &id) != PIO_ENOTATT)
    return 4;
  printf("inquiries return\n");
  fflush(stdout);
  PIOc_def_var(file, "v", 99, 0, NULL, &id);
  printf("the program goes on\n");
  return 5;
}
