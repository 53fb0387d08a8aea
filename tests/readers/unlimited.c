// unlimited FILE...: carries out the steps in each text file, one a line, on files with variables that have
// several unlimited dimensions (random_unlimited.py writes them). Element i of put k is (7 k + i) mod 100.
//   create PATH FORMAT | open PATH | close | sync
//   dimension NAME LENGTH
//   variable NAME TYPE FILL FILTER NDIMS DIMENSION... CHUNK...
//   darray NAME RECORD K EXTENT...
//   post NAME RECORD K EXTENT...
//   boxes NAME K START... COUNT...
//   each NAME K START... COUNT...
//   all NAME K START... COUNT...
//   dump NAME PATH | read NAME PATH
//   refused CODE NAME RECORD EXTENT...
// A LENGTH of 0 is unlimited, a FILL of - the default; a first CHUNK of 0: the library chooses; a FILTER is
// none, deflate (after shuffle) or fletcher32. `darray` and `post` put a decomposition of an array of these
// extents, the latter by requests; `boxes` and `each` put a hyperslab of which each rank has a part, by
// requests or by one call, `all` one of rank 0. `dump` gets all elements on all ranks, `read` by a
// decomposition, and both write them as numbers of double precision. `refused` is a put that returns this
// code.
#include "steps.h"

static int64_t product(const int64_t* dims, int ndims) {
  int64_t elements = 1;
  for (int d = 0; d < ndims; d++) elements *= dims[d];
  return elements;
}

static int find(const char* name, int64_t* dims) {
  int id = -1, ndims = 0;
  must(scorpio_variable_find(file, name, &id));
  must(scorpio_variable_inquire(file, id, NULL, NULL, &ndims, dims, k_most_dimensions));
  return id;
}

static int ndims_of(int id) {
  int ndims = 0;
  must(scorpio_variable_inquire(file, id, NULL, NULL, &ndims, NULL, 0));
  return ndims;
}

static void numbers(char** words, int count, int64_t* values) {
  for (int i = 0; i < count; i++) values[i] = atol(words[i]);
}

static void define(char** words) {
  const int ndims = atoi(words[5]);
  const int which = which_type(words[2]);
  int dimensions[k_most_dimensions], id = -1;
  for (int d = 0; d < ndims; d++) must(scorpio_dimension_find(file, words[6 + d], &dimensions[d]));
  must(scorpio_variable_define_on(file, words[1], element_types[which], ndims, dimensions, &id));
  int64_t chunk[k_most_dimensions];
  numbers(words + 6 + ndims, ndims, chunk);
  if (chunk[0] > 0) must(scorpio_variable_define_chunks(file, id, chunk));
  const int deflate[2] = {2, 1}, parameters[2] = {0, 1}, fletcher32 = 3;
  if (strcmp(words[4], "deflate") == 0)
    must(scorpio_variable_define_filters(file, id, 2, deflate, parameters));
  if (strcmp(words[4], "fletcher32") == 0)
    must(scorpio_variable_define_filters(file, id, 1, &fletcher32, parameters));
  define_fill(id, which, words[3]);
}

/* This rank's rows of an array, and their elements. */
static double* share(const int64_t* dims, int ndims, int64_t* start, int64_t* count, long k) {
  for (int d = 0; d < ndims; d++) {
    start[d] = d == 0 ? dims[0] * rank / ranks : 0;
    count[d] = d == 0 ? dims[0] * (rank + 1) / ranks - start[0] : dims[d];
  }
  const int64_t elements = product(count, ndims), first = start[0] * product(dims + 1, ndims - 1);
  double* values = malloc((size_t)(elements + 1) * sizeof *values);
  for (int64_t i = 0; i < elements; i++) values[i] = element(k, first + i);
  return values;
}

static int put_array(const char* name, int64_t record, long k, const int64_t* dims, int ndims,
                     int by_request) {
  int64_t start[k_most_dimensions], count[k_most_dimensions], unused[k_most_dimensions];
  const int id = find(name, unused);
  double* values = share(dims, ndims, start, count, k);
  scorpio_decomp* decomp;
  must(scorpio_decomp_block(io, ndims, dims, start, count, &decomp));
  int code;
  if (by_request) {
    const scorpio_access access = {
        .variable = id, .decomp = decomp, .record = record, .type = SCORPIO_FLOAT64, .data = values};
    code = scorpio_iput(file, &access, NULL);
    must(scorpio_wait(file, SCORPIO_ALL_REQUESTS, NULL, NULL));
  } else {
    code = scorpio_put_darray(file, id, decomp, record, SCORPIO_FLOAT64, values);
  }
  must(scorpio_decomp_free(decomp));
  free(values);
  return code;
}

/* Each rank puts its rows of the hyperslab; or rank 0 all of it. */
static void put_box(char** words, int all, int by_request) {
  int64_t start[k_most_dimensions], count[k_most_dimensions], own[k_most_dimensions], rows[k_most_dimensions];
  const int id = find(words[1], start), ndims = ndims_of(id);
  numbers(words + 3, ndims, start);
  numbers(words + 3 + ndims, ndims, count);
  double* values = share(count, ndims, own, rows, atol(words[2]));
  if (all) {
    free(values);
    const int64_t elements = product(count, ndims);
    values = malloc((size_t)(elements + 1) * sizeof *values);
    for (int64_t i = 0; i < elements; i++) values[i] = element(atol(words[2]), i);
    scorpio_access access = scorpio_hyperslab(id, start, count, SCORPIO_FLOAT64, values);
    access.sharing = SCORPIO_ALL_RANKS;
    must(scorpio_put(file, &access));
  } else {
    start[0] += own[0];
    scorpio_access access = scorpio_hyperslab(id, start, rows, SCORPIO_FLOAT64, values);
    if (by_request) {
      must(scorpio_iput(file, &access, NULL));
      must(scorpio_wait(file, SCORPIO_ALL_REQUESTS, NULL, NULL));
    } else {
      must(scorpio_put(file, &access));
    }
  }
  free(values);
}

static void dump(const char* name, const char* path) {
  int64_t dims[k_most_dimensions] = {0};
  const int id = find(name, dims);
  dump_all(id, dims, product(dims, ndims_of(id)), path);
}

static void read_parts(const char* name, const char* path) {
  int64_t dims[k_most_dimensions] = {0}, start[k_most_dimensions], count[k_most_dimensions];
  const int id = find(name, dims), ndims = ndims_of(id);
  const int64_t elements = product(dims, ndims);
  double *values = share(dims, ndims, start, count, 0), *all = calloc((size_t)elements + 1, sizeof *all);
  scorpio_decomp* decomp;
  must(scorpio_decomp_block(io, ndims, dims, start, count, &decomp));
  must(scorpio_get_darray(file, id, decomp, 0, SCORPIO_FLOAT64, values));
  must(scorpio_decomp_free(decomp));
  memcpy(all + start[0] * product(dims + 1, ndims - 1), values,
         (size_t)product(count, ndims) * sizeof *values);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : all, all, (int)elements, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  write_out(path, all, elements);
  free(values);
  free(all);
}

static void create(const char* path, const char* format) {
  must(scorpio_file_create(
      io, path, strcmp(format, "hdf5") == 0 ? SCORPIO_FORMAT_HDF5 : SCORPIO_FORMAT_NETCDF4, NULL, &file));
}

static void carry_out(char** words, int count) {
  int64_t dims[k_most_words];
  if (strcmp(words[0], "create") == 0) create(words[1], words[2]);
  if (strcmp(words[0], "variable") == 0) define(words);
  const int post = strcmp(words[0], "post") == 0;
  if (post || strcmp(words[0], "darray") == 0) {
    numbers(words + 4, count - 4, dims);
    must(put_array(words[1], atol(words[2]), atol(words[3]), dims, count - 4, post));
  }
  if (strcmp(words[0], "refused") == 0) {
    numbers(words + 4, count - 4, dims);
    const int code = put_array(words[2], atol(words[3]), 1, dims, count - 4, 1);
    if (code != atoi(words[1])) {
      fprintf(stderr, "%s returns %d\n", step, code);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  if (strcmp(words[0], "boxes") == 0) put_box(words, 0, 1);
  if (strcmp(words[0], "each") == 0) put_box(words, 0, 0);
  if (strcmp(words[0], "all") == 0) put_box(words, 1, 0);
  if (strcmp(words[0], "dump") == 0) dump(words[1], words[2]);
  if (strcmp(words[0], "read") == 0) read_parts(words[1], words[2]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  must(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  run_steps(argc, argv, carry_out);
  must(scorpio_iosystem_free(io));
  MPI_Finalize();
  return 0;
}
