/* without_end CASE: an I/O system with a progress thread, and data that are under way to the I/O rank.
 * finalize: the program calls MPI_Finalize without freeing it. exit: it exits at once. fork: a child process
 * exits, and its parent goes on. Exit code 0, and no process waits for ever. MPICH takes no locks from the
 * begin of MPI_Finalize on, and gives none back: there the thread may not be inside MPI at that time, and no
 * data are under way in the case finalize (scorpio_iosystem_create documents it). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scorpio/scorpio.h"
#include "support/need.h"

enum { k_elements = 1 << 17, k_not_run = 77 };

static double values[k_elements];

static scorpio_file* leave_data(scorpio_iosystem** system, const char* path, int rank, int ranks) {
  const char* settings[][2] = {{"asynchronous", "true"}, {"progress_thread", "true"}, {"nodes", "2"},
                               {"io_ranks", "1"},        {"staging_bytes", "64m"},    {"block_bytes", "64k"}};
  const int64_t dims[1] = {(int64_t)ranks * k_elements};
  scorpio_options* options = NULL;
  scorpio_decomp* decomp = NULL;
  scorpio_file* file = NULL;
  int variable = -1;
  need(scorpio_options_create(&options), "options");
  for (size_t i = 0; i < sizeof settings / sizeof settings[0]; ++i)
    need(scorpio_options_set(options, settings[i][0], settings[i][1]), settings[i][0]);
  need(scorpio_iosystem_create(MPI_COMM_WORLD, options, system), "I/O system");
  need(scorpio_decomp_uniform(*system, 1, dims, &decomp), "decomposition");
  need(scorpio_file_create(*system, path, SCORPIO_FORMAT_CDF5, NULL, &file), "file");
  need(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 1, dims, &variable), "variable");
  need(scorpio_define_end(file), "definitions");
  if (rank == 0) need(scorpio_put_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, values), "put");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 0) need(scorpio_put_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, values), "put");
  need(scorpio_decomp_free(decomp), "end of the decomposition");
  need(scorpio_options_free(options), "end of the options");
  return file;
}

static int child_exits(void) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    exit(0);
  }
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int data_may_be_under_way(const char* how) {
#ifdef MPICH_VERSION
  return strcmp(how, "finalize") != 0;
#else
  (void)how;
  return 1;
#endif
}

int main(int argc, char** argv) {
  int rank = 0, ranks = 1, provided = MPI_THREAD_SINGLE, process = (int)getpid();
  scorpio_iosystem* system = NULL;
  char path[4096], unfinished[4200];
  const char* folder = getenv("TMPDIR");
  if (argc != 2) return 2;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (provided != MPI_THREAD_MULTIPLE) {
    MPI_Finalize();
    return k_not_run;
  }
  MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
  snprintf(path, sizeof path, "%s/without_end-%d.nc", folder == NULL ? "/tmp" : folder, process);
  snprintf(unfinished, sizeof unfinished, "%s.scorpio-tmp", path);
  scorpio_file* file = leave_data(&system, path, rank, ranks);
  if (!data_may_be_under_way(argv[1])) need(scorpio_file_sync(file), "sync");
  if (strcmp(argv[1], "fork") == 0) {
    if (!child_exits()) {
      fprintf(stderr, "the child process does not end\n");
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    need(scorpio_file_close(file), "close");
    need(scorpio_iosystem_free(system), "end of the I/O system");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    unlink(path);
    unlink(unfinished);
  }
  if (strcmp(argv[1], "exit") == 0) exit(0);
  MPI_Finalize();
  usleep(20000); /* a thread that goes on would call MPI now */
  return 0;
}
