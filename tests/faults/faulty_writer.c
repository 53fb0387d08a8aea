/* faulty_writer new|replace|append|open FILE [OTHER [RULE RANK]]: writes OTHER and closes it, then makes, or
 * appends to, FILE with the faults of RULE on rank RANK (-1: all). The arrays are those of stock_reader, of
 * ROWS (environment) rows; other options come from the environment too. "open" only opens and closes FILE.
 * Rank 0 prints counters, the kind of staging and the notes of the I/O system. Exit code: 0 all went well, 3
 * the library reported a failure. */
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { k_columns = 64 };

static int rank, ranks;
static int64_t rows = 300;

static int failed(const char* what, int code) {
  if (code == SCORPIO_OK) return 0;
  scorpio_error error;
  scorpio_error_last(&error);
  if (rank == 0) printf("failed: %s: %s (rank %d)\n", what, error.text, error.origin_rank);
  return 1;
}

static scorpio_iosystem* make_system(const char* rule) {
  scorpio_options* options = NULL;
  scorpio_iosystem* system = NULL;
  scorpio_options_create(&options);
  scorpio_options_set(options, "store_faults", rule);
  const int code = scorpio_iosystem_create(MPI_COMM_WORLD, options, &system);
  scorpio_options_free(options);
  return failed("I/O system", code) ? NULL : system;
}

static int write_variable(scorpio_iosystem* system, scorpio_file* file, int k) {
  const int64_t dims[] = {rows, k_columns};
  scorpio_decomp* decomp = NULL;
  int64_t elements = 0;
  char name[16];
  int id = -1;
  if (failed("decomposition", scorpio_decomp_uniform(system, 2, dims, &decomp))) return 1;
  scorpio_decomp_local_elements(decomp, &elements);
  const int64_t share = rows / ranks, more = rows % ranks;
  const int64_t first = (rank * share + (rank < more ? rank : more)) * k_columns;
  double* values = malloc((size_t)elements * sizeof *values);
  for (int64_t i = 0; i < elements; ++i) values[i] = 1e6 * k + (double)(first + i);
  snprintf(name, sizeof name, "v%d", k);
  const int bad = failed("define", scorpio_variable_define(file, name, SCORPIO_FLOAT64, 2, dims, &id)) ||
                  failed("put", scorpio_put_darray(file, id, decomp, 0, SCORPIO_FLOAT64, values));
  free(values);
  scorpio_decomp_free(decomp);
  return bad;
}

static int write_file(scorpio_iosystem* system, const char* mode, const char* path) {
  scorpio_file* file = NULL;
  const int append = strcmp(mode, "append") == 0;
  const int code = append ? scorpio_file_open(system, path, SCORPIO_WRITE, NULL, &file)
                          : scorpio_file_create(system, path, SCORPIO_FORMAT_DEFAULT, NULL, &file);
  if (failed("open", code)) return 1;
  int bad = write_variable(system, file, 1);
  if (append) bad |= failed("sync", scorpio_file_sync(file));
  bad |= write_variable(system, file, 2);
  return failed("close", scorpio_file_close(file)) | bad;
}

static int write_old(scorpio_iosystem* system, const char* path) {
  scorpio_file* file = NULL;
  if (failed("create", scorpio_file_create(system, path, SCORPIO_FORMAT_DEFAULT, NULL, &file))) return 1;
  const int bad = write_variable(system, file, 9);
  return failed("close", scorpio_file_close(file)) | bad;
}

static void print_notes(scorpio_iosystem* system) {
  static char text[1 << 16];
  const char* const names[] = {"stale_found", "messages", "rounds"};
  for (int i = 0; i < 3; ++i) {
    uint64_t mine = 0, sum = 0;
    scorpio_iosystem_counter(system, names[i], &mine);
    MPI_Reduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%s %d\n", names[i], (int)sum);
  }
  scorpio_iosystem_describe(system, text, sizeof text, NULL);
  for (char* line = strtok(text, "\n"); line != NULL && rank == 0; line = strtok(NULL, "\n")) {
    const int wanted = strncmp(line, "note:", 5) == 0 || strncmp(line, "staging:", 8) == 0 ||
                       strncmp(line, "ranks:", 6) == 0;
    if (wanted) puts(line);
  }
}

static int run(int argc, char** argv) {
  const char* mode = argv[1];
  scorpio_iosystem* clean = make_system("");
  if (clean == NULL) return 3;
  int bad = 0;
  if (strcmp(mode, "open") == 0) {
    scorpio_file* file = NULL;
    bad = failed("open", scorpio_file_open(clean, argv[2], SCORPIO_READ, NULL, &file)) ||
          failed("close", scorpio_file_close(file));
    print_notes(clean);
  } else {
    if (argc > 3) bad |= write_file(clean, "new", argv[3]);
    if (strcmp(mode, "new") != 0) bad |= write_old(clean, argv[2]);
    bad |= failed("wait", scorpio_iosystem_wait(clean, NULL));
    const int here = argc > 5 && (atoi(argv[5]) == rank || atoi(argv[5]) < 0);
    scorpio_iosystem* faulty = make_system(here ? argv[4] : "");
    if (faulty == NULL) return 3;
    bad |= write_file(faulty, mode, argv[2]);
    bad |= failed("wait", scorpio_iosystem_wait(faulty, NULL));
    print_notes(faulty);
    scorpio_iosystem_free(faulty);
  }
  scorpio_iosystem_free(clean);
  return bad ? 3 : 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (getenv("ROWS") != NULL) rows = atoll(getenv("ROWS"));
  const int code = argc < 3 ? 2 : run(argc, argv);
  MPI_Finalize();
  return code;
}
