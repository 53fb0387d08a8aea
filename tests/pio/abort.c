/* abort FILE CALL IOTYPE: with the handler PIO_INTERNAL_ERROR, which is the default, a wrong call ends the
 * program, a wrong inquiry does not. Rank 0 alone is wrong, in calls that communicate too. */
#include <pio.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

/* Whether the failures of inquiries are returned. */
static int inquiries_return(int file, int v) {
  int id = -1;
  PIO_Offset length = -1;
  nc_type type = PIO_NAT;
  char name[PIO_MAX_NAME + 1];
  return PIOc_inq_varid(file, "none", &id) == PIO_ENOTVAR &&
         PIOc_inq_dimid(file, "none", &id) == PIO_EBADDIM &&
         PIOc_inq_dim(file, 7, name, &length) == PIO_EBADDIM &&
         PIOc_inq_dimlen(file, 7, &length) == PIO_EBADDIM && PIOc_inq_dimname(file, 7, name) == PIO_EBADDIM &&
         PIOc_inq_var(file, 7, name, sizeof name, &type, &id, NULL, &id) == PIO_ENOTVAR &&
         PIOc_inq_varname(file, 7, name, sizeof name) == PIO_ENOTVAR &&
         PIOc_inq_vartype(file, 7, &type) == PIO_ENOTVAR && PIOc_inq_varndims(file, 7, &id) == PIO_ENOTVAR &&
         PIOc_inq_vardimid(file, 7, &id) == PIO_ENOTVAR && PIOc_inq_varnatts(file, 7, &id) == PIO_ENOTVAR &&
         PIOc_inq_att(file, v, "none", &type, &length) == PIO_ENOTATT &&
         PIOc_inq_attlen(file, v, "none", &length) == PIO_ENOTATT &&
         PIOc_inq_atttype(file, v, "none", &type) == PIO_ENOTATT &&
         PIOc_inq_attid(file, v, "none", &id) == PIO_ENOTATT &&
         PIOc_get_att(file, PIO_GLOBAL, "none", &id) == PIO_ENOTATT &&
         PIOc_get_att_text(file, v, "none", name) == PIO_ENOTATT &&
         PIOc_inq(99, &id, NULL, NULL, NULL) == PIO_EBADID && PIOc_inq_unlimdims(99, &id, NULL) == PIO_EBADID;
}

/* The same of calls that change something. */
static int changes_return(int system, int file, int iotype) {
  bool active = true;
  int dimensions[2], id = -1;
  const int is_classic = iotype == PIO_IOTYPE_PNETCDF || iotype == PIO_IOTYPE_NETCDF;
  if (PIOc_def_dim(file, "x", 3, &dimensions[0]) != PIO_NOERR ||
      PIOc_def_dim(file, "time", PIO_UNLIMITED, &dimensions[1]) != PIO_NOERR)
    return 0;
  if (is_classic && PIOc_def_var(file, "late", PIO_INT, 2, dimensions, &id) != PIO_EINVAL) return 0;
  return PIOc_set_rearr_opts(system, 7, 0, false, false, 0, false, false, 0) == PIO_EINVAL &&
         PIOc_set_rearr_opts(system, 0, 0, false, false, -2, false, false, 0) == PIO_EINVAL &&
         PIOc_iosystem_is_active(99, &active) == PIO_NOERR && !active;
}

/* The create that learns that an earlier file, whose close was posted, is lost. */
static void create_after_a_lost_file(const char* path, int iotype) {
  int system = -1, file = -1;
  setenv("SCORPIO_ASYNCHRONOUS", "true", 1);
  setenv("SCORPIO_CLOSE", "post", 1);
  setenv("SCORPIO_STORE_FAULTS", "rename:1=EACCES", 1);
  if (PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &system) != PIO_NOERR) return;
  PIOc_createfile(system, &file, &iotype, path, 0);
  PIOc_enddef(file);
  PIOc_closefile(file);
  PIOc_createfile(system, &file, &iotype, path, 0); /* which completes the first one */
}

int main(int argc, char** argv) {
  int system = -1, file = -1, v = -1, id = -1, rank = 0, iotype, wrong_type = 99, extent = 4;
  if (argc != 4) return 2;
  iotype = atoi(argv[3]);
  const char* call = argv[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int wrong = rank == 0;
  if (PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &system) != PIO_NOERR ||
      PIOc_createfile(system, &file, &iotype, argv[1], 0) != PIO_NOERR ||
      PIOc_def_var(file, "w", PIO_INT, 0, NULL, &v) != PIO_NOERR)
    return 3;
  if (!inquiries_return(file, v) || !changes_return(system, file, iotype)) return 4;
  printf("inquiries return\n");
  fflush(stdout);
  if (is(call, "def_var")) PIOc_def_var(file, "v", wrong ? wrong_type : PIO_INT, 0, NULL, &id);
  if (is(call, "put_var_int")) PIOc_put_var_int(file, wrong ? 99 : v, &extent);
  if (is(call, "set_hint")) PIOc_set_hint(system, wrong ? NULL : "hint", "value");
  if (is(call, "def_var_deflate")) PIOc_def_var_deflate(file, wrong ? 99 : v, 0, 0, 0);
  if (is(call, "def_var_chunking")) PIOc_def_var_chunking(file, v, wrong ? 7 : NC_CONTIGUOUS, NULL);
  if (is(call, "def_var_endian")) PIOc_def_var_endian(file, v, wrong ? 7 : NC_ENDIAN_BIG);
  if (is(call, "inq_var_deflate")) PIOc_inq_var_deflate(file, wrong ? 99 : v, NULL, NULL, NULL);
  if (is(call, "set_var_chunk_cache")) PIOc_set_var_chunk_cache(file, v, wrong ? -1 : 1, 1, 0.5f);
  if (is(call, "sync")) PIOc_sync(wrong ? 99 : file);
  if (is(call, "InitDecomp"))
    PIOc_InitDecomp(system, wrong ? wrong_type : PIO_INT, 1, &extent, 0, NULL, &id, NULL, NULL, NULL);
  if (is(call, "openfile")) PIOc_openfile(system, &id, wrong ? &wrong_type : &iotype, argv[1], 0);
  if (is(call, "createfile")) {
    PIOc_closefile(file);
    create_after_a_lost_file(argv[1], iotype);
    printf("the program goes on\n");
    return 5;
  }
  PIOc_sync(file); /* where the other ranks learn of what sends nothing */
  printf("the program goes on\n");
  return 5;
}
