/* by_pio FILE 1|2|5 0|1: the workload of tests/classic/identical through the PIO interface. */
#include <pio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"
#include "workload.h"

static int file;

int make_dimension(const char* name, long long length) {
  int id = -1;
  must(PIOc_def_dim(file, name, length < 0 ? PIO_UNLIMITED : length, &id));
  return id;
}

int make_variable(const char* name, int type, int ndims, const int* dims) {
  int id = -1;
  must(PIOc_def_var(file, name, type, ndims, dims, &id));
  return id;
}

void make_text(int variable, const char* name, const char* value) {
  must(PIOc_put_att_text(file, variable, name, (PIO_Offset)strlen(value), value));
}

void make_ints(int variable, const char* name, int n, const int* values) {
  must(PIOc_put_att_int(file, variable, name, PIO_INT, n, values));
}

void begin_definitions(void) { must(PIOc_redef(file)); }
void end_definitions(void) { must(PIOc_enddef(file)); }

void write_slab(int variable, long long record) {
  int ndims = 0, dims[8];
  nc_type type = PIO_NAT;
  PIO_Offset start[8] = {0}, count[8];
  must(PIOc_inq_var(file, variable, NULL, 0, &type, &ndims, dims, NULL));
  int elements = 1;
  for (int d = 0; d < ndims; ++d) {
    must(PIOc_inq_dimlen(file, dims[d], &count[d]));
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
  must(type == PIO_CHAR ? PIOc_put_vara_text(file, variable, start, count, text)
                        : PIOc_put_vara_int(file, variable, start, count, numbers));
}

int main(int argc, char** argv) {
  int system = -1, iotype = PIO_IOTYPE_PNETCDF;
  if (argc != 4) return 2;
  MPI_Init(&argc, &argv);
  const int version = atoi(argv[2]);
  const int mode = version == 5 ? PIO_64BIT_DATA : version == 2 ? PIO_64BIT_OFFSET : 0;
  must(PIOc_Init_Intracomm(MPI_COMM_WORLD, 2, 1, 0, PIO_REARR_BOX, &system));
  must(PIOc_createfile(system, &file, &iotype, argv[1], PIO_CLOBBER | mode));
  work(version, atoi(argv[3]));
  must(PIOc_closefile(file));
  must(PIOc_finalize(system));
  MPI_Finalize();
  return 0;
}
