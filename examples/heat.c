/* A model with ghost cells, whose files are netCDF. Every few steps it adds a record of the temperature to a
 * history, and at the end it writes a restart file, from which the next run continues. heat_model.h has
 * everything but input and output. peers/heat_pnetcdf.c does the same by PnetCDF.
 *   mpirun -n 4 heat --steps 100; mpirun -n 6 heat --steps 200; heat --help
 */
#include <scorpio/scorpio.h>

#include "heat_model.h"

typedef struct {
  scorpio_file* file;
  int time, temp; /* variables */
} heat_history;

static void check(int code) {
  scorpio_error error;
  if (code == SCORPIO_OK) return;
  scorpio_error_last(&error);
  heat_fail(error.text);
}

static heat_history create_history(scorpio_iosystem* io, const char* path, const heat_plate* plate) {
  heat_history history;
  int dims[3];
  check(scorpio_file_create(io, path, SCORPIO_FORMAT_CDF5, NULL, &history.file));
  check(scorpio_dimension_define(history.file, "time", SCORPIO_UNLIMITED, &dims[0]));
  check(scorpio_dimension_define(history.file, "y", plate->dims[0], &dims[1]));
  check(scorpio_dimension_define(history.file, "x", plate->dims[1], &dims[2]));
  check(scorpio_variable_define_on(history.file, "time", SCORPIO_FLOAT64, 1, dims, &history.time));
  check(scorpio_variable_define_on(history.file, "temperature", SCORPIO_FLOAT32, 3, dims, &history.temp));
  check(scorpio_attribute_put_text(history.file, history.time, "units", "seconds since 2000-01-01 00:00:00"));
  check(scorpio_attribute_put_text(history.file, history.time, "calendar", "standard"));
  check(scorpio_attribute_put_text(history.file, history.time, "long_name", "time of the model"));
  check(scorpio_attribute_put_text(history.file, history.temp, "units", "degree_Celsius"));
  check(scorpio_attribute_put_text(history.file, history.temp, "long_name", "temperature of the plate"));
  return history;
}

static heat_history open_history(scorpio_iosystem* io, const char* path) {
  heat_history history;
  check(scorpio_file_open(io, path, SCORPIO_WRITE, NULL, &history.file));
  check(scorpio_variable_find(history.file, "time", &history.time));
  check(scorpio_variable_find(history.file, "temperature", &history.temp));
  return history;
}

/* The doubles in memory become floats on their way into the file. */
static void add_record(heat_history history, scorpio_decomp* cells, int64_t record, const heat_plate* plate) {
  const double time = (double)plate->step * HEAT_SECONDS_PER_STEP;
  const int64_t one = 1;
  scorpio_access accesses[2] = {scorpio_darray(history.temp, cells, record, SCORPIO_FLOAT64, plate->now),
                                scorpio_hyperslab(history.time, &record, &one, SCORPIO_FLOAT64, &time)};
  accesses[1].sharing = SCORPIO_ALL_RANKS;
  check(scorpio_put_n(history.file, 2, accesses));
}

/* An older restart file stays as it is until the new one is complete. */
static void write_restart(scorpio_iosystem* io, const char* path, scorpio_decomp* cells,
                          const heat_plate* plate) {
  scorpio_file* file;
  int dims[2], when, temp;
  check(scorpio_file_create(io, path, SCORPIO_FORMAT_CDF5, NULL, &file));
  check(scorpio_dimension_define(file, "y", plate->dims[0], &dims[0]));
  check(scorpio_dimension_define(file, "x", plate->dims[1], &dims[1]));
  check(scorpio_variable_define_on(file, "step", SCORPIO_INT64, 0, NULL, &when));
  check(scorpio_variable_define_on(file, "temperature", SCORPIO_FLOAT64, 2, dims, &temp));
  check(scorpio_put_scalar(file, when, SCORPIO_INT64, &plate->step));
  check(scorpio_put_darray(file, temp, cells, 0, SCORPIO_FLOAT64, plate->now));
  check(scorpio_file_close(file));
}

/* Does not change the plate if there is no such file. */
static void read_restart(scorpio_iosystem* io, const char* path, scorpio_decomp* cells, heat_plate* plate) {
  scorpio_file* file;
  int when, temp;
  const int code = scorpio_file_open(io, path, SCORPIO_READ, NULL, &file);
  if (code == SCORPIO_ERR_NOT_FOUND) return;
  check(code);
  check(scorpio_variable_find(file, "step", &when));
  check(scorpio_variable_find(file, "temperature", &temp));
  check(scorpio_get_scalar(file, when, SCORPIO_INT64, &plate->step));
  check(scorpio_get_darray(file, temp, cells, 0, SCORPIO_FLOAT64, plate->now));
  check(scorpio_file_close(file));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const heat_arguments arguments = heat_read_arguments(argc, argv);
  heat_plate plate = heat_make_plate(&arguments);
  scorpio_iosystem* io;
  scorpio_decomp *block, *cells;
  check(scorpio_iosystem_create(plate.comm, NULL, &io));
  /* The block of this process, and its place between the ghost cells. */
  const int64_t inside[2] = {1, 1};
  check(scorpio_decomp_block(io, 2, plate.dims, plate.start, plate.count, &block));
  check(scorpio_decomp_memory(io, block, 2, plate.extents, inside, NULL, &cells));

  read_restart(io, arguments.restart, cells, &plate);
  const heat_history history =
      plate.step > 0 ? open_history(io, arguments.history) : create_history(io, arguments.history, &plate);
  if (plate.step == 0) add_record(history, cells, 0, &plate);
  while (plate.step < arguments.steps) {
    heat_advance(&plate);
    if (plate.step % arguments.every == 0) add_record(history, cells, plate.step / arguments.every, &plate);
  }
  check(scorpio_file_close(history.file));
  write_restart(io, arguments.restart, cells, &plate);

  check(scorpio_decomp_free(cells));
  check(scorpio_decomp_free(block));
  check(scorpio_iosystem_free(io));
  heat_free_plate(&plate);
  MPI_Finalize();
  return 0;
}
