// removals FILE...: carries out the steps in each text file, one a line, on HDF5 files from which variables
// are removed (random_removals.py writes them). Element i of put k is (7 k + i) mod 100.
//   create PATH FORMAT | open PATH | close | sync
//   variable NAME TYPE FORM EXTENT EXTENT CHUNK CHUNK
//   put NAME K ROWS | post NAME K ROWS
//   remove NAME
//   dump NAME PATH
// A FORM is plain, chunks, deflate (after shuffle), fletcher32, or records (deflate, and the first dimension
// is unlimited). `put` puts all rows by a decomposition, `post` the first rows by requests; `dump` writes all
// elements as numbers of double precision.
#include "steps.h"

static int find(const char* name, int64_t* dims) {
  int id = -1;
  must(scorpio_variable_find(file, name, &id));
  must(scorpio_variable_inquire(file, id, NULL, NULL, NULL, dims, k_most_dimensions));
  return id;
}

static int dimension(const char* name, int64_t length) {
  int id = -1;
  if (scorpio_dimension_find(file, name, &id) != SCORPIO_OK)
    must(scorpio_dimension_define(file, name, length, &id));
  return id;
}

static void define(char** words) {
  const int64_t dims[2] = {atol(words[4]), atol(words[5])}, chunk[2] = {atol(words[6]), atol(words[7])};
  const char* form = words[3];
  const int which = which_type(words[2]);
  int id = -1;
  if (strcmp(form, "records") == 0) {
    char name[32];
    snprintf(name, sizeof name, "x%s", words[5]);
    const int dimensions[2] = {dimension("t", SCORPIO_UNLIMITED), dimension(name, dims[1])};
    must(scorpio_variable_define_on(file, words[1], element_types[which], 2, dimensions, &id));
  } else {
    must(scorpio_variable_define(file, words[1], element_types[which], 2, dims, &id));
  }
  define_fill(id, which, "-");
  if (strcmp(form, "plain") == 0) return;
  must(scorpio_variable_define_chunks(file, id, chunk));
  const int deflate[2] = {2, 1}, parameters[2] = {0, 1}, fletcher32 = 3;
  if (strcmp(form, "deflate") == 0 || strcmp(form, "records") == 0)
    must(scorpio_variable_define_filters(file, id, 2, deflate, parameters));
  if (strcmp(form, "fletcher32") == 0)
    must(scorpio_variable_define_filters(file, id, 1, &fletcher32, parameters));
}

/* Each rank has some of the rows. */
static void put(const char* name, long k, int64_t rows, int by_request) {
  int64_t dims[k_most_dimensions] = {0};
  const int id = find(name, dims);
  const int64_t start[2] = {rows * rank / ranks, 0}, end = rows * (rank + 1) / ranks;
  const int64_t count[2] = {end - start[0], dims[1]}, array[2] = {rows, dims[1]};
  double* values = malloc((size_t)(count[0] * count[1] + 1) * sizeof *values);
  for (int64_t i = 0; i < count[0] * count[1]; i++) values[i] = element(k, start[0] * dims[1] + i);
  if (by_request) {
    const scorpio_access access = scorpio_hyperslab(id, start, count, SCORPIO_FLOAT64, values);
    must(scorpio_iput(file, &access, NULL));
    must(scorpio_wait(file, SCORPIO_ALL_REQUESTS, NULL, NULL));
  } else {
    scorpio_decomp* decomp;
    must(scorpio_decomp_block(io, 2, array, start, count, &decomp));
    must(scorpio_put_darray(file, id, decomp, 0, SCORPIO_FLOAT64, values));
    must(scorpio_decomp_free(decomp));
  }
  free(values);
}

static void dump(const char* name, const char* path) {
  int64_t dims[k_most_dimensions] = {0};
  const int id = find(name, dims);
  dump_all(id, dims, dims[0] * dims[1], path);
}

static void carry_out(char** words, int count) {
  (void)count;
  if (strcmp(words[0], "create") == 0)
    must(scorpio_file_create(io, words[1],
                             strcmp(words[2], "hdf5") == 0 ? SCORPIO_FORMAT_HDF5 : SCORPIO_FORMAT_NETCDF4,
                             NULL, &file));
  if (strcmp(words[0], "variable") == 0) define(words);
  const int post = strcmp(words[0], "post") == 0;
  if (post || strcmp(words[0], "put") == 0) put(words[1], atol(words[2]), atol(words[3]), post);
  if (strcmp(words[0], "remove") == 0) must(scorpio_object_remove(file, words[1]));
  if (strcmp(words[0], "dump") == 0) dump(words[1], words[2]);
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
