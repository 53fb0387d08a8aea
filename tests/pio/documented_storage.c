/* documented_storage FOLDER: decompositions, their files, and how variables are stored, in the PIO interface.
 */
#include "documented.h"

static void wrong_decompositions(void) {
  const PIO_Offset map = 1;
  const long start = rank, count = 1;
  int id = -3;
  IS(PIO_EINVAL, PIOc_InitDecomp(iosys, PIO_INT, 0, &ranks, 1, &map, &id, NULL, NULL, NULL));
  IS(PIO_EINVAL, PIOc_InitDecomp(iosys, PIO_INT, 1, NULL, 1, &map, &id, NULL, NULL, NULL));
  IS(PIO_EBADTYPE, PIOc_InitDecomp(iosys, 55, 1, &ranks, 0, NULL, &id, NULL, NULL, NULL));
  IS(PIO_EINVAL, PIOc_InitDecomp(iosys, PIO_INT, 1, &ranks, 1, NULL, &id, NULL, NULL, NULL));
  IS(PIO_EBADID, PIOc_InitDecomp(99, PIO_INT, 1, &ranks, 0, NULL, &id, NULL, NULL, NULL));
  IS(-3, id);
  DONE(PIOc_InitDecomp(iosys, PIO_INT, 1, &ranks, 0, NULL, &id, NULL, NULL, NULL));
  IS(0, PIOc_get_local_array_size(id));
  DONE(PIOc_freedecomp(iosys, id));
  DONE(PIOc_InitDecomp_bc(iosys, PIO_INT, 1, &ranks, &start, &count, &id));
  IS(1, PIOc_get_local_array_size(id));
  DONE(PIOc_freedecomp(iosys, id));
  IS(PIO_EBADID, PIOc_freedecomp(iosys, 5));
}

/* Data are converted to the type of the variable, and written also if the decomposition was freed before. */
static void freed_before_the_write(void) {
  const PIO_Offset from_zero = rank;
  int f = create("freed.nc", 0), dim = -1, v = -1, id = -1, i;
  double value = rank + 0.5;
  float all[k_most_ranks];
  DONE(PIOc_def_dim(f, "x", ranks, &dim));
  DONE(PIOc_def_var(f, "v", PIO_FLOAT, 1, &dim, &v));
  DONE(PIOc_enddef(f));
  DONE(PIOc_init_decomp(iosys, PIO_DOUBLE, 1, &ranks, 1, &from_zero, &id, 0, NULL, NULL));
  DONE(PIOc_write_darray(f, v, id, 1, &value, NULL));
  DONE(PIOc_freedecomp(iosys, id));
  value = -1;
  DONE(PIOc_closefile(f));
  f = open_again(PIO_NOWRITE);
  DONE(PIOc_get_var_float(f, v, all));
  for (i = 0; i < ranks; ++i) IS(2 * i + 1, 2 * all[i]);
  DONE(PIOc_closefile(f));
}

static void expect_map(const char* name, const PIO_Offset* map) {
  int ndims = 0, *extents = NULL, i;
  PIO_Offset length = 0, *got = NULL;
  DONE(PIOc_readmap(name, &ndims, &extents, &length, &got, MPI_COMM_WORLD));
  IS(2, ndims);
  IS(ranks, extents[0]);
  IS(4, extents[1]);
  IS(4, length);
  for (i = 0; i < 4; ++i) IS(map[i], got[i]);
  free(extents);
  free(got);
}

static void files_of_decompositions(void) {
  const int extents[] = {ranks, 4};
  PIO_Offset map[4], length = 0, *none = NULL;
  int id = -1, again = -1, order = -1, i, *no_extents = NULL;
  char name[PIO_MAX_NAME + 1], title[PIO_MAX_NAME + 1], history[PIO_MAX_NAME + 1];
  for (i = 0; i < 4; ++i) map[i] = 4 * rank + i + 1;
  if (rank == 0) map[1] = 0;
  DONE(PIOc_InitDecomp(iosys, PIO_INT, 2, extents, 4, map, &id, NULL, NULL, NULL));
  snprintf(name, sizeof name, "%s/map.txt", folder);
  DONE(PIOc_writemap(name, id, 2, extents, 4, map, MPI_COMM_WORLD));
  expect_map(name, map);
  DONE(PIOc_write_decomp(name, iosys, id, MPI_COMM_WORLD));
  expect_map(name, map);
  snprintf(name, sizeof name, "%s/map.nc", folder);
  DONE(PIOc_write_nc_decomp(iosys, name, 0, id, "a title", "a history", 1));
  expect_map(name, map);
  DONE(PIOc_read_nc_decomp(iosys, name, &again, MPI_COMM_WORLD, PIO_INT, title, history, &order));
  SAME("a title", title);
  SAME("a history", history);
  IS(1, order);
  IS(4, PIOc_get_local_array_size(again));
  DONE(PIOc_freedecomp(iosys, again));
  DONE(PIOc_write_nc_decomp(iosys, name, 0, id, NULL, NULL, 0));
  DONE(PIOc_read_nc_decomp(iosys, name, &again, MPI_COMM_WORLD, PIO_INT, NULL, NULL, NULL));
  DONE(PIOc_freedecomp(iosys, again));
  IS(PIO_EBADID, PIOc_write_nc_decomp(iosys, name, 0, 9999, NULL, NULL, 0));
  snprintf(name, sizeof name, "%s/none", folder);
  FAILS(PIOc_readmap(name, &i, &no_extents, &length, &none, MPI_COMM_WORLD));
  DONE(PIOc_freedecomp(iosys, id));
}

/* Classic files have no chunks, filters and byte orders: each of these calls returns -111. */
static void storage_of_variables(void) {
  const int code = is_netcdf4() ? PIO_NOERR : PIO_ENOTNC4;
  const int compresses = iotype == PIO_IOTYPE_NETCDF4C || iotype == PIO_IOTYPE_HDF5C;
  const PIO_Offset chunk[] = {4, 5}, negative[] = {-1, 2}, large[] = {9, 2};
  PIO_Offset got[] = {0, 0}, bytes = 0, elements = 0;
  float preemption = 0;
  int f = create("storage.nc", 0), dims[2] = {-1, -1}, v = -1, w = -1, i;
  int form = -1, shuffle = -1, deflate = -1, level = -1, endian = -1;
  double values[80], read[80] = {0};
  DONE(PIOc_def_dim(f, "y", 8, &dims[0]));
  DONE(PIOc_def_dim(f, "x", 10, &dims[1]));
  DONE(PIOc_def_var(f, "v", PIO_INT, 2, dims, &v));
  DONE(PIOc_def_var(f, "w", PIO_DOUBLE, 2, dims, &w));
  IS(code, PIOc_def_var_chunking(f, v, NC_CHUNKED, chunk));
  IS(code, PIOc_inq_var_chunking(f, v, &form, got));
  IS(code, PIOc_def_var_deflate(f, v, 1, 1, 3));
  IS(code, PIOc_inq_var_deflate(f, v, &shuffle, &deflate, &level));
  IS(code, PIOc_def_var_endian(f, w, NC_ENDIAN_BIG));
  IS(code, PIOc_inq_var_endian(f, w, &endian));
  if (code == PIO_NOERR) {
    IS(NC_CHUNKED, form);
    IS(4, got[0]);
    IS(5, got[1]);
    IS(1, shuffle);
    IS(1, deflate);
    IS(3, level);
    IS(NC_ENDIAN_BIG, endian);
    DONE(PIOc_inq_var_deflate(f, w, &shuffle, &deflate, &level));
    IS(compresses, deflate);
    IS(PIO_EINVAL, PIOc_def_var_deflate(f, v, 0, 1, 10));
    FAILS(PIOc_def_var_chunking(f, v, NC_CHUNKED, negative));
    FAILS(PIOc_def_var_chunking(f, v, NC_CHUNKED, large));
    IS(PIO_ENOTVAR, PIOc_def_var_deflate(f, 77, 0, 1, 1));
    IS(PIO_ENOTVAR, PIOc_inq_var_chunking(f, 77, &form, got));
    IS(PIO_EINVAL, PIOc_def_var_endian(f, w, 7));
    IS(PIO_EINVAL, PIOc_set_chunk_cache(iosys, iotype, 10, 10, 2.0F));
  }
  IS(code, PIOc_set_chunk_cache(iosys, iotype, 1024, 10, 0.5F));
  IS(code, PIOc_get_chunk_cache(iosys, iotype, &bytes, &elements, &preemption));
  IS(code == PIO_NOERR ? 1024 : 0, bytes);
  IS(code, PIOc_set_var_chunk_cache(f, v, 2048, 20, 0.25F));
  IS(code, PIOc_get_var_chunk_cache(f, v, &bytes, &elements, &preemption));
  IS(code == PIO_NOERR ? 20 : 0, elements);
  IS(PIO_ENOTNC4, PIOc_set_chunk_cache(iosys, PIO_IOTYPE_PNETCDF, 1, 1, 0));
  IS(PIO_EBADIOTYPE, PIOc_set_chunk_cache(iosys, 77, 1, 1, 0));
  IS(PIO_EBADIOTYPE, PIOc_get_chunk_cache(iosys, 0, &bytes, &elements, &preemption));
  DONE(PIOc_enddef(f));
  for (i = 0; i < 80; ++i) values[i] = i;
  DONE(PIOc_put_var_double(f, v, values));
  DONE(PIOc_put_var_double(f, w, values));
  DONE(PIOc_closefile(f));
  f = open_again(PIO_NOWRITE);
  DONE(PIOc_get_var_double(f, v, read));
  IS(79, read[79]);
  DONE(PIOc_get_var_double(f, w, read));
  IS(78, read[78]);
  DONE(PIOc_closefile(f));
}

static void check(void) {
  wrong_decompositions();
  freed_before_the_write();
  files_of_decompositions();
  storage_of_variables();
}

int main(int argc, char** argv) { return run(argc, argv, check); }
