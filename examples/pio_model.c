/* A model by the PIO interface: reads its initial state, writes a compressed history with records and a
 * restart file; a second run reads the restart file and appends to the history.
 *
 *     mpicc pio_model.c $(pkg-config --cflags --libs pioc) && mpirun -n 4 ./a.out [folder]
 *
 * docs/interface-pio.md shows the lines between the marks.
 */
#include <pio.h>
#include <stdlib.h>

enum { LEVELS = 3, COLUMNS = 10, ELEMENTS = LEVELS * COLUMNS, STEPS = 3 };

typedef struct Model {
  int system, on_columns, on_levels; /* decompositions of double precision */
  int n, step;
  PIO_Offset map[ELEMENTS];     /* of this rank's elements, level by level */
  double temperature[ELEMENTS]; /* [n] */
} Model;

static const char* folder = ".";

static void check(int code) {
  char text[PIO_MAX_NAME + 1];
  if (code == PIO_NOERR) return;
  PIOc_strerror(code, text, sizeof text);
  fprintf(stderr, "%s\n", text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static const char* path_of(const char* name) {
  static char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static int find(int file, const char* name) {
  int id = -1;
  check(PIOc_inq_varid(file, name, &id));
  return id;
}

/* This rank has every ranks-th column. The columns of the first level are those of the surface. */
static void start(Model* model) {
  const int extents[] = {LEVELS, COLUMNS};
  int rank = 0, ranks = 1, mine = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int level = 0; level < LEVELS; ++level) {
    for (int column = rank; column < COLUMNS; column += ranks) {
      model->map[model->n++] = level * COLUMNS + column + 1;
      mine += level == 0;
    }
  }
  check(PIOc_Init_Intracomm(MPI_COMM_WORLD, ranks > 1 ? 2 : 1, 1, 0, PIO_REARR_BOX, &model->system));
  check(PIOc_InitDecomp(model->system, PIO_DOUBLE, 2, extents, model->n, model->map, &model->on_levels, NULL,
                        NULL, NULL));
  check(PIOc_InitDecomp(model->system, PIO_DOUBLE, 1, extents + 1, mine, model->map, &model->on_columns, NULL,
                        NULL, NULL));
}

static void finish(Model* model) {
  check(PIOc_freedecomp(model->system, model->on_levels));
  check(PIOc_freedecomp(model->system, model->on_columns));
  check(PIOc_finalize(model->system));
}

/* ---- the initial state, which another program has written in single precision and in 16 bits ---- */

static void write_initial_state(const Model* model) {
  const int iotype = PIO_IOTYPE_PNETCDF;
  int file = -1, dims[2], t = -1, surface = -1;
  float temperature[ELEMENTS];
  short pressure[COLUMNS];
  for (int i = 0; i < ELEMENTS; ++i) temperature[i] = 250 + (float)i / 2;
  for (int i = 0; i < COLUMNS; ++i) pressure[i] = (short)(1000 + i);
  check(PIOc_createfile(model->system, &file, &iotype, path_of("initial.nc"), PIO_CLOBBER));
  check(PIOc_def_dim(file, "level", LEVELS, &dims[0]));
  check(PIOc_def_dim(file, "column", COLUMNS, &dims[1]));
  check(PIOc_def_var(file, "T", PIO_FLOAT, 2, dims, &t));
  check(PIOc_def_var(file, "PS", PIO_SHORT, 1, dims + 1, &surface));
  check(PIOc_enddef(file));
  check(PIOc_put_var_float(file, t, temperature));
  check(PIOc_put_var_short(file, surface, pressure));
  check(PIOc_closefile(file));
}

static void read_initial_state(Model* model) {
  double pressure[COLUMNS];
  int file = -1, iotype = PIO_IOTYPE_PNETCDF;
  check(PIOc_openfile(model->system, &file, &iotype, path_of("initial.nc"), PIO_NOWRITE));
  check(PIOc_read_darray(file, find(file, "T"), model->on_levels, model->n, model->temperature));
  check(PIOc_read_darray(file, find(file, "PS"), model->on_columns, COLUMNS, pressure));
  check(PIOc_closefile(file));
  for (int i = 0; i < model->n / LEVELS; ++i) model->temperature[i] += pressure[i] - 1000;
}

/* ---- history and restart ---- */

static int create_history(const Model* model) {
  /* <shown history> */
  const int iotype = PIO_IOTYPE_NETCDF4C; /* compressed */
  int file, time, t, dims[3];
  check(PIOc_createfile(model->system, &file, &iotype, path_of("history.nc"), PIO_CLOBBER));
  check(PIOc_def_dim(file, "time", PIO_UNLIMITED, &dims[0]));
  check(PIOc_def_dim(file, "level", LEVELS, &dims[1]));
  check(PIOc_def_dim(file, "column", COLUMNS, &dims[2]));
  check(PIOc_def_var(file, "time", PIO_DOUBLE, 1, dims, &time));
  check(PIOc_def_var(file, "T", PIO_FLOAT, 3, dims, &t));
  check(PIOc_put_att_text(file, t, "units", 1, "K"));
  check(PIOc_enddef(file));
  /* </shown> */
  return file;
}

static void write_record(const Model* model, int file) {
  /* <shown record> */
  const PIO_Offset record = model->step;
  const double days = 0.5 * model->step;
  const int t = find(file, "T");
  check(PIOc_put_var1_double(file, find(file, "time"), &record, &days));
  check(PIOc_setframe(file, t, model->step));
  check(PIOc_write_darray(file, t, model->on_levels, model->n, model->temperature, NULL));
  /* </shown> */
}

static void write_restart(const Model* model) {
  const int iotype = PIO_IOTYPE_PNETCDF;
  int file = -1, dims[2], t = -1, step = -1;
  check(PIOc_createfile(model->system, &file, &iotype, path_of("restart.nc"), PIO_64BIT_DATA));
  check(PIOc_def_dim(file, "level", LEVELS, &dims[0]));
  check(PIOc_def_dim(file, "column", COLUMNS, &dims[1]));
  check(PIOc_def_var(file, "T", PIO_DOUBLE, 2, dims, &t));
  check(PIOc_def_var(file, "step", PIO_INT, 0, NULL, &step));
  check(PIOc_enddef(file));
  check(PIOc_put_var_int(file, step, &model->step));
  check(PIOc_write_darray(file, t, model->on_levels, model->n, model->temperature, NULL));
  check(PIOc_closefile(file));
}

static void read_restart(Model* model) {
  int file = -1, iotype = PIO_IOTYPE_PNETCDF;
  check(PIOc_openfile(model->system, &file, &iotype, path_of("restart.nc"), PIO_NOWRITE));
  check(PIOc_get_var_int(file, find(file, "step"), &model->step));
  check(PIOc_read_darray(file, find(file, "T"), model->on_levels, model->n, model->temperature));
  check(PIOc_closefile(file));
}

static void advance(Model* model, int file) {
  for (int end = model->step + STEPS; model->step < end; ++model->step) {
    for (int i = 0; i < model->n; ++i) model->temperature[i] += 1;
    write_record(model, file);
  }
  check(PIOc_closefile(file));
}

static void first_run(void) {
  Model model = {0};
  start(&model);
  write_initial_state(&model);
  read_initial_state(&model);
  advance(&model, create_history(&model));
  write_restart(&model);
  finish(&model);
}

static void second_run(void) {
  Model model = {0};
  int file = -1, iotype = PIO_IOTYPE_NETCDF4C;
  start(&model);
  read_restart(&model);
  check(PIOc_openfile(model.system, &file, &iotype, path_of("history.nc"), PIO_WRITE));
  advance(&model, file);
  finish(&model);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1) folder = argv[1];
  first_run();
  second_run();
  MPI_Finalize();
  return 0;
}
