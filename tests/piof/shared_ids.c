/* The part of shared_ids.F90 in C. */
#include <pio.h>
#include <string.h>

int use_ids(int iosysid, int ncid, int ioid, const char* path, int* made);
int end_use(int made);

/* With an I/O system, a file in define mode and a decomposition of Fortran; `made`: a file in define mode. */
int use_ids(int iosysid, int ncid, int ioid, const char* path, int* made) {
  const int iotype = PIO_IOTYPE_PNETCDF;
  bool active = false;
  int dim = -1;
  if (PIOc_iosystem_is_active(iosysid, &active) != PIO_NOERR || !active) return 1;
  if (PIOc_get_iosystem(ncid) != iosysid) return 2;
  if (PIOc_get_local_array_size(ioid) != 2) return 3;
  if (PIOc_put_att_text(ncid, PIO_GLOBAL, "from_c", 1, "c") != PIO_NOERR) return 4;
  if (PIOc_createfile(iosysid, made, &iotype, path, PIO_CLOBBER) != PIO_NOERR) return 5;
  return PIOc_def_dim(*made, "x", 7, &dim) == PIO_NOERR ? 0 : 6;
}

int end_use(int made) { return PIOc_closefile(made); }
