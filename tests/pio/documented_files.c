/* documented_files FOLDER: files, definitions, inquiries and I/O systems of the PIO interface. */
#include "documented.h"

/* Every pointer through which a call returns something may be NULL. */
static void null_results(void) {
  const int on[] = {1, 0};
  const int f = create("null.nc", 0);
  int id = -1;
  DONE(PIOc_def_dim(f, "x", 4, NULL));
  DONE(PIOc_def_dim(f, "t", PIO_UNLIMITED, &id));
  DONE(PIOc_def_var(f, "v", PIO_INT, 2, on, NULL));
  DONE(PIOc_put_att_text(f, PIO_GLOBAL, "title", 5, "hello"));
  DONE(PIOc_enddef(f));
  DONE(PIOc_inq(f, NULL, NULL, NULL, NULL));
  DONE(PIOc_inq_ndims(f, NULL));
  DONE(PIOc_inq_nvars(f, NULL));
  DONE(PIOc_inq_natts(f, NULL));
  DONE(PIOc_inq_unlimdim(f, NULL));
  DONE(PIOc_inq_unlimdims(f, NULL, NULL));
  DONE(PIOc_inq_dim(f, 0, NULL, NULL));
  DONE(PIOc_inq_dimid(f, "x", NULL));
  DONE(PIOc_inq_dimname(f, 0, NULL));
  DONE(PIOc_inq_dimlen(f, 0, NULL));
  DONE(PIOc_inq_var(f, 0, NULL, 0, NULL, NULL, NULL, NULL));
  DONE(PIOc_inq_varid(f, "v", NULL));
  DONE(PIOc_inq_varname(f, 0, NULL, 0));
  DONE(PIOc_inq_vartype(f, 0, NULL));
  DONE(PIOc_inq_varndims(f, 0, NULL));
  DONE(PIOc_inq_vardimid(f, 0, NULL));
  DONE(PIOc_inq_varnatts(f, 0, NULL));
  DONE(PIOc_inq_var_fill(f, 0, NULL, NULL));
  DONE(PIOc_inq_att(f, PIO_GLOBAL, "title", NULL, NULL));
  DONE(PIOc_inq_attlen(f, PIO_GLOBAL, "title", NULL));
  DONE(PIOc_inq_atttype(f, PIO_GLOBAL, "title", NULL));
  DONE(PIOc_inq_attid(f, PIO_GLOBAL, "title", NULL));
  DONE(PIOc_inq_attname(f, PIO_GLOBAL, 0, NULL));
  DONE(PIOc_inq_type(f, PIO_INT, NULL, NULL));
  DONE(PIOc_inq_format(f, NULL));
  DONE(PIOc_get_numiotasks(iosys, NULL));
  DONE(PIOc_iam_iotask(iosys, NULL));
  DONE(PIOc_iotask_rank(iosys, NULL));
  DONE(PIOc_iosystem_is_active(iosys, NULL));
  DONE(PIOc_set_iosystem_error_handling(iosys, PIO_BCAST_ERROR, NULL));
  DONE(PIOc_closefile(f));
  IS(PIO_EBADID, PIOc_closefile(f));
  IS(0, PIOc_File_is_Open(f));
}

/* What is not there leaves the results as they are. */
static void missing_objects(void) {
  const int f = create("missing.nc", 0);
  char name[PIO_MAX_NAME + 1];
  PIO_Offset length = 5;
  nc_type type = 7;
  int id = 77, count = 5;
  IS(PIO_EBADDIM, PIOc_inq_dimid(f, "no", &id));
  IS(PIO_ENOTVAR, PIOc_inq_varid(f, "no", &id));
  IS(77, id);
  IS(PIO_EINVAL, PIOc_inq_dimid(f, NULL, &id));
  IS(PIO_EINVAL, PIOc_inq_varid(f, NULL, &id));
  IS(PIO_EINVAL, PIOc_inq_att(f, PIO_GLOBAL, NULL, &type, &length));
  IS(PIO_EBADDIM, PIOc_inq_dim(f, 3, name, &length));
  IS(PIO_EBADDIM, PIOc_inq_dimlen(f, -1, &length));
  IS(PIO_ENOTVAR, PIOc_inq_vartype(f, 0, &type));
  IS(PIO_ENOTATT, PIOc_inq_att(f, PIO_GLOBAL, "no", &type, &length));
  IS(PIO_ENOTVAR, PIOc_inq_att(f, 3, "no", &type, &length));
  IS(PIO_ENOTATT, PIOc_get_att_int(f, PIO_GLOBAL, "no", &id));
  IS(PIO_ENOTATT, PIOc_inq_attname(f, PIO_GLOBAL, 0, name));
  IS(PIO_ENOTATT, PIOc_inq_attid(f, PIO_GLOBAL, "no", &id));
  IS(PIO_ENOTVAR, PIOc_inq_varnatts(f, 2, &count));
  IS(PIO_EBADTYPE, PIOc_inq_type(f, 99, name, &length));
  IS(PIO_EBADID, PIOc_inq(99, NULL, NULL, NULL, NULL));
  IS(5, count);
  DONE(PIOc_inq_unlimdim(f, &count));
  IS(-1, count);
  DONE(PIOc_inq_unlimdims(f, &count, NULL));
  IS(0, count);
  DONE(PIOc_inq_varnatts(f, PIO_GLOBAL, &count));
  IS(0, count);
  DONE(PIOc_closefile(f));
}

/* In data mode a classic file has room for names that are not longer. */
static void renames(void) {
  const int values[] = {1, 2, 3, 4};
  int f = create("renames.nc", 0), dim = -1, v = -1, other = -1, got[4] = {0};
  char name[PIO_MAX_NAME + 1];
  DONE(PIOc_def_dim(f, "longname", 4, &dim));
  DONE(PIOc_def_var(f, "variable", PIO_INT, 1, &dim, &v));
  DONE(PIOc_def_var(f, "other", PIO_INT, 1, &dim, &other));
  DONE(PIOc_put_att_text(f, v, "attribute", 3, "abc"));
  DONE(PIOc_put_att_text(f, v, "unit", 1, "m"));
  DONE(PIOc_enddef(f));
  DONE(PIOc_put_var_int(f, v, values));
  DONE(PIOc_rename_dim(f, dim, "y"));
  DONE(PIOc_rename_var(f, v, "z"));
  DONE(PIOc_rename_att(f, v, "attribute", "att"));
  DONE(PIOc_inq_dimname(f, dim, name));
  SAME("y", name);
  DONE(PIOc_inq_varname(f, v, name, sizeof name));
  SAME("z", name);
  IS(PIO_ENAMEINUSE, PIOc_rename_var(f, v, "other"));
  IS(PIO_ENAMEINUSE, PIOc_rename_att(f, v, "att", "unit"));
  IS(PIO_ENOTATT, PIOc_rename_att(f, v, "none", "no"));
  IS(PIO_ENOTATT, PIOc_rename_att(f, v, "none", "longer_than_none"));
  if (!is_netcdf4()) {
    IS(PIO_ENOTINDEFINE, PIOc_rename_var(f, v, "longer_than_before"));
    IS(PIO_ENOTINDEFINE, PIOc_rename_dim(f, dim, "longer_than_before"));
    IS(PIO_ENOTINDEFINE, PIOc_del_att(f, v, "unit"));
  }
  DONE(PIOc_redef(f));
  DONE(PIOc_del_att(f, v, "unit"));
  IS(PIO_ENOTATT, PIOc_del_att(f, v, "unit"));
  DONE(PIOc_rename_var(f, v, "much_longer_than_before"));
  DONE(PIOc_enddef(f));
  DONE(PIOc_closefile(f));
  f = open_again(PIO_NOWRITE);
  DONE(PIOc_inq_dimid(f, "y", &dim));
  DONE(PIOc_inq_varid(f, "much_longer_than_before", &v));
  DONE(PIOc_get_var_int(f, v, got));
  IS(4, got[3]);
  DONE(PIOc_closefile(f));
}

static void define_mode(void) {
  const int values[4] = {0};
  int f = create("define.nc", 0), dim = -1, v = -1, id = -1;
  DONE(PIOc_def_dim(f, "x", 4, &dim));
  IS(PIO_ENAMEINUSE, PIOc_def_dim(f, "x", 4, &id));
  DONE(PIOc_def_var(f, "v", PIO_INT, 1, &dim, &v));
  IS(PIO_ENAMEINUSE, PIOc_def_var(f, "v", PIO_INT, 1, &dim, &id));
  IS(PIO_EINVAL, PIOc_def_dim(f, NULL, 3, &id));
  IS(PIO_EINVAL, PIOc_def_var(f, NULL, PIO_INT, 0, NULL, &id));
  IS(PIO_EINDEFINE, PIOc_redef(f));
  DONE(PIOc_enddef(f));
  IS(PIO_ENOTINDEFINE, PIOc_enddef(f));
  if (!is_netcdf4()) {
    IS(PIO_ENOTINDEFINE, PIOc_def_dim(f, "z", 4, &id));
    IS(PIO_ENOTINDEFINE, PIOc_def_var(f, "z", PIO_INT, 1, &dim, &id));
    IS(PIO_ENOTINDEFINE, PIOc_put_att_text(f, v, "new", 1, "a"));
  }
  DONE(PIOc_set_fill(f, PIO_FILL, NULL));
  DONE(PIOc_closefile(f));
  f = open_again(PIO_NOWRITE);
  IS(PIO_EPERM, PIOc_redef(f));
  IS(PIO_EPERM, PIOc_def_dim(f, "q", 3, &id));
  IS(PIO_EPERM, PIOc_def_var(f, "q", PIO_INT, 0, NULL, &id));
  IS(PIO_EPERM, PIOc_def_var_fill(f, v, PIO_FILL, values));
  IS(PIO_EPERM, PIOc_set_fill(f, PIO_FILL, &id));
  IS(PIO_EPERM, PIOc_put_att_text(f, v, "new", 1, "a"));
  IS(PIO_EPERM, PIOc_rename_var(f, v, "q"));
  IS(PIO_EPERM, PIOc_del_att(f, v, "q"));
  IS(PIO_EPERM, PIOc_put_var_int(f, v, values));
  IS(PIO_EPERM, PIOc_write_darray(f, v, PIO_IODESC_START_ID, 4, values, NULL));
  DONE(PIOc_closefile(f));
}

/* Any I/O type opens any file. */
static void ways_to_open(void) {
  int f = create("files.nc", 0), type = iotype, format = 0;
  DONE(PIOc_closefile(f));
  f = -5;
  IS(PIO_EEXIST, PIOc_createfile(iosys, &f, &type, path, PIO_NOCLOBBER));
  type = 77;
  IS(PIO_EBADIOTYPE, PIOc_createfile(iosys, &f, &type, path, PIO_CLOBBER));
  type = PIO_IOTYPE_ADIOS;
  IS(PIO_EBADIOTYPE, PIOc_createfile(iosys, &f, &type, path, PIO_CLOBBER));
  IS(PIO_EINVAL, PIOc_createfile(iosys, &f, &iotype, NULL, 0));
  IS(PIO_EINVAL, PIOc_openfile(iosys, NULL, &iotype, path, 0));
  IS(PIO_EBADID, PIOc_createfile(7, &f, &iotype, path, 0));
  IS(-5, f);
  for (type = PIO_IOTYPE_PNETCDF; type <= PIO_IOTYPE_HDF5C; ++type) {
    int same = type;
    DONE(PIOc_openfile(iosys, &f, &same, path, PIO_NOWRITE));
    IS(iosys, PIOc_get_iosystem(f));
    IS(1, PIOc_File_is_Open(f));
    DONE(PIOc_closefile(f));
    DONE(PIOc_openfile2(iosys, &f, &same, path, PIO_WRITE));
    DONE(PIOc_closefile(f));
    DONE(PIOc_openfile_retry(iosys, &f, &same, path, PIO_NOWRITE, 1));
    DONE(PIOc_closefile(f));
    DONE(PIOc_openfile_retry(iosys, &f, &same, path, PIO_NOWRITE, 0));
    DONE(PIOc_closefile(f));
    IS(type, same);
  }
  DONE(PIOc_open(iosys, path, PIO_NOWRITE, &f));
  DONE(PIOc_inq_format(f, &format));
  IS(is_netcdf4() ? 3 : 1, format);
  DONE(PIOc_closefile(f));
  DONE(PIOc_deletefile(iosys, path));
  FAILS(PIOc_deletefile(iosys, path));
  FAILS(PIOc_openfile(iosys, &f, &iotype, path, PIO_NOWRITE));
}

/* The I/O ranks are `stride` apart from `base` on; the I/O root is the first of them. */
static void use_half(MPI_Comm half, int base, int count) {
  int size = 0, mine = 0, system = -1, found = -1, position = -7, wanted = -1, i, f = -1, dim = -1, v = -1;
  int decomposition = -1, all[k_most_ranks] = {0}, value = 0;
  PIO_Offset map, first = 0;
  bool does_io = false, active = false;
  char name[PIO_MAX_NAME + 1];
  MPI_Comm_size(half, &size);
  MPI_Comm_rank(half, &mine);
  map = size - mine;
  DONE(PIOc_Init_Intracomm(half, count, size / count, base, PIO_REARR_SUBSET, &system));
  for (i = 0; i < count; ++i) {
    if ((base + i * (size / count)) % size == mine) wanted = i;
  }
  DONE(PIOc_get_numiotasks(system, &found));
  IS(count, found);
  DONE(PIOc_iotask_rank(system, &position));
  IS(wanted, position);
  DONE(PIOc_iam_iotask(system, &does_io));
  IS(wanted >= 0, does_io);
  snprintf(name, sizeof name, "%s/half%d.nc", folder, rank % 2);
  DONE(PIOc_createfile(system, &f, &iotype, name, PIO_CLOBBER));
  DONE(PIOc_def_dim(f, "x", size, &dim));
  DONE(PIOc_def_var(f, "v", PIO_INT, 1, &dim, &v));
  DONE(PIOc_enddef(f));
  DONE(PIOc_InitDecomp(system, PIO_INT, 1, &size, 1, &map, &decomposition, NULL, NULL, NULL));
  DONE(PIOc_write_darray(f, v, decomposition, 1, &mine, NULL));
  DONE(PIOc_get_var_int(f, v, all));
  for (i = 0; i < size; ++i) IS(size - 1 - i, all[i]);
  value = 100 + mine;
  DONE(PIOc_put_var1_int(f, v, &first, &value));
  DONE(PIOc_get_var1_int(f, v, &first, &value));
  IS(100 + base, value);
  DONE(PIOc_closefile(f));
  DONE(PIOc_freedecomp(system, decomposition));
  DONE(PIOc_finalize(system));
  DONE(PIOc_iosystem_is_active(system, &active));
  IS(0, active);
  IS(PIO_EBADID, PIOc_finalize(system));
}

static void systems_of_some_ranks(void) {
  MPI_Comm half;
  int size = 0, base, count, id = -3;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_size(half, &size);
  IS(PIO_EINVAL, PIOc_Init_Intracomm(half, 0, 1, 0, PIO_REARR_BOX, &id));
  IS(PIO_EINVAL, PIOc_Init_Intracomm(half, size + 1, 1, 0, PIO_REARR_BOX, &id));
  IS(PIO_EINVAL, PIOc_Init_Intracomm(half, 1, 0, 0, PIO_REARR_BOX, &id));
  IS(PIO_EINVAL, PIOc_Init_Intracomm(half, 1, 1, -1, PIO_REARR_BOX, &id));
  IS(PIO_EINVAL, PIOc_Init_Intracomm(half, 1, 1, size, PIO_REARR_BOX, &id));
  IS(-3, id);
  for (base = 0; base < size; ++base) {
    for (count = 1; count <= size; ++count) use_half(half, base, count);
  }
  MPI_Comm_free(&half);
}

static void settings(void) {
  int old = 0, major = 0, minor = 0, patch = 0;
  char text[PIO_MAX_NAME + 1];
  DONE(PIOc_set_iosystem_error_handling(iosys, PIO_RETURN_ERROR, &old));
  IS(PIO_BCAST_ERROR, old);
  IS(PIO_EINVAL, PIOc_set_iosystem_error_handling(iosys, -99, &old));
  IS(PIO_RETURN_ERROR, PIOc_Set_IOSystem_Error_Handling(iosys, PIO_REDUCE_ERROR));
  DONE(PIOc_set_iosystem_error_handling(iosys, PIO_BCAST_ERROR, &old));
  IS(PIO_REDUCE_ERROR, old);
  DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_BCAST_ERROR, &old));
  IS(PIO_BCAST_ERROR, old);
  IS(PIO_EBADID, PIOc_set_iosystem_error_handling(9, PIO_BCAST_ERROR, &old));
  IS(PIO_EINVAL, PIOc_set_hint(iosys, NULL, "x"));
  IS(PIO_EINVAL, PIOc_set_hint(iosys, "x", NULL));
  DONE(PIOc_set_hint(iosys, "cb_nodes", "2"));
  IS(PIO_EBADID, PIOc_set_hint(33, "a", "b"));
  DONE(PIOc_set_rearr_opts(iosys, 0, 0, true, true, 10, true, true, -1));
  IS(PIO_EINVAL, PIOc_set_rearr_opts(iosys, 5, 0, true, true, 10, true, true, -1));
  IS(PIO_EINVAL, PIOc_set_rearr_opts(iosys, 0, 0, true, true, -2, true, true, -1));
  IS(PIO_EINVAL, PIOc_set_blocksize(0));
  DONE(PIOc_set_blocksize(4096));
  IS(67108864, PIOc_set_buffer_size_limit(-5));
  IS(67108864, PIOc_set_buffer_size_limit(1000));
  IS(1000, PIOc_set_buffer_size_limit(67108864));
  DONE(PIOc_strerror(PIO_NOERR, text, sizeof text));
  SAME("No error", text);
  DONE(PIOc_strerror(PIO_EBADIOTYPE, text, sizeof text));
  SAME("Bad IO type", text);
  DONE(PIOc_strerror(PIO_ENOTVAR, text, 5));
  IS(4, strlen(text));
  DONE(PIOc_get_version(&major, &minor, &patch, text, sizeof text));
  SAME("2.0.1", text);
  IS(major, PIOc_get_version_major());
  DONE(PIOc_finalize(-1));
}

static void check(void) {
  null_results();
  missing_objects();
  renames();
  define_mode();
  ways_to_open();
  systems_of_some_ranks();
  settings();
}

int main(int argc, char** argv) { return run(argc, argv, check); }
