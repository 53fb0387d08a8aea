// netcdf4_steps FILE...: carries out the steps in each text file, one a line, on netCDF-4 files
// (random_netcdf4.py writes them). Element i of put k is (7 k + i) mod 100.
//   create PATH MODEL | open PATH | close | sync
//   dimension NAME LENGTH
//   variable NAME TYPE FILL CHUNK FILTER DIMENSION...
//   attribute VARIABLE NAME VALUE
//   put VARIABLE RECORD K | part VARIABLE RECORD K
//   dump VARIABLE PATH
// A LENGTH of 0 is unlimited, a FILL of - the default; CHUNK is the extent along the first dimension, or 0;
// a FILTER of 1 is shuffle and deflate. `put` and `part` put a record, or all of a variable without records,
// by a decomposition or by requests; `dump` writes all elements as numbers of double precision.
// STEPS_FAULTS in the environment: the storage faults (option store_faults) of rank STEPS_FAULTY_RANK.
#include "steps.h"

typedef struct {
  int id, ndims, records;
  int64_t dims[k_most_dimensions];
} Variable;

static Variable find(const char* name) {
  Variable found = {0};
  int dimensions[k_most_dimensions] = {0};
  must(scorpio_variable_find(file, name, &found.id));
  must(scorpio_variable_inquire(file, found.id, NULL, NULL, &found.ndims, found.dims, k_most_dimensions));
  must(scorpio_variable_dimensions(file, found.id, dimensions, k_most_dimensions));
  if (found.ndims > 0)
    must(scorpio_dimension_inquire(file, dimensions[0], NULL, 0, NULL, NULL, &found.records));
  return found;
}

static int64_t product(const int64_t* begin, const int64_t* end) {
  int64_t elements = 1;
  while (begin < end) elements *= *begin++;
  return elements;
}

static void define(char** words, int count) {
  int dimensions[k_most_dimensions], id;
  const int ndims = count - 6, which = which_type(words[2]);
  for (int d = 0; d < ndims; d++) must(scorpio_dimension_find(file, words[6 + d], &dimensions[d]));
  must(scorpio_variable_define_on(file, words[1], element_types[which], ndims, dimensions, &id));
  if (atoi(words[4]) > 0) {
    int64_t chunk[k_most_dimensions] = {0};
    must(scorpio_variable_inquire(file, id, NULL, NULL, NULL, chunk, k_most_dimensions));
    chunk[0] = atoi(words[4]);
    must(scorpio_variable_define_chunks(file, id, chunk));
  }
  const int filters[2] = {2, 1}, parameters[2] = {0, 1};
  if (atoi(words[5]) == 1) must(scorpio_variable_define_filters(file, id, 2, filters, parameters));
  define_fill(id, which, words[3]);
}

/* Rank r has the r-th part of the record. */
static void put(const char* name, int64_t record, long k, int by_request) {
  const Variable variable = find(name);
  const int64_t* slab = variable.dims + variable.records;
  const int nslab = variable.ndims - variable.records;
  const int64_t elements = product(slab, slab + nslab), rows = nslab > 0 ? slab[0] : 1;
  const int64_t row = rows > 0 ? elements / rows : 0;
  const int64_t first = rows * rank / ranks, end = rows * (rank + 1) / ranks;
  double* values = malloc((size_t)(elements + 1) * sizeof *values);
  for (int64_t i = first * row; i < end * row; i++) values[i - first * row] = element(k, i);
  if (nslab == 0) values[0] = element(k, 0);
  int64_t start[k_most_dimensions] = {record, first, 0, 0}, count[k_most_dimensions] = {1, end - first};
  for (int d = 1; d < nslab; d++) count[d + 1] = slab[d];
  const int skipped = 1 - variable.records;
  scorpio_access access =
      scorpio_hyperslab(variable.id, start + skipped, count + skipped, SCORPIO_FLOAT64, values);
  if (by_request) {
    if (nslab > 0 || rank == 0) must(scorpio_iput(file, &access, NULL));
    must(scorpio_wait(file, SCORPIO_ALL_REQUESTS, NULL, NULL));
  } else if (nslab == 0) {
    access.sharing = SCORPIO_ALL_RANKS;
    must(scorpio_put(file, &access));
  } else {
    scorpio_decomp* decomp;
    const int64_t part_start[k_most_dimensions] = {first};
    must(scorpio_decomp_block(io, nslab, slab, part_start, count + 1, &decomp));
    must(scorpio_put_darray(file, variable.id, decomp, record, SCORPIO_FLOAT64, values));
    must(scorpio_decomp_free(decomp));
  }
  free(values);
}

static void dump(const char* name, const char* path) {
  const Variable variable = find(name);
  dump_all(variable.id, variable.dims, product(variable.dims, variable.dims + variable.ndims), path);
}

static void create(const char* path, const char* model) {
  scorpio_options* options;
  must(scorpio_options_create(&options));
  must(scorpio_options_set(options, "model", model));
  must(scorpio_file_create(io, path, SCORPIO_FORMAT_NETCDF4, options, &file));
  must(scorpio_options_free(options));
}

static void carry_out(char** words, int count) {
  int id;
  if (strcmp(words[0], "create") == 0) create(words[1], words[2]);
  if (strcmp(words[0], "variable") == 0) define(words, count);
  if (strcmp(words[0], "attribute") == 0) {
    must(scorpio_variable_find(file, words[1], &id));
    must(scorpio_attribute_put_text(file, id, words[2], words[3]));
  }
  if (strcmp(words[0], "put") == 0) put(words[1], atol(words[2]), atol(words[3]), 0);
  if (strcmp(words[0], "part") == 0) put(words[1], atol(words[2]), atol(words[3]), 1);
  if (strcmp(words[0], "dump") == 0) dump(words[1], words[2]);
}

static void create_system(void) {
  const char *rule = getenv("STEPS_FAULTS"), *faulty = getenv("STEPS_FAULTY_RANK");
  scorpio_options* options;
  must(scorpio_options_create(&options));
  if (rule != NULL && faulty != NULL && atoi(faulty) == rank)
    must(scorpio_options_set(options, "store_faults", rule));
  must(scorpio_iosystem_create(MPI_COMM_WORLD, options, &io));
  must(scorpio_options_free(options));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  create_system();
  run_steps(argc, argv, carry_out);
  must(scorpio_iosystem_free(io));
  MPI_Finalize();
  return 0;
}
