/* compare_netcdf A B UNKNOWN: compares two files through the netCDF C library: format, definitions in order,
 * number of records, values. UNKNOWN has lines "VARIABLE FIRST COUNT" of elements (in C order) that nobody
 * specified and that may differ. Exit code 0: the same; otherwise the first differences are printed. */
#include <netcdf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int files[2];
static int differences;
enum { k_most_lines = 12 };

static void __attribute__((format(printf, 1, 2))) differ(const char* text, ...) {
  va_list list;
  va_start(list, text);
  if (differences++ < k_most_lines) {
    vprintf(text, list);
    putchar('\n');
  }
  va_end(list);
}

static void must(int error, const char* what) {
  if (error == NC_NOERR) return;
  printf("%s: %s\n", what, nc_strerror(error));
  exit(1);
}

static void compare_formats(void) {
  int format[2], unlimited[2];
  for (int f = 0; f < 2; ++f) {
    must(nc_inq_format(files[f], &format[f]), "format");
    must(nc_inq_unlimdim(files[f], &unlimited[f]), "unlimited dimension");
  }
  if (format[0] != format[1]) differ("format %d, not %d", format[0], format[1]);
  if (unlimited[0] != unlimited[1]) differ("unlimited dimension %d, not %d", unlimited[0], unlimited[1]);
}

static int compare_counts(int (*count_of)(int, int*), const char* what) {
  int n[2];
  for (int f = 0; f < 2; ++f) must(count_of(files[f], &n[f]), what);
  if (n[0] != n[1]) differ("%d %s, not %d", n[0], what, n[1]);
  return n[0] < n[1] ? n[0] : n[1];
}

static void compare_dimensions(void) {
  const int n = compare_counts(nc_inq_ndims, "dimensions");
  for (int d = 0; d < n; ++d) {
    char name[2][NC_MAX_NAME + 1];
    size_t length[2];
    for (int f = 0; f < 2; ++f) must(nc_inq_dim(files[f], d, name[f], &length[f]), "dimension");
    if (strcmp(name[0], name[1]) != 0) differ("dimension %d is %s, not %s", d, name[0], name[1]);
    if (length[0] != length[1]) differ("dimension %s has %zu, not %zu", name[1], length[0], length[1]);
  }
}

static void compare_attribute(int variable, int i) {
  char name[2][NC_MAX_NAME + 1];
  nc_type type[2];
  size_t count[2], width = 0;
  for (int f = 0; f < 2; ++f) {
    must(nc_inq_attname(files[f], variable, i, name[f]), "attribute name");
    must(nc_inq_att(files[f], variable, name[f], &type[f], &count[f]), "attribute");
  }
  if (strcmp(name[0], name[1]) != 0) {
    differ("attribute %d of variable %d is %s, not %s", i, variable, name[0], name[1]);
    return;
  }
  if (type[0] != type[1] || count[0] != count[1]) {
    differ("attribute %s of variable %d: type %d, %zu elements, not type %d, %zu", name[1], variable, type[0],
           count[0], type[1], count[1]);
    return;
  }
  must(nc_inq_type(files[0], type[0], NULL, &width), "type");
  char* value[2];
  for (int f = 0; f < 2; ++f) {
    value[f] = calloc(count[f] + 1, width);
    must(nc_get_att(files[f], variable, name[f], value[f]), "attribute value");
  }
  if (memcmp(value[0], value[1], count[0] * width) != 0) {
    differ("attribute %s of variable %d has another value", name[1], variable);
  }
  for (int f = 0; f < 2; ++f) free(value[f]);
}

static void compare_attributes(int variable) {
  int n[2];
  for (int f = 0; f < 2; ++f) {
    must(variable == NC_GLOBAL ? nc_inq_natts(files[f], &n[f]) : nc_inq_varnatts(files[f], variable, &n[f]),
         "attributes");
  }
  if (n[0] != n[1]) differ("variable %d has %d attributes, not %d", variable, n[0], n[1]);
  for (int i = 0; i < n[0] && i < n[1]; ++i) compare_attribute(variable, i);
}

/* The elements of a variable, and how many. */
static char* read_all(int f, int variable, size_t* elements, size_t* width) {
  int ndims = 0, ids[NC_MAX_VAR_DIMS];
  nc_type type = NC_NAT;
  must(nc_inq_var(files[f], variable, NULL, &type, &ndims, ids, NULL), "variable");
  must(nc_inq_type(files[f], type, NULL, width), "type");
  *elements = 1;
  for (int d = 0; d < ndims; ++d) {
    size_t length = 0;
    must(nc_inq_dimlen(files[f], ids[d], &length), "length");
    *elements *= length;
  }
  char* bytes = calloc(*elements + 1, *width);
  must(nc_get_var(files[f], variable, bytes), "values");
  return bytes;
}

static void print_element(const char* bytes, size_t width) {
  for (size_t i = 0; i < width; ++i) printf("%02x", (unsigned char)bytes[i]);
}

static void compare_values(int variable, const char* name, FILE* unknown) {
  size_t elements[2], width[2];
  char* value[2];
  for (int f = 0; f < 2; ++f) value[f] = read_all(f, variable, &elements[f], &width[f]);
  if (elements[0] == elements[1] && width[0] == width[1]) {
    char* passed_over = calloc(elements[0] + 1, 1);
    int v = 0;
    long long first = 0, count = 0;
    rewind(unknown);
    while (fscanf(unknown, "%d %lld %lld", &v, &first, &count) == 3) {
      if (v == variable) memset(passed_over + first, 1, (size_t)count);
    }
    size_t wrong = 0;
    for (size_t i = 0; i < elements[0]; ++i) {
      const char *a = value[0] + i * width[0], *b = value[1] + i * width[0];
      if (passed_over[i] || memcmp(a, b, width[0]) == 0) continue;
      if (wrong++ > 0) continue;
      differ("%s: element %zu of %zu differs:", name, i, elements[0]);
      print_element(a, width[0]);
      printf(", not ");
      print_element(b, width[0]);
      putchar('\n');
    }
    if (wrong > 1) differ("%s: %zu elements differ", name, wrong);
    free(passed_over);
  }
  for (int f = 0; f < 2; ++f) free(value[f]);
}

static void compare_variable(int variable, FILE* unknown) {
  char name[2][NC_MAX_NAME + 1];
  nc_type type[2];
  int ndims[2], ids[2][NC_MAX_VAR_DIMS];
  for (int f = 0; f < 2; ++f) {
    must(nc_inq_var(files[f], variable, name[f], &type[f], &ndims[f], ids[f], NULL), "variable");
  }
  if (strcmp(name[0], name[1]) != 0) differ("variable %d is %s, not %s", variable, name[0], name[1]);
  if (type[0] != type[1]) differ("%s is of type %d, not %d", name[1], type[0], type[1]);
  if (ndims[0] != ndims[1] || memcmp(ids[0], ids[1], (size_t)ndims[0] * sizeof ids[0][0]) != 0) {
    differ("%s has other dimensions", name[1]);
  }
  compare_attributes(variable);
  if (differences == 0) compare_values(variable, name[1], unknown);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  FILE* unknown = fopen(argv[3], "r");
  if (unknown == NULL) return 2;
  for (int f = 0; f < 2; ++f) must(nc_open(argv[f + 1], NC_NOWRITE, &files[f]), argv[f + 1]);
  compare_formats();
  compare_dimensions();
  compare_attributes(NC_GLOBAL);
  const int n = compare_counts(nc_inq_nvars, "variables");
  for (int v = 0; v < n; ++v) compare_variable(v, unknown);
  for (int f = 0; f < 2; ++f) nc_close(files[f]);
  fclose(unknown);
  return differences == 0 ? 0 : 1;
}
