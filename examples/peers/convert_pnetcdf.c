/* The program convert.c by PnetCDF, which reads and writes classic files only: copies dimensions, attributes
 * and variables into a new file of another classic format, and the data in parallel, with bounded memory.
 * Objects that the new file cannot hold are left out with a message. convert_pieces.h has the pieces.
 *   mpirun -n 4 convert_pnetcdf --format cdf5 old.nc new.nc; convert_pnetcdf --help
 */
#include <pnetcdf.h>

#include "../convert_pieces.h"

typedef struct {
  int from, to;
  int* dimensions; /* [dimensions of `from`] their ids in `to` */
  int* variables;  /* [variables of `from`] their ids in `to`; -1 where the format cannot hold one */
} convert_copy;

static void check(int code) {
  if (code != NC_NOERR) convert_fail(ncmpi_strerror(code));
}

/* Whether a call for this object succeeded. */
static int possible(int code, const char* object, const char* what) {
  if (code != NC_NOERR) convert_lose(object, what, ncmpi_strerror(code));
  return code == NC_NOERR;
}

static int mode_of(const char* name) {
  const char* const names[] = {"cdf1", "cdf2", "cdf5"};
  const int modes[] = {0, NC_64BIT_OFFSET, NC_64BIT_DATA};
  for (int i = 0; i < 3; i++)
    if (strcmp(names[i], name) == 0) return modes[i] | NC_CLOBBER;
  convert_fail("--format must be cdf1, cdf2 or cdf5");
  return 0;
}

static size_t size_of(nc_type type) {
  const size_t sizes[] = {
      [NC_BYTE] = 1,  [NC_CHAR] = 1,   [NC_SHORT] = 2, [NC_INT] = 4,   [NC_FLOAT] = 4, [NC_DOUBLE] = 8,
      [NC_UBYTE] = 1, [NC_USHORT] = 2, [NC_UINT] = 4,  [NC_INT64] = 8, [NC_UINT64] = 8};
  return sizes[type];
}

static MPI_Datatype type_of(nc_type type) {
  switch (type) {
    case NC_BYTE:
      return MPI_SIGNED_CHAR;
    case NC_CHAR:
      return MPI_CHAR;
    case NC_SHORT:
      return MPI_SHORT;
    case NC_INT:
      return MPI_INT;
    case NC_FLOAT:
      return MPI_FLOAT;
    case NC_DOUBLE:
      return MPI_DOUBLE;
    case NC_UBYTE:
      return MPI_UNSIGNED_CHAR;
    case NC_USHORT:
      return MPI_UNSIGNED_SHORT;
    case NC_UINT:
      return MPI_UNSIGNED;
    case NC_INT64:
      return MPI_LONG_LONG;
    default:
      return MPI_UNSIGNED_LONG_LONG;
  }
}

static void copy_dimensions(convert_copy* copy) {
  int count, unlimited;
  check(ncmpi_inq_ndims(copy->from, &count));
  check(ncmpi_inq_unlimdim(copy->from, &unlimited));
  copy->dimensions = malloc((size_t)(count + 1) * sizeof *copy->dimensions);
  for (int d = 0; d < count; d++) {
    char name[NC_MAX_NAME + 1];
    MPI_Offset extent;
    check(ncmpi_inq_dim(copy->from, d, name, &extent));
    check(ncmpi_def_dim(copy->to, name, d == unlimited ? NC_UNLIMITED : extent, &copy->dimensions[d]));
  }
}

static void copy_attributes(convert_copy* copy, const char* object, int from, int to, int count) {
  for (int i = 0; i < count; i++) {
    char name[NC_MAX_NAME + 1];
    check(ncmpi_inq_attname(copy->from, from, i, name));
    possible(ncmpi_copy_att(copy->from, from, name, copy->to, to), object, name);
  }
}

static void copy_variable(convert_copy* copy, int from) {
  char name[NC_MAX_NAME + 1];
  nc_type type;
  int ndims, dims[CONVERT_DIMS], attributes, *const to = &copy->variables[from];
  check(ncmpi_inq_var(copy->from, from, name, &type, &ndims, dims, &attributes));
  for (int d = 0; d < ndims; d++) dims[d] = copy->dimensions[dims[d]];
  if (!possible(ncmpi_def_var(copy->to, name, type, ndims, dims, to), name, "no variable")) {
    *to = -1;
    return;
  }
  copy_attributes(copy, name, from, *to, attributes);
}

/* Each process reads and writes one piece in each turn, in the type of the file. */
static void copy_data(convert_copy* copy, int from, int to, long limit) {
  int ranks, dims[CONVERT_DIMS];
  nc_type type;
  convert_tiling tiling;
  MPI_Offset extent, start[CONVERT_DIMS], count[CONVERT_DIMS];
  int64_t first[CONVERT_DIMS], extents[CONVERT_DIMS];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(ncmpi_inq_var(copy->from, from, NULL, &type, &tiling.ndims, dims, NULL));
  for (int d = 0; d < tiling.ndims; d++) {
    check(ncmpi_inq_dimlen(copy->from, dims[d], &extent));
    tiling.dims[d] = extent;
  }
  convert_tile(&tiling, size_of(type), limit);
  void* data = malloc((size_t)limit + size_of(type));
  for (int64_t turn = 0; turn < tiling.pieces; turn += ranks) {
    const int64_t n = convert_piece(&tiling, turn + convert_rank(), first, extents);
    for (int d = 0; d < tiling.ndims; d++) {
      start[d] = first[d];
      count[d] = extents[d];
    }
    check(ncmpi_get_vara_all(copy->from, from, start, count, data, n, type_of(type)));
    check(ncmpi_put_vara_all(copy->to, to, start, count, data, n, type_of(type)));
  }
  free(data);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const convert_arguments arguments = convert_read_arguments(argc, argv, "cdf1, cdf2 or cdf5");
  convert_copy copy;
  int variables, attributes;
  check(ncmpi_open(MPI_COMM_WORLD, arguments.from, NC_NOWRITE, MPI_INFO_NULL, &copy.from));
  check(ncmpi_create(MPI_COMM_WORLD, arguments.to, mode_of(arguments.format), MPI_INFO_NULL, &copy.to));
  check(ncmpi_inq(copy.from, NULL, &variables, &attributes, NULL));
  copy.variables = malloc((size_t)(variables + 1) * sizeof *copy.variables);

  copy_dimensions(&copy);
  copy_attributes(&copy, "/", NC_GLOBAL, NC_GLOBAL, attributes);
  for (int v = 0; v < variables; v++) copy_variable(&copy, v);
  check(ncmpi_enddef(copy.to));
  for (int v = 0; v < variables; v++)
    if (copy.variables[v] >= 0) copy_data(&copy, v, copy.variables[v], arguments.bytes);
  check(ncmpi_close(copy.to));
  check(ncmpi_close(copy.from));

  free(copy.variables);
  free(copy.dimensions);
  MPI_Finalize();
  return convert_losses > 0 ? CONVERT_INCOMPLETE : 0;
}
