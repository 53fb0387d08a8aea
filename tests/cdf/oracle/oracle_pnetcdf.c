/* The oracle by PnetCDF, on one rank. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static int file = -1;

int oracle_begin(int* argc, char*** argv) { return MPI_Init(argc, argv); }

int oracle_end(void) { return MPI_Finalize(); }

const char* oracle_version(void) { return ncmpi_inq_libvers(); }

static int creation_mode(int version) {
  if (version == 5) return NC_CLOBBER | NC_64BIT_DATA;
  return version == 2 ? NC_CLOBBER | NC_64BIT_OFFSET : NC_CLOBBER;
}

static int without_fill(void) {
  int old = 0;
  return ncmpi_set_fill(file, NC_NOFILL, &old);
}

int oracle_create(const char* path, int version, const struct OracleHint* hints, int hint_count) {
  MPI_Info info = MPI_INFO_NULL;
  if (hint_count > 0) MPI_Info_create(&info);
  for (int i = 0; i < hint_count; ++i) MPI_Info_set(info, hints[i].name, hints[i].value);
  const int error = ncmpi_create(MPI_COMM_SELF, path, creation_mode(version), info, &file);
  if (info != MPI_INFO_NULL) MPI_Info_free(&info);
  return error != NC_NOERR ? error : without_fill();
}

int oracle_open(const char* path) { return ncmpi_open(MPI_COMM_SELF, path, NC_WRITE, MPI_INFO_NULL, &file); }

int oracle_dimension(const char* name, long long length) {
  int id = 0;
  return ncmpi_def_dim(file, name, length, &id);
}

int oracle_variable(const char* name, int type, int dims, const int* dim_ids) {
  int id = 0;
  return ncmpi_def_var(file, name, type, dims, dim_ids, &id);
}

int oracle_attribute(int variable, const char* name, int type, size_t count, const void* values) {
  return ncmpi_put_att(file, variable, name, type, (MPI_Offset)count, values);
}

int oracle_end_definitions(const long long* padding) {
  if (padding == NULL) return ncmpi_enddef(file);
  return ncmpi__enddef(file, padding[0], padding[1], padding[2], padding[3]);
}

int oracle_redefine(void) { return ncmpi_redef(file); }

int oracle_records(int variable, int dims, long long records) {
  MPI_Offset* index = calloc((size_t)dims, sizeof *index);
  if (index == NULL) return NC_ENOMEM;
  index[0] = records - 1;
  const double value = 0; /* eight bytes of zero: an element of any type */
  const int error = ncmpi_put_var1_all(file, variable, index, &value, 0, MPI_DATATYPE_NULL);
  free(index);
  return error;
}

int oracle_write(int variable, int dims, const long long* counts, int value) {
  enum { k_widest = 8 };
  MPI_Offset* sizes = calloc((size_t)dims + 1, sizeof *sizes);
  MPI_Offset* starts = calloc((size_t)dims + 1, sizeof *starts);
  size_t bytes = k_widest;
  for (int i = 0; i < dims; ++i) bytes *= (size_t)counts[i];
  char* values = malloc(bytes);
  int error = NC_ENOMEM;
  if (sizes != NULL && starts != NULL && values != NULL) {
    for (int i = 0; i < dims; ++i) sizes[i] = (MPI_Offset)counts[i];
    memset(values, value, bytes);
    error = ncmpi_put_vara_all(file, variable, starts, sizes, values, 0, MPI_DATATYPE_NULL);
  }
  free(sizes);
  free(starts);
  free(values);
  return error;
}

int oracle_close(void) { return ncmpi_close(file); }
