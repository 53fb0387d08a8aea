/* failing FOLDER: calls that fail on all ranks, on one rank, and inquiries for what is not there; the program
 * goes on, as a model that shows codes only. Options come from the environment and, if there is a second
 * argument, from the program, as the value of option messages. */
#include <mpi.h>
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>

static void expect(int wanted, int code, int line) {
  if (code == wanted) return;
  printf("line %d: code %d, not %d\n", line, code, wanted);
  MPI_Abort(MPI_COMM_WORLD, 3);
}
#define EXPECT(wanted, call) expect(wanted, call, __LINE__)

int main(int argc, char** argv) {
  char missing[4096], made[4096];
  const int64_t dims[] = {30};
  const double values[30] = {0};
  int rank, id = -1;
  int64_t elements = 0;
  scorpio_options* options = NULL;
  scorpio_iosystem* system = NULL;
  scorpio_file* file = NULL;
  scorpio_decomp* decomp = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(missing, sizeof missing, "%s/missing.h5", argv[1]);
  snprintf(made, sizeof made, "%s/made.h5", argv[1]);
  EXPECT(SCORPIO_OK, scorpio_options_create(&options));
  if (argc > 2) EXPECT(SCORPIO_OK, scorpio_options_set(options, "messages", argv[2]));
  if (scorpio_iosystem_create(MPI_COMM_WORLD, options, &system) != SCORPIO_OK) {
    MPI_Finalize(); /* after an abort by one rank the line of another could be missing */
    return 3;
  }
  EXPECT(SCORPIO_OK, scorpio_options_free(options));

  /* the failure of one rank, of which all know */
  EXPECT(SCORPIO_ERR_NOT_FOUND, scorpio_file_open(system, missing, SCORPIO_READ, NULL, &file));
  EXPECT(SCORPIO_OK, scorpio_file_create(system, made, SCORPIO_FORMAT_DEFAULT, NULL, &file));
  EXPECT(SCORPIO_OK, scorpio_decomp_uniform(system, 1, dims, &decomp));
  EXPECT(SCORPIO_OK, scorpio_decomp_local_elements(decomp, &elements));
  EXPECT(SCORPIO_OK, scorpio_variable_define(file, "pressure", SCORPIO_FLOAT64, 1, dims, &id));
  /* of each rank, twice */
  for (int i = 0; i < 2; ++i)
    EXPECT(SCORPIO_ERR_EXISTS, scorpio_variable_define(file, "pressure", SCORPIO_FLOAT64, 1, dims, &id));
  EXPECT(SCORPIO_OK, scorpio_variable_find(file, "/pressure", &id));
  /* an inquiry */
  int absent = -1;
  EXPECT(SCORPIO_ERR_NOT_FOUND, scorpio_variable_find(file, "/depth", &absent));
  /* of rank 1 alone, and of all ranks at the close */
  EXPECT(rank == 1 ? SCORPIO_ERR_ARGUMENT : SCORPIO_OK,
         scorpio_put_darray(file, id, decomp, 0, SCORPIO_FLOAT64, rank == 1 ? NULL : values));
  EXPECT(SCORPIO_ERR_ARGUMENT, scorpio_file_close(file));
  /* of the program */
  for (int i = 0; i < 2; ++i) EXPECT(SCORPIO_OK, scorpio_iosystem_message(system, "the model stops"));
  EXPECT(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_message(system, NULL));
  EXPECT(SCORPIO_OK, scorpio_decomp_free(decomp));
  EXPECT(SCORPIO_OK, scorpio_iosystem_free(system));
  MPI_Finalize();
  return 0;
}
