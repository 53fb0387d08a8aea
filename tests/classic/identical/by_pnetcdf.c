/* by_pnetcdf FILE 1|2|5 0|1 [FREE]: the workload through PnetCDF on one rank, without hints but one:
 * since 1.14 a header that grows is no longer aligned to 512 bytes unless asked. FREE: bytes that each end of
 * definitions leaves free in the header. */
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload.h"

static int file;
static MPI_Offset header_free;

static void must(int error) {
  if (error == NC_NOERR) return;
  fprintf(stderr, "%s\n", ncmpi_strerror(error));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int make_dimension(const char* name, long long length) {
  int id = -1;
  must(ncmpi_def_dim(file, name, length < 0 ? NC_UNLIMITED : length, &id));
  return id;
}

int make_variable(const char* name, int type, int ndims, const int* dims) {
  int id = -1;
  must(ncmpi_def_var(file, name, type, ndims, dims, &id));
  return id;
}

void make_text(int variable, const char* name, const char* value) {
  must(ncmpi_put_att_text(file, variable, name, (MPI_Offset)strlen(value), value));
}

void make_ints(int variable, const char* name, int n, const int* values) {
  must(ncmpi_put_att_int(file, variable, name, NC_INT, n, values));
}

void begin_definitions(void) { must(ncmpi_redef(file)); }
void end_definitions(void) {
  must(header_free > 0 ? ncmpi__enddef(file, header_free, 0, 0, 0) : ncmpi_enddef(file));
}

void write_slab(int variable, long long record) {
  int ndims = 0, dims[8];
  nc_type type = NC_NAT;
  MPI_Offset start[8] = {0}, count[8];
  must(ncmpi_inq_var(file, variable, NULL, &type, &ndims, dims, NULL));
  int elements = 1;
  for (int d = 0; d < ndims; ++d) {
    must(ncmpi_inq_dimlen(file, dims[d], &count[d]));
    if (d == 0 && record >= 0) {
      start[0] = record;
      count[0] = 1;
    }
    elements *= (int)count[d];
  }
  char text[k_most];
  int numbers[k_most];
  for (int i = 0; i < elements; ++i) {
    numbers[i] = datum(variable, record, i);
    text[i] = (char)numbers[i];
  }
  must(type == NC_CHAR ? ncmpi_put_vara_text_all(file, variable, start, count, text)
                       : ncmpi_put_vara_int_all(file, variable, start, count, numbers));
}

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) return 2;
  if (argc == 5) header_free = atoi(argv[4]);
  MPI_Init(&argc, &argv);
  const int version = atoi(argv[2]);
  const int mode = version == 5 ? NC_64BIT_DATA : version == 2 ? NC_64BIT_OFFSET : 0;
  MPI_Info hints = MPI_INFO_NULL;
#if PNETCDF_VERSION_MAJOR * 100 + PNETCDF_VERSION_MINOR >= 114
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "nc_header_align_size", "512");
#endif
  must(ncmpi_create(MPI_COMM_WORLD, argv[1], NC_CLOBBER | mode, hints, &file));
  work(version, atoi(argv[3]));
  must(ncmpi_close(file));
  if (hints != MPI_INFO_NULL) MPI_Info_free(&hints);
  MPI_Finalize();
  return 0;
}
