/* unattached FILE: a netCDF-4 file by netCDF-C, whose variables have ids of their dimensions and no dimension
 * scales attached, as ParallelIO makes its files: t(t), and v(t, y, x) with three records. */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

enum { k_records = 3, k_y = 5, k_x = 3 };

static void must(int code) {
  if (code == NC_NOERR) return;
  fprintf(stderr, "%s\n", nc_strerror(code));
  exit(1);
}

int main(int argc, char** argv) {
  int file, dimensions[3], t, v;
  if (argc < 2) return 2;
#ifndef NC_NODIMSCALE_ATTACH
  puts("netCDF-C attaches dimension scales always");
  return 77;
#else
  must(nc_create(argv[1], NC_CLOBBER | NC_NETCDF4 | NC_NODIMSCALE_ATTACH, &file));
  must(nc_def_dim(file, "t", NC_UNLIMITED, &dimensions[0]));
  must(nc_def_dim(file, "y", k_y, &dimensions[1]));
  must(nc_def_dim(file, "x", k_x, &dimensions[2]));
  must(nc_def_var(file, "t", NC_DOUBLE, 1, dimensions, &t));
  must(nc_def_var(file, "v", NC_INT, 3, dimensions, &v));
  must(nc_enddef(file));
  for (size_t record = 0; record < k_records; record++) {
    const size_t start[3] = {record, 0, 0}, count[3] = {1, k_y, k_x};
    const double time = (double)(7 * record);
    int values[k_y * k_x];
    for (int i = 0; i < k_y * k_x; i++) values[i] = (int)(7 * record) + i;
    must(nc_put_var1_double(file, t, start, &time));
    must(nc_put_vara_int(file, v, start, count, values));
  }
  must(nc_close(file));
  return 0;
#endif
}
