/* The program heat.c by PnetCDF: the same model, and files with the same content. Every few steps it adds a
 * record of the temperature to a history, and at the end it writes a restart file, from which the next run
 * continues. heat_model.h has all that is not input or output.
 *   mpirun -n 4 heat_pnetcdf --steps 100; mpirun -n 6 heat_pnetcdf --steps 200; heat_pnetcdf --help
 */
#include <pnetcdf.h>

#include "../heat_model.h"

typedef struct {
  int file;
  int time, temp; /* variables */
} heat_history;

static void check(int code) {
  if (code != NC_NOERR) heat_fail(ncmpi_strerror(code));
}

static void describe(int file, int variable, const char* name, const char* text) {
  check(ncmpi_put_att_text(file, variable, name, (MPI_Offset)strlen(text), text));
}

static heat_history create_history(const char* path, const heat_plate* plate) {
  heat_history history;
  int dims[3];
  check(ncmpi_create(plate->comm, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &history.file));
  check(ncmpi_def_dim(history.file, "time", NC_UNLIMITED, &dims[0]));
  check(ncmpi_def_dim(history.file, "y", plate->dims[0], &dims[1]));
  check(ncmpi_def_dim(history.file, "x", plate->dims[1], &dims[2]));
  check(ncmpi_def_var(history.file, "time", NC_DOUBLE, 1, dims, &history.time));
  check(ncmpi_def_var(history.file, "temperature", NC_FLOAT, 3, dims, &history.temp));
  describe(history.file, history.time, "units", "seconds since 2000-01-01 00:00:00");
  describe(history.file, history.time, "calendar", "standard");
  describe(history.file, history.time, "long_name", "time of the model");
  describe(history.file, history.temp, "units", "degree_Celsius");
  describe(history.file, history.temp, "long_name", "temperature of the plate");
  check(ncmpi_enddef(history.file));
  return history;
}

static heat_history open_history(const char* path, const heat_plate* plate) {
  heat_history history;
  check(ncmpi_open(plate->comm, path, NC_WRITE, MPI_INFO_NULL, &history.file));
  check(ncmpi_inq_varid(history.file, "time", &history.time));
  check(ncmpi_inq_varid(history.file, "temperature", &history.temp));
  return history;
}

/* The doubles in memory become floats on their way into the file. */
static void add_record(heat_history history, MPI_Datatype cells, int64_t record, const heat_plate* plate) {
  const double time = (double)plate->step * HEAT_SECONDS_PER_STEP;
  const MPI_Offset start[3] = {record, plate->start[0], plate->start[1]};
  const MPI_Offset count[3] = {1, plate->count[0], plate->count[1]};
  check(ncmpi_put_vara_all(history.file, history.temp, start, count, plate->now, 1, cells));
  check(ncmpi_put_var1_double_all(history.file, history.time, start, &time));
}

/* An older restart file stays as it is until the new one is complete, which has another name until then. */
static void write_restart(const char* path, MPI_Datatype cells, const heat_plate* plate) {
  const MPI_Offset start[2] = {plate->start[0], plate->start[1]};
  const MPI_Offset count[2] = {plate->count[0], plate->count[1]};
  const long long value = plate->step;
  char unfinished[4096];
  int file, dims[2], when, temp, rank;
  snprintf(unfinished, sizeof unfinished, "%s.unfinished", path);
  check(ncmpi_create(plate->comm, unfinished, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
  check(ncmpi_def_dim(file, "y", plate->dims[0], &dims[0]));
  check(ncmpi_def_dim(file, "x", plate->dims[1], &dims[1]));
  check(ncmpi_def_var(file, "step", NC_INT64, 0, NULL, &when));
  check(ncmpi_def_var(file, "temperature", NC_DOUBLE, 2, dims, &temp));
  check(ncmpi_enddef(file));
  check(ncmpi_put_var_longlong_all(file, when, &value));
  check(ncmpi_put_vara_all(file, temp, start, count, plate->now, 1, cells));
  check(ncmpi_close(file));
  MPI_Comm_rank(plate->comm, &rank);
  if (rank == 0 && rename(unfinished, path) != 0) heat_fail("the restart file cannot be renamed");
}

/* Leaves the plate as it is where there is no such file. */
static void read_restart(const char* path, MPI_Datatype cells, heat_plate* plate) {
  const MPI_Offset start[2] = {plate->start[0], plate->start[1]};
  const MPI_Offset count[2] = {plate->count[0], plate->count[1]};
  int file, when, temp;
  long long value;
  const int code = ncmpi_open(plate->comm, path, NC_NOWRITE, MPI_INFO_NULL, &file);
  if (code == NC_ENOENT) return;
  check(code);
  check(ncmpi_inq_varid(file, "step", &when));
  check(ncmpi_inq_varid(file, "temperature", &temp));
  check(ncmpi_get_var_longlong_all(file, when, &value));
  plate->step = value;
  check(ncmpi_get_vara_all(file, temp, start, count, plate->now, 1, cells));
  check(ncmpi_close(file));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const heat_arguments arguments = heat_read_arguments(argc, argv);
  heat_plate plate = heat_make_plate(&arguments);
  /* The block of this process between the ghost cells. */
  const int extents[2] = {(int)plate.extents[0], (int)plate.extents[1]};
  const int count[2] = {(int)plate.count[0], (int)plate.count[1]};
  const int inside[2] = {1, 1};
  MPI_Datatype cells;
  MPI_Type_create_subarray(2, extents, count, inside, MPI_ORDER_C, MPI_DOUBLE, &cells);
  MPI_Type_commit(&cells);

  read_restart(arguments.restart, cells, &plate);
  const heat_history history =
      plate.step > 0 ? open_history(arguments.history, &plate) : create_history(arguments.history, &plate);
  if (plate.step == 0) add_record(history, cells, 0, &plate);
  while (plate.step < arguments.steps) {
    heat_advance(&plate);
    if (plate.step % arguments.every == 0) add_record(history, cells, plate.step / arguments.every, &plate);
  }
  check(ncmpi_close(history.file));
  write_restart(arguments.restart, cells, &plate);

  MPI_Type_free(&cells);
  heat_free_plate(&plate);
  MPI_Finalize();
  return 0;
}
