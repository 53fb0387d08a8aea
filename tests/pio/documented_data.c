/* documented_data FOLDER: data, decompositions, fill values and attributes of the PIO interface. */
#include "documented.h"

/* A variable without dimensions needs no start, count, stride and map. */
static void scalars(void) {
  const int f = create("scalars.nc", 0);
  int v = -1;
  double value = 2.5;
  DONE(PIOc_def_var(f, "s", PIO_DOUBLE, 0, NULL, &v));
  DONE(PIOc_enddef(f));
  DONE(PIOc_put_var_double(f, v, &value));
  DONE(PIOc_put_var1_double(f, v, NULL, &value));
  DONE(PIOc_put_vara_double(f, v, NULL, NULL, &value));
  DONE(PIOc_put_vars_double(f, v, NULL, NULL, NULL, &value));
  DONE(PIOc_put_varm_double(f, v, NULL, NULL, NULL, NULL, &value));
  value = 0;
  DONE(PIOc_get_var1_double(f, v, NULL, &value));
  IS(25, 10 * value);
  value = 0;
  DONE(PIOc_get_varm_double(f, v, NULL, NULL, NULL, NULL, &value));
  IS(25, 10 * value);
  DONE(PIOc_closefile(f));
}

/* The fill values of all types, of variables that were defined before and after the fill mode was set. */
static void fill_values(void) {
  const int f = create("fill.nc", PIO_64BIT_DATA);
  int dim = -1, old = -1, no_fill = -1, v[PIO_UINT64 + 1], own = -1, none = -1, type;
  long long value = -3, got[3];
  unsigned long long large[3];
  double real[3];
  char name[PIO_MAX_NAME + 1], text[3];
  const long long wanted[] = {0, -127, 0,     -32767,       -2147483647,           0,
                              0, 255,  65535, 4294967295LL, -9223372036854775806LL};
  DONE(PIOc_def_dim(f, "x", 3, &dim));
  for (type = PIO_BYTE; type <= PIO_UINT64; ++type) {
    snprintf(name, sizeof name, "v%d", type);
    DONE(PIOc_def_var(f, name, type, 1, &dim, &v[type]));
  }
  DONE(PIOc_set_fill(f, PIO_FILL, &old));
  IS(PIO_NOFILL, old);
  DONE(PIOc_set_fill(f, PIO_NOFILL, &old));
  IS(PIO_FILL, old);
  DONE(PIOc_set_fill(f, PIO_FILL, NULL));
  IS(PIO_EINVAL, PIOc_set_fill(f, 3, NULL));
  DONE(PIOc_def_var(f, "own", PIO_INT64, 1, &dim, &own));
  DONE(PIOc_def_var_fill(f, own, 0, &value));
  DONE(PIOc_inq_var_fill(f, own, &no_fill, &got[0]));
  IS(0, no_fill);
  IS(-3, got[0]);
  DONE(PIOc_def_var(f, "none", PIO_INT, 1, &dim, &none));
  DONE(PIOc_def_var_fill(f, none, 1, NULL));
  DONE(PIOc_inq_var_fill(f, none, &no_fill, NULL));
  IS(1, no_fill);
  DONE(PIOc_enddef(f));
  for (type = PIO_BYTE; type <= PIO_INT64; ++type) {
    if (type == PIO_CHAR || type == PIO_FLOAT || type == PIO_DOUBLE) continue;
    DONE(PIOc_get_var_longlong(f, v[type], got));
    IS(wanted[type], got[2]);
  }
  DONE(PIOc_get_var_text(f, v[PIO_CHAR], text));
  IS(0, text[1]);
  for (type = PIO_FLOAT; type <= PIO_DOUBLE; ++type) {
    DONE(PIOc_get_var_double(f, v[type], real));
    IS(1, real[0] == 9.9692099683868690e+36);
  }
  DONE(PIOc_get_var_ulonglong(f, v[PIO_UINT64], large));
  IS(1, large[0] == 18446744073709551614ULL);
  DONE(PIOc_get_var_longlong(f, own, got));
  IS(-3, got[2]);
  DONE(PIOc_closefile(f));
}

/* Two elements of each rank, and one that no rank has. */
static void arrays_of_all_types(void) {
  const int f = create("types.nc", PIO_64BIT_DATA), length = 2 * ranks + 1;
  const PIO_Offset map[] = {2 * rank + 1, 2 * rank + 2};
  const size_t sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
  const float single[] = {1.5F, -2};
  const double real[] = {1.5, -2};
  int dim = -1, v[PIO_UINT64 + 1], type;
  long long all[2 * k_most_ranks + 1];
  unsigned char values[16], got[16];
  char name[PIO_MAX_NAME + 1];
  DONE(PIOc_def_dim(f, "x", length, &dim));
  for (type = PIO_BYTE; type <= PIO_UINT64; ++type) {
    snprintf(name, sizeof name, "v%d", type);
    DONE(PIOc_def_var(f, name, type, 1, &dim, &v[type]));
  }
  DONE(PIOc_enddef(f));
  for (type = PIO_BYTE; type <= PIO_UINT64; ++type) {
    int decomposition = -1;
    memset(values, 0, sizeof values);
    memset(got, 9, sizeof got);
    values[0] = (unsigned char)(rank + 1);
    if (type == PIO_FLOAT) memcpy(values, single, sizeof single);
    if (type == PIO_DOUBLE) memcpy(values, real, sizeof real);
    DONE(PIOc_InitDecomp(iosys, type, 1, &length, 2, map, &decomposition, NULL, NULL, NULL));
    IS(2, PIOc_get_local_array_size(decomposition));
    DONE(PIOc_write_darray(f, v[type], decomposition, 2, values, NULL));
    DONE(PIOc_read_darray(f, v[type], decomposition, 2, got));
    IS(0, memcmp(values, got, 2 * sizes[type]));
    DONE(PIOc_freedecomp(iosys, decomposition));
    IS(PIO_EBADID, PIOc_freedecomp(iosys, decomposition));
  }
  DONE(PIOc_get_var_longlong(f, v[PIO_INT], all));
  IS(PIO_FILL_INT, all[length - 1]);
  DONE(PIOc_get_var_longlong(f, v[PIO_UINT], all));
  IS(4294967295LL, all[length - 1]);
  DONE(PIOc_get_var_longlong(f, v[PIO_INT64], all));
  IS(-9223372036854775806LL, all[length - 1]);
  DONE(PIOc_closefile(f));
}

static void codes_of_data_calls(void) {
  const PIO_Offset first[] = {0}, two[] = {2}, three[] = {3}, after[] = {4};
  const int f = create("codes.nc", 0), values[] = {rank, rank, rank, rank};
  const double large = 1e20;
  int dim = -1, v = -1, got[4] = {-1};
  char text[4];
  DONE(PIOc_def_dim(f, "x", 4, &dim));
  DONE(PIOc_def_var(f, "v", PIO_INT, 1, &dim, &v));
  IS(iotype == PIO_IOTYPE_NETCDF ? PIO_EINDEFINE : PIO_NOERR, PIOc_put_var_int(f, v, values));
  DONE(PIOc_enddef(f));
  if (iotype == PIO_IOTYPE_NETCDF) DONE(PIOc_put_var_int(f, v, values));
  DONE(PIOc_get_var_int(f, v, got));
  IS(0, got[0]);
  IS(PIO_ERANGE, PIOc_put_var1_double(f, v, first, &large));
  DONE(PIOc_sync(f));
  IS(PIO_EINVALCOORDS, PIOc_get_var1_int(f, v, after, got));
  IS(PIO_EEDGE, PIOc_get_vara_int(f, v, two, three, got));
  IS(PIO_ESTRIDE, PIOc_get_vars_int(f, v, first, two, first, got));
  IS(PIO_ECHAR, PIOc_get_var_text(f, v, text));
  IS(PIO_ENOTVAR, PIOc_get_var_int(f, 9, got));
  FAILS(PIOc_get_var_int(f, PIO_GLOBAL, got));
  DONE(PIOc_closefile(f));
}

static void text(void) {
  const PIO_Offset row[] = {1, 0}, five[] = {1, 5}, origin[] = {0, 0}, corners[] = {2, 2}, apart[] = {2, 4};
  const PIO_Offset last[] = {2, 7}, pair[] = {1, 2}, spaced[] = {1, 4};
  const int f = create("text.nc", 0);
  int dims[2] = {-1, -1}, v = -1;
  char all[25] = "xxxxxxxxxxxxxxxxxxxxxxxx", some[3] = "";
  DONE(PIOc_def_dim(f, "n", 3, &dims[0]));
  DONE(PIOc_def_dim(f, "length", 8, &dims[1]));
  DONE(PIOc_def_var(f, "names", PIO_CHAR, 2, dims, &v));
  DONE(PIOc_enddef(f));
  DONE(PIOc_put_var_text(f, v, all));
  DONE(PIOc_put_vara_text(f, v, row, five, "hello"));
  DONE(PIOc_put_vars_text(f, v, origin, corners, apart, "ABCD"));
  DONE(PIOc_put_var1_text(f, v, last, "!"));
  DONE(PIOc_get_var_text(f, v, all));
  SAME("AxxxBxxxhelloxxxCxxxDxx!", all);
  DONE(PIOc_get_vars_text(f, v, origin, pair, spaced, some));
  SAME("AB", some);
  DONE(PIOc_closefile(f));
}

/* Of each rank the first and the third of three elements, in a record of its own for each variable. */
static void several_variables(void) {
  const PIO_Offset map[] = {3 * rank + 1, 3 * rank + 3};
  const int f = create("several.nc", 0), length = 3 * ranks, frames[] = {0, 2, 1};
  int fills[] = {-1, -2, -3}, dims[2] = {-1, -1}, v[3], decomposition = -1, i, r, values[6],
      got[3 * k_most_ranks];
  PIO_Offset records = -1;
  char name[PIO_MAX_NAME + 1];
  DONE(PIOc_def_dim(f, "t", PIO_UNLIMITED, &dims[0]));
  DONE(PIOc_def_dim(f, "x", length, &dims[1]));
  for (i = 0; i < 3; ++i) {
    snprintf(name, sizeof name, "v%d", i);
    DONE(PIOc_def_var(f, name, PIO_INT, 2, dims, &v[i]));
  }
  DONE(PIOc_enddef(f));
  DONE(PIOc_InitDecomp(iosys, PIO_INT, 1, &length, 2, map, &decomposition, NULL, NULL, NULL));
  for (i = 0; i < 6; ++i) values[i] = 100 * (i / 2) + 10 * rank + i % 2;
  for (i = 0; i < 3; ++i) DONE(PIOc_setframe(f, v[i], frames[i]));
  DONE(PIOc_write_darray_multi(f, v, decomposition, 3, 2, values, frames, (const void**)(void*)fills, true));
  DONE(PIOc_inq_dimlen(f, dims[0], &records));
  IS(3, records);
  for (i = 0; i < 3; ++i) {
    const PIO_Offset start[] = {frames[i], 0}, count[] = {1, length};
    DONE(PIOc_get_vara_int(f, v[i], start, count, got));
    for (r = 0; r < ranks; ++r) {
      IS(100 * i + 10 * r, got[3 * r]);
      IS(fills[i], got[3 * r + 1]);
      IS(100 * i + 10 * r + 1, got[3 * r + 2]);
    }
  }
  DONE(PIOc_advanceframe(f, v[1]));
  DONE(PIOc_write_darray(f, v[1], decomposition, 4, values, NULL)); /* a longer array than the map */
  DONE(PIOc_sync(f));
  DONE(PIOc_inq_dimlen(f, dims[0], &records));
  IS(4, records);
  DONE(PIOc_read_darray(f, v[1], decomposition, 2, got));
  IS(values[1], got[1]);
  IS(PIO_EINVAL, PIOc_write_darray(f, v[0], decomposition, 1, values, NULL));
  IS(PIO_EINVAL, PIOc_write_darray_multi(f, v, decomposition, 0, 2, values, frames, NULL, false));
  IS(PIO_EINVAL, PIOc_setframe(f, -1, 0));
  IS(PIO_ENOTVAR, PIOc_setframe(f, 55, 0));
  DONE(PIOc_freedecomp(iosys, decomposition)); /* while a write by it waits */
  DONE(PIOc_closefile(f));
}

/* The frame counts along a first dimension of fixed length too; variables of one dimension ignore it. */
static void frames_of_fixed_dimensions(void) {
  const PIO_Offset map[] = {2 * rank + 1, 2 * rank + 2};
  const int f = create("frames.nc", 0), length = 2 * ranks, padded[] = {1, length};
  const int values[] = {rank, -rank};
  int dims[2] = {-1, -1}, months = -1, single = -1, flat = -1, with_one = -1, got[2] = {0};
  DONE(PIOc_def_dim(f, "month", 12, &dims[0]));
  DONE(PIOc_def_dim(f, "x", length, &dims[1]));
  DONE(PIOc_def_var(f, "months", PIO_INT, 2, dims, &months));
  DONE(PIOc_def_var(f, "single", PIO_INT, 1, dims + 1, &single));
  DONE(PIOc_enddef(f));
  DONE(PIOc_InitDecomp(iosys, PIO_INT, 1, &length, 2, map, &flat, NULL, NULL, NULL));
  DONE(PIOc_InitDecomp(iosys, PIO_INT, 2, padded, 2, map, &with_one, NULL, NULL, NULL));
  DONE(PIOc_setframe(f, months, 3));
  DONE(PIOc_write_darray(f, months, flat, 2, values, NULL));
  DONE(PIOc_advanceframe(f, months));
  DONE(PIOc_write_darray(f, months, with_one, 2, values, NULL));
  DONE(PIOc_setframe(f, single, 5));
  DONE(PIOc_write_darray(f, single, flat, 2, values, NULL));
  DONE(PIOc_read_darray(f, months, flat, 2, got));
  IS(rank, got[0]);
  DONE(PIOc_setframe(f, months, 3));
  DONE(PIOc_read_darray(f, months, with_one, 2, got));
  IS(-rank, got[1]);
  DONE(PIOc_setframe(f, months, 12));
  FAILS(PIOc_read_darray(f, months, flat, 2, got));
  FAILS(PIOc_write_darray(f, months, flat, 2, values, NULL));
  DONE(PIOc_closefile(f));
  DONE(PIOc_freedecomp(iosys, flat));
  DONE(PIOc_freedecomp(iosys, with_one));
}

static void attributes(void) {
  const int f = create("from.nc", PIO_64BIT_DATA), g = create("to.nc", PIO_64BIT_DATA);
  const double numbers[] = {1, 2, 3}, large = 1e30;
  const short small = 7;
  const long long wide = 1LL << 40;
  int v = -1, got[3] = {0}, count = -1;
  float real = 0;
  nc_type type = PIO_NAT;
  PIO_Offset length = -1;
  char name[PIO_MAX_NAME + 1];
  DONE(PIOc_def_var(f, "v", PIO_INT, 0, NULL, &v));
  DONE(PIOc_put_att_double(f, v, "numbers", PIO_INT, 3, numbers));
  DONE(PIOc_put_att_short(f, v, "small", PIO_DOUBLE, 1, &small));
  DONE(PIOc_put_att(f, PIO_GLOBAL, "wide", PIO_INT64, 1, &wide));
  DONE(PIOc_put_att_text(f, v, "empty", 0, ""));
  DONE(PIOc_put_att_text(f, v, "text", 3, "abc"));
  IS(PIO_ERANGE, PIOc_put_att_double(f, v, "large", PIO_INT, 1, &large));
  DONE(PIOc_inq_att(f, v, "numbers", &type, &length));
  IS(PIO_INT, type);
  IS(3, length);
  DONE(PIOc_inq_attlen(f, v, "empty", &length));
  IS(0, length);
  DONE(PIOc_get_att(f, v, "numbers", got));
  IS(3, got[2]);
  DONE(PIOc_get_att_float(f, v, "small", &real));
  IS(7, real);
  IS(PIO_ECHAR, PIOc_get_att_int(f, v, "text", got));
  DONE(PIOc_copy_att(f, v, "numbers", g, PIO_GLOBAL));
  DONE(PIOc_copy_att(f, PIO_GLOBAL, "wide", g, PIO_GLOBAL));
  IS(PIO_ENOTATT, PIOc_copy_att(f, v, "none", g, PIO_GLOBAL));
  DONE(PIOc_inq_attid(g, PIO_GLOBAL, "wide", &count));
  IS(1, count);
  DONE(PIOc_inq_attname(g, PIO_GLOBAL, 0, name));
  SAME("numbers", name);
  DONE(PIOc_inq_natts(g, &count));
  IS(2, count);
  DONE(PIOc_closefile(g));
  DONE(PIOc_closefile(f));
}

static void check(void) {
  scalars();
  fill_values();
  arrays_of_all_types();
  codes_of_data_calls();
  text();
  several_variables();
  frames_of_fixed_dimensions();
  attributes();
}

int main(int argc, char** argv) { return run(argc, argv, check); }
