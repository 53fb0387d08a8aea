/* stock_netcdf SCRIPT: carries out a script with the netCDF C library alone, in one process. A line each:
 *
 *   create PATH VERSION | close | redef | enddef
 *   dim NAME LENGTH                        -1: unlimited
 *   var NAME TYPE DIMS ID...
 *   att VARIABLE NAME TYPE COUNT VALUES    variable -1: of the file
 *   fill VARIABLE FILLED VALUE             value "-": none is given
 *   rename_dim ID NAME | rename_var ID NAME | rename_att VARIABLE OLD NEW | remove_att VARIABLE NAME
 *   put VARIABLE FIRST COUNT VALUES        elements FIRST ... in C order, records first
 *
 * Names and values (native elements) are hexadecimal, "-" is an empty one. Exit code 0 is success; otherwise
 * the line and the library's text are printed. */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { k_line_bytes = 1 << 24, k_words = 64, k_dims = 32 };

static char line[k_line_bytes];
static char values[k_line_bytes] __attribute__((aligned(16)));
static char* words[k_words];
static int word_count;
static int file = -1;

static long long number(int word) { return word < word_count ? atoll(words[word]) : 0; }

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/* Hexadecimal in place, ended with NUL; the number of bytes. */
static size_t decode(char* text) {
  const size_t size = strcmp(text, "-") == 0 ? 0 : strlen(text) / 2;
  for (size_t i = 0; i < size; ++i) text[i] = (char)(digit(text[2 * i]) * 16 + digit(text[2 * i + 1]));
  text[size] = 0;
  return size;
}

static char* name(int word) {
  decode(words[word]);
  return words[word];
}

static void take_values(int word) {
  const size_t size = decode(words[word]);
  memcpy(values, words[word], size);
}

static int create(void) {
  const long long version = number(2);
  const int mode = version == 5 ? NC_64BIT_DATA : version == 2 ? NC_64BIT_OFFSET : 0;
  int old = 0;
  const int error = nc_create(words[1], NC_CLOBBER | mode, &file);
  return error != NC_NOERR ? error : nc_set_fill(file, NC_FILL, &old);
}

static int variable(void) {
  int ids[k_dims], id = 0;
  for (int i = 4; i < word_count; ++i) ids[i - 4] = (int)number(i);
  return nc_def_var(file, name(1), (int)number(2), (int)number(3), ids, &id);
}

static int attribute(void) {
  take_values(5);
  return nc_put_att(file, (int)number(1), name(2), (int)number(3), (size_t)number(4), values);
}

static int fill(void) {
  const int given = strcmp(words[3], "-") != 0;
  if (given) take_values(3);
  return nc_def_var_fill(file, (int)number(1), number(2) == 0, given ? values : NULL);
}

static int put(void) {
  const int id = (int)number(1);
  const long long first = number(2), count = number(3);
  int ndims = 0, ids[NC_MAX_VAR_DIMS];
  nc_type type = NC_NAT;
  size_t length[k_dims], width = 0, index[k_dims];
  int error = nc_inq_var(file, id, NULL, &type, &ndims, ids, NULL);
  if (error == NC_NOERR) error = nc_inq_type(file, type, NULL, &width);
  for (int d = 0; d < ndims && error == NC_NOERR; ++d) error = nc_inq_dimlen(file, ids[d], &length[d]);
  if (error != NC_NOERR) return error;
  take_values(4);
  for (long long i = 0; i < count && error == NC_NOERR; ++i) {
    long long left = first + i;
    for (int d = ndims - 1; d > 0; --d) {
      index[d] = (size_t)(left % (long long)length[d]);
      left /= (long long)length[d];
    }
    index[0] = (size_t)left;
    error = nc_put_var1(file, id, index, values + (size_t)i * width);
  }
  return error;
}

static int dimension(void) {
  int id = 0;
  return nc_def_dim(file, name(1), number(2) < 0 ? NC_UNLIMITED : (size_t)number(2), &id);
}

static int run(void) {
  const char* verb = words[0];
  const int id = (int)number(1);
  if (strcmp(verb, "create") == 0) return create();
  if (strcmp(verb, "dim") == 0) return dimension();
  if (strcmp(verb, "var") == 0) return variable();
  if (strcmp(verb, "att") == 0) return attribute();
  if (strcmp(verb, "fill") == 0) return fill();
  if (strcmp(verb, "put") == 0) return put();
  if (strcmp(verb, "enddef") == 0) return nc_enddef(file);
  if (strcmp(verb, "redef") == 0) return nc_redef(file);
  if (strcmp(verb, "rename_dim") == 0) return nc_rename_dim(file, id, name(2));
  if (strcmp(verb, "rename_var") == 0) return nc_rename_var(file, id, name(2));
  if (strcmp(verb, "rename_att") == 0) return nc_rename_att(file, id, name(2), name(3));
  if (strcmp(verb, "remove_att") == 0) return nc_del_att(file, id, name(2));
  if (strcmp(verb, "close") == 0) return nc_close(file);
  return NC_EINVAL;
}

int main(int argc, char** argv) {
  FILE* script = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (script == NULL) return 2;
  for (long at = 1; fgets(line, sizeof line, script) != NULL; ++at) {
    char verb[32];
    word_count = 0;
    for (char* word = strtok(line, " \n"); word != NULL && word_count < k_words; word = strtok(NULL, " \n")) {
      words[word_count++] = word;
    }
    if (word_count == 0) continue;
    snprintf(verb, sizeof verb, "%s", words[0]);
    const int error = run();
    if (error == NC_NOERR) continue;
    printf("line %ld (%s): %s\n", at, verb, nc_strerror(error));
    return 1;
  }
  fclose(script);
  return 0;
}
