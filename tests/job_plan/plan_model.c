/* What a plan foretells, done: puts variables by the maps of a file in PIO's text form, once for each set of
 * options, and prints the sums of counters over the ranks as one line of JSON.
 * mpirun -n 16 plan_model map.txt folder/file variables type "nodes=1,io_ranks=2" ...
 */
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int code) {
  scorpio_error error;
  if (code == SCORPIO_OK) return;
  scorpio_error_last(&error);
  fprintf(stderr, "%s\n", error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void require(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "plan_model: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

typedef struct map {
  int ndims;
  int64_t dims[32];
  int64_t length;
  int64_t* index; /* from 0; -1 is a hole */
} map;

static map read_map(const char* path, int rank) {
  map m = {0, {0}, 0, NULL};
  int version, ranks, r = -1;
  FILE* file = fopen(path, "r");
  require(file != NULL, "the map cannot be opened");
  require(fscanf(file, "version %d npes %d ndims %d", &version, &ranks, &m.ndims) == 3 && m.ndims <= 32,
          "head");
  for (int d = 0; d < m.ndims; d++) require(fscanf(file, "%ld", &m.dims[d]) == 1, "extents");
  while (r < rank) {
    require(fscanf(file, "%d %ld", &r, &m.length) == 2, "rank");
    m.index = realloc(m.index, (size_t)(m.length + 1) * sizeof *m.index);
    for (int64_t i = 0; i < m.length; i++) {
      require(fscanf(file, "%ld", &m.index[i]) == 1, "element");
      m.index[i]--;
    }
  }
  fclose(file);
  return m;
}

static scorpio_iosystem* system_with(char* settings) {
  scorpio_options* options;
  scorpio_iosystem* io;
  check(scorpio_options_create(&options));
  for (char* one = strtok(settings, ","); one != NULL; one = strtok(NULL, ",")) {
    char* value = strchr(one, '=');
    *value++ = '\0';
    check(scorpio_options_set(options, one, value));
  }
  check(scorpio_iosystem_create(MPI_COMM_WORLD, options, &io));
  check(scorpio_options_free(options));
  return io;
}

static void put_all(scorpio_iosystem* io, const map* m, const char* path, int variables, scorpio_type type) {
  scorpio_decomp* decomp;
  scorpio_file* file;
  char name[32];
  int* ids = malloc((size_t)variables * sizeof *ids);
  double* data = calloc((size_t)m->length + 1, sizeof *data);
  check(scorpio_decomp_map(io, m->ndims, m->dims, m->length, m->index, &decomp));
  check(scorpio_file_create(io, path, SCORPIO_FORMAT_DEFAULT, NULL, &file));
  for (int v = 0; v < variables; v++) {
    snprintf(name, sizeof name, "v%d", v);
    check(scorpio_variable_define(file, name, type, m->ndims, m->dims, &ids[v]));
  }
  for (int v = 0; v < variables; v++) check(scorpio_put_darray(file, ids[v], decomp, 0, type, data));
  check(scorpio_file_close(file));
  check(scorpio_decomp_free(decomp));
  free(ids);
  free(data);
}

static void print_counters(scorpio_iosystem* io, int rank) {
  static const char* const names[] = {"messages",        "message_data_bytes", "writes",
                                      "metadata_writes", "aligned_writes",     "unaligned_writes",
                                      "opens",           "bytes_written",      "metadata_bytes",
                                      "staging_bytes",   "planned_messages",   "collective_transfers"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    uint64_t mine, sum = 0, most = 0;
    check(scorpio_iosystem_counter(io, names[i], &mine));
    MPI_Reduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
      printf("%s\"%s\": %lu, \"most_%s\": %lu", i == 0 ? "{" : ", ", names[i], sum, names[i], most);
  }
  if (rank == 0) printf("}\n");
}

int main(int argc, char** argv) {
  int rank;
  map m;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  m = read_map(argv[1], rank);
  for (int i = 5; i < argc; i++) {
    scorpio_iosystem* io = system_with(argv[i]);
    put_all(io, &m, argv[2], atoi(argv[3]),
            strcmp(argv[4], "float") == 0 ? SCORPIO_FLOAT32 : SCORPIO_FLOAT64);
    if (rank == 0) remove(argv[2]); /* what a new file replaces is opened once more */
    print_counters(io, rank);
    check(scorpio_iosystem_free(io));
  }
  free(m.index);
  MPI_Finalize();
  return 0;
}
