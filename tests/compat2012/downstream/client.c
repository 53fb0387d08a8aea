/* Uses an installed library as Truchas, PFLOTRAN or Amanzi does: writes a row per rank and reads it back.
 * Built with -DFAMILY_PARALLELIO for the header and names of the last. Collective over MPI_COMM_WORLD. */
#ifdef FAMILY_PARALLELIO
#include "ascemio_util.h"
#include "parallelIO.h"
#define CALL(name) parallelIO_##name
#define CONSTANT(name) name
#define TYPE PIO_INTEGER
#else
#include "scorpio.h"
#include "scorpio_util.h"
#define CALL(name) scorpio_##name
#define CONSTANT(name) SCORPIO_##name
#define TYPE SCORPIO_INTEGER
#endif

int main(int argc, char** argv) {
  iogroup_conf_t conf;
  iogroup_t group;
  int row[3] = {0, 0, 0}, back[3] = {-1, -1, -1}, global[2] = {0, 3}, local[2] = {1, 3}, rank = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &global[0]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; ++i) row[i] = 10 * rank + i;
  conf.numIOgroups = 1;
  conf.commIncoming = MPI_COMM_WORLD;
  int wrong = CALL(IOgroup_init)(&conf, &group) != 0;
  const int file = CALL(open_file)("client.h5", &group, CONSTANT(FILE_CREATE));
  wrong |= file != 0;
  wrong |= CALL(write_dataset)(row, TYPE, 2, global, local, file, "rows", &group,
                               CONSTANT(NONUNIFORM_CONTIGUOUS_WRITE)) != 0;
  wrong |= CALL(read_dataset)(back, TYPE, 2, global, local, file, "rows", &group,
                              CONSTANT(NONUNIFORM_CONTIGUOUS_READ)) != 0;
  wrong |= memcmp(row, back, sizeof row) != 0;
  wrong |= CALL(close_file)(file, &group) != 0;
  wrong |= CALL(IOgroup_cleanup)(&group) != 0;
  MPI_Finalize();
  return wrong;
}
