/* lost_rank PLACE OLD FILE: writes OLD and closes it, and FILE; rank 1 stops itself at the place
 * (before_create, before_put, before_close, nowhere), as if its host were lost. Options come from the
 * environment. At the place WAIT_AT of the environment all ranks wait until there is a file FILE.go, after
 * rank 0 has made FILE.here. */
#include <scorpio/scorpio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { k_rows = 300, k_columns = 64 };

static int rank, ranks;

static void check(const char* what, int code) {
  if (code == SCORPIO_OK) return;
  fprintf(stderr, "%s: %s\n", what, scorpio_code_text(code));
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static void wait_for_others(const char* path) {
  char here[4096], go[4096];
  snprintf(here, sizeof here, "%s.here", path);
  snprintf(go, sizeof go, "%s.go", path);
  if (rank == 0) fclose(fopen(here, "w"));
  while (access(go, F_OK) != 0) usleep(10000);
}

static void pass(const char* here, const char* place, const char* path) {
  const char* wait_at = getenv("WAIT_AT");
  if (strcmp(place, "") == 0) return;
  if (rank == 1 && strcmp(here, place) == 0) raise(SIGSTOP);
  if (wait_at != NULL && strcmp(here, wait_at) == 0) wait_for_others(path);
}

static void write_file(scorpio_iosystem* system, const char* path, const char* place) {
  const int64_t dims[] = {k_rows, k_columns};
  scorpio_file* file = NULL;
  scorpio_decomp* decomp = NULL;
  int64_t elements = 0;
  int id = -1;
  check("decomposition", scorpio_decomp_uniform(system, 2, dims, &decomp));
  check("elements", scorpio_decomp_local_elements(decomp, &elements));
  const int64_t share = k_rows / ranks, more = k_rows % ranks;
  const int64_t first = (rank * share + (rank < more ? rank : more)) * k_columns;
  double* values = malloc((size_t)elements * sizeof *values);
  pass("before_create", place, path);
  check("create", scorpio_file_create(system, path, SCORPIO_FORMAT_DEFAULT, NULL, &file));
  for (int k = 1; k <= 2; ++k) {
    char name[16];
    snprintf(name, sizeof name, "v%d", k);
    for (int64_t i = 0; i < elements; ++i) values[i] = 1e6 * k + (double)(first + i);
    check("define", scorpio_variable_define(file, name, SCORPIO_FLOAT64, 2, dims, &id));
    pass("before_put", place, path);
    check("put", scorpio_put_darray(file, id, decomp, 0, SCORPIO_FLOAT64, values));
  }
  pass("before_close", place, path);
  check("close", scorpio_file_close(file));
  free(values);
  check("free", scorpio_decomp_free(decomp));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  scorpio_iosystem* system = NULL;
  check("I/O system", scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &system));
  write_file(system, argv[2], "");
  write_file(system, argv[3], argv[1]);
  check("free", scorpio_iosystem_free(system));
  MPI_Finalize();
  return 0;
}
