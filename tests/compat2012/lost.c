/* lost FOLDER PLACE: writes and closes FOLDER/old.h5 and begins FOLDER/new.h5; rank 1 stops itself at the
 * place (before_open, before_write, before_close, nowhere), as if its host were lost. Collective over
 * MPI_COMM_WORLD. */
#include <signal.h>

#include "family.h"

static int rank;
static const char* lost_at = "";

static void pass(const char* here) {
  if (rank == 1 && strcmp(here, lost_at) == 0) raise(SIGSTOP);
}

static void write_file(iogroup_t* group, const char* folder, const char* name, int loses) {
  char path[4096];
  double values[4] = {rank, rank + .25, rank + .5, rank + .75};
  int ranks, local[1] = {4}, all[1];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  all[0] = 4 * ranks;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (loses) pass("before_open");
  const int file = X(open_file)(path, group, M(CREATE));
  if (loses) pass("before_write");
  X(write_dataset)(values, T(DOUBLE), 1, all, local, file, "values", group, P(NONUNIFORM_CONTIGUOUS_WRITE));
  if (loses) pass("before_close");
  X(close_file)(file, group);
}

int main(int argc, char** argv) {
  iogroup_t group;
  if (argc != 3) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  make_group(MPI_COMM_WORLD, 2, &group);
  write_file(&group, argv[1], "old.h5", 0);
  lost_at = argv[2];
  write_file(&group, argv[1], "new.h5", 1);
  X(IOgroup_cleanup)(&group);
  return MPI_Finalize();
}
