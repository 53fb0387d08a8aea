/* by_scorpio FILE 1|2|5 0|1: the workload through SCORPIO; rank (variable + record) mod ranks posts a slab.
 */
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>

#include "workload.h"

static scorpio_file* file;
static int rank, ranks;

static void must(int code) {
  if (code == SCORPIO_OK) return;
  scorpio_error error;
  scorpio_error_last(&error);
  fprintf(stderr, "%s\n", error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static scorpio_type type_of(int type) {
  switch (type) {
    case k_byte:
      return SCORPIO_INT8;
    case k_char:
      return SCORPIO_TEXT;
    case k_short:
      return SCORPIO_INT16;
    case k_int:
      return SCORPIO_INT32;
    case k_float:
      return SCORPIO_FLOAT32;
    case k_double:
      return SCORPIO_FLOAT64;
    case k_ubyte:
      return SCORPIO_UINT8;
    default:
      return SCORPIO_UINT64;
  }
}

int make_dimension(const char* name, long long length) {
  int id = -1;
  must(scorpio_dimension_define(file, name, length, &id));
  return id;
}

int make_variable(const char* name, int type, int ndims, const int* dims) {
  int id = -1;
  must(scorpio_variable_define_on(file, name, type_of(type), ndims, dims, &id));
  return id;
}

void make_text(int variable, const char* name, const char* value) {
  must(scorpio_attribute_put_text(file, variable, name, value)); /* -1, the file, is SCORPIO_GLOBAL, too */
}

void make_ints(int variable, const char* name, int n, const int* values) {
  must(scorpio_attribute_put_values(file, variable, name, SCORPIO_INT32, n, values));
}

void begin_definitions(void) { must(scorpio_define_begin(file)); }
void end_definitions(void) { must(scorpio_define_end(file)); }

void write_slab(int variable, long long record) {
  int ndims = 0;
  int64_t start[8] = {0}, count[8];
  scorpio_type type = SCORPIO_INT8;
  must(scorpio_variable_inquire(file, variable, &type, NULL, &ndims, count, 8));
  if (record >= 0) {
    start[0] = record;
    count[0] = 1;
  }
  int elements = 1;
  for (int d = 0; d < ndims; ++d) elements *= (int)count[d];
  char text[k_most];
  int numbers[k_most];
  for (int i = 0; i < elements; ++i) {
    numbers[i] = datum(variable, record, i);
    text[i] = (char)numbers[i];
  }
  const int is_text = type == SCORPIO_TEXT;
  const scorpio_access access = {.variable = variable,
                                 .n = 1,
                                 .start = start,
                                 .count = count,
                                 .type = is_text ? SCORPIO_TEXT : SCORPIO_INT32,
                                 .data = is_text ? (void*)text : (void*)numbers};
  if ((variable + record + 1) % ranks == rank) must(scorpio_iput(file, &access, NULL));
  must(scorpio_wait(file, SCORPIO_ALL_REQUESTS, NULL, NULL));
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  scorpio_options* options = NULL;
  scorpio_iosystem* system = NULL;
  char format[8];
  snprintf(format, sizeof format, "cdf%s", argv[2]);
  must(scorpio_options_create(&options));
  must(scorpio_options_set(options, "format", format));
  must(scorpio_options_set(options, "block_bytes", "512"));
  must(scorpio_iosystem_create(MPI_COMM_WORLD, options, &system));
  must(scorpio_file_create(system, argv[1], SCORPIO_FORMAT_DEFAULT, NULL, &file));
  work(atoi(argv[2]), atoi(argv[3]));
  must(scorpio_file_close(file));
  must(scorpio_iosystem_free(system));
  must(scorpio_options_free(options));
  MPI_Finalize();
  return 0;
}
