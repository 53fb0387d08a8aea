/* Each call with handles that were closed or freed, or that never were any: HANDLE, whatever the call. */
#include <mpi.h>
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "expect.h"

#define GONE(call) EXPECT(SCORPIO_ERR_HANDLE, call)

static const int64_t one = 1, zero = 0, dims[1] = {4};
static double values[4];

static void ask_and_define(scorpio_file* file) {
  int id = 0, kind, flag;
  int64_t number;
  size_t length;
  char text[64];
  double value;
  scorpio_format format;
  scorpio_open_mode mode;
  scorpio_type type;
  scorpio_storage storage;
  GONE(scorpio_file_sync(file));
  GONE(scorpio_file_inquire(file, &format, &mode, &flag));
  GONE(scorpio_file_path(file, text, sizeof text, &length));
  GONE(scorpio_file_hdf5_id(file, &number));
  GONE(scorpio_file_mirror(file));
  GONE(scorpio_file_option(file, "eager", text, sizeof text, &length, NULL));
  GONE(scorpio_file_finish(file));
  GONE(scorpio_object_find(file, "/", &kind, &id));
  GONE(scorpio_file_variables(file, &kind, 1, &id));
  GONE(scorpio_group_path(file, SCORPIO_GLOBAL, text, sizeof text, &length));
  GONE(scorpio_group_count(file, SCORPIO_GLOBAL, &id));
  GONE(scorpio_group_member(file, SCORPIO_GLOBAL, 0, text, sizeof text, &length, &kind, &id));
  GONE(scorpio_link_target(file, "l", text, sizeof text, &length));
  GONE(scorpio_define_begin(file));
  GONE(scorpio_define_end(file));
  GONE(scorpio_definitions_keep(file));
  GONE(scorpio_definitions_undo(file));
  GONE(scorpio_dimension_define(file, "x", 3, &id));
  GONE(scorpio_dimension_find(file, "x", &id));
  GONE(scorpio_dimension_inquire(file, 0, text, sizeof text, &length, &number, &flag));
  GONE(scorpio_dimension_count(file, &id));
  GONE(scorpio_dimension_rename(file, 0, "y"));
  GONE(scorpio_group_define(file, "/g", &id));
  GONE(scorpio_group_find(file, "/g", &id));
  GONE(scorpio_variable_define(file, "w", SCORPIO_FLOAT64, 1, dims, &id));
  GONE(scorpio_variable_define_on(file, "w", SCORPIO_FLOAT64, 0, NULL, &id));
  GONE(scorpio_variable_define_sized(file, "w", SCORPIO_TEXT, 3, 1, dims, &id));
  GONE(scorpio_variable_find(file, "v", &id));
  GONE(scorpio_variable_path(file, 0, text, sizeof text, &length));
  GONE(scorpio_variable_type_describe(file, 0, text, sizeof text, &length));
  GONE(scorpio_attribute_type_describe(file, 0, "a", text, sizeof text, &length));
  GONE(scorpio_variable_inquire(file, 0, &type, &length, &id, &number, 1));
  GONE(scorpio_variable_dimensions(file, 0, &id, 1));
  GONE(scorpio_variable_unlimited(file, 0, &id, 1));
  GONE(scorpio_variable_storage(file, 0, &storage, &number, 1, &kind, 1, &id));
  GONE(scorpio_variable_rename(file, 0, "u"));
  GONE(scorpio_file_fill_set(file, 1, &flag));
  GONE(scorpio_variable_fill_define(file, 0, 1, NULL));
  GONE(scorpio_variable_fill_inquire(file, 0, &flag, &value, sizeof value));
  GONE(scorpio_link_define(file, "l", "v"));
  GONE(scorpio_object_remove(file, "v"));
  GONE(scorpio_attribute_put(file, 0, "a", SCORPIO_FLOAT64, 0, 0, NULL, SCORPIO_FLOAT64, values));
  GONE(scorpio_attribute_put_text(file, 0, "a", "text"));
  GONE(scorpio_attribute_put_values(file, 0, "a", SCORPIO_FLOAT64, 1, values));
  GONE(scorpio_attribute_get_text(file, 0, "a", text, sizeof text, &length));
  GONE(scorpio_attribute_copy(file, 0, "a", file, 1));
  GONE(scorpio_attribute_inquire(file, 0, "a", &type, &length, &id, &number, 1));
  GONE(scorpio_attribute_get(file, 0, "a", SCORPIO_FLOAT64, values, sizeof values));
  GONE(scorpio_attribute_count(file, 0, &id));
  GONE(scorpio_attribute_name(file, 0, 0, text, sizeof text, &length));
  GONE(scorpio_attribute_rename(file, 0, "a", "b"));
  GONE(scorpio_attribute_remove(file, 0, "a"));
}

static void call_with_file(scorpio_file* file, scorpio_decomp* decomp) {
  int flag;
  int64_t number;
  scorpio_request request;
  const scorpio_access accesses[2] = {scorpio_hyperslab(0, &zero, &one, SCORPIO_FLOAT64, values),
                                      scorpio_darray(0, decomp, 0, SCORPIO_FLOAT64, values)};
  ask_and_define(file);
  GONE(scorpio_put_darray(file, 0, decomp, 0, SCORPIO_FLOAT64, values));
  GONE(scorpio_get_darray(file, 0, decomp, 0, SCORPIO_FLOAT64, values));
  GONE(scorpio_explain_darray(file, 0, decomp, 0, NULL, 0, NULL));
  GONE(scorpio_put_scalar(file, 0, SCORPIO_FLOAT64, values));
  GONE(scorpio_get_scalar(file, 0, SCORPIO_FLOAT64, values));
  for (int i = 0; i < 2; i++) {
    GONE(scorpio_put(file, &accesses[i]));
    GONE(scorpio_get(file, &accesses[i]));
    GONE(scorpio_iput(file, &accesses[i], &request));
    GONE(scorpio_iget(file, &accesses[i], &request));
    GONE(scorpio_bput(file, &accesses[i], &request));
  }
  GONE(scorpio_put_n(file, 2, accesses));
  GONE(scorpio_get_n(file, 2, accesses));
  GONE(scorpio_iput_n(file, 2, accesses, NULL));
  GONE(scorpio_iget_n(file, 2, accesses, NULL));
  GONE(scorpio_bput_n(file, 2, accesses, NULL));
  GONE(scorpio_buffer_attach(file, 100));
  GONE(scorpio_buffer_detach(file));
  GONE(scorpio_buffer_inquire(file, &number, &number));
  GONE(scorpio_wait(file, SCORPIO_ALL_REQUESTS, NULL, NULL));
  GONE(scorpio_test(file, SCORPIO_ALL_REQUESTS, NULL, &flag));
  GONE(scorpio_cancel(file, 0, NULL));
  GONE(scorpio_file_close(file));
}

static void call_with_system(scorpio_iosystem* io, const char* path) {
  scorpio_file* file = NULL;
  scorpio_decomp* decomp = NULL;
  int count, mine;
  size_t length;
  uint64_t value;
  char text[64];
  GONE(scorpio_file_create(io, path, SCORPIO_FORMAT_DEFAULT, NULL, &file));
  GONE(scorpio_file_open(io, path, SCORPIO_READ, NULL, &file));
  GONE(scorpio_decomp_block(io, 1, dims, &zero, dims, &decomp));
  GONE(scorpio_decomp_uniform(io, 1, dims, &decomp));
  GONE(scorpio_decomp_rows(io, 1, dims, 1, &decomp));
  GONE(scorpio_decomp_strided(io, 1, dims, &zero, NULL, &one, NULL, &decomp));
  GONE(scorpio_decomp_map(io, 1, dims, 1, &zero, &decomp));
  GONE(scorpio_decomp_memory(io, NULL, 1, dims, NULL, NULL, &decomp));
  GONE(scorpio_iosystem_io_ranks(io, &count, &mine));
  GONE(scorpio_iosystem_describe(io, text, sizeof text, &length));
  GONE(scorpio_iosystem_counter(io, "opens", &value));
  GONE(scorpio_iosystem_option(io, "eager", text, sizeof text, &length, NULL));
  GONE(scorpio_iosystem_message(io, "text"));
  GONE(scorpio_iosystem_reset_counters(io));
  GONE(scorpio_iosystem_wait(io, NULL));
  GONE(scorpio_iosystem_test(io, NULL, &count));
  GONE(scorpio_iosystem_on_completion(io, NULL, NULL));
  GONE(scorpio_progress(io));
  GONE(scorpio_iosystem_reduce_max(io, 1, &value));
  GONE(scorpio_iosystem_free(io));
}

static void call_with_decomp(scorpio_decomp* decomp) {
  int64_t elements;
  size_t length;
  int n;
  char text[64];
  GONE(scorpio_decomp_local_elements(decomp, &elements));
  GONE(scorpio_decomp_inquire(decomp, &n, &elements, 1, NULL));
  GONE(scorpio_decomp_region(decomp, &n, &elements, NULL, 1));
  GONE(scorpio_decomp_index(decomp, 0, 1, &elements));
  GONE(scorpio_decomp_describe(decomp, text, sizeof text, &length));
  GONE(scorpio_decomp_free(decomp));
}

static void call_with_options(scorpio_options* options, scorpio_iosystem* io, const char* path) {
  scorpio_iosystem* other = NULL;
  scorpio_file* file = NULL;
  GONE(scorpio_options_set(options, "format", "hdf5"));
  GONE(scorpio_iosystem_create(MPI_COMM_SELF, options, &other));
  GONE(scorpio_file_create(io, path, SCORPIO_FORMAT_DEFAULT, options, &file));
  GONE(scorpio_file_open(io, path, SCORPIO_READ, options, &file));
  GONE(scorpio_options_free(options));
}

/* Into a file that is open, with a decomposition that is gone. */
static void move_by(scorpio_file* file, int variable, scorpio_decomp* gone) {
  scorpio_request request;
  const scorpio_access access = scorpio_darray(variable, gone, 0, SCORPIO_FLOAT64, values);
  GONE(scorpio_get_darray(file, variable, gone, 0, SCORPIO_FLOAT64, values));
  GONE(scorpio_explain_darray(file, variable, gone, 0, NULL, 0, NULL));
  GONE(scorpio_get(file, &access));
  GONE(scorpio_get_n(file, 1, &access));
  GONE(scorpio_iput(file, &access, &request));
  GONE(scorpio_iget(file, &access, &request));
  GONE(scorpio_bput(file, &access, &request));
  GONE(scorpio_iput_n(file, 1, &access, &request));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char path[64];
  snprintf(path, sizeof path, "/tmp/scorpio-handles-%d.nc", (int)getpid());
  scorpio_iosystem* io = NULL;
  scorpio_file *file = NULL, *previous = NULL;
  scorpio_decomp *decomp = NULL, *freed = NULL;
  scorpio_options* options = NULL;
  int variable = -1;
  GOOD(scorpio_options_create(&options));
  GOOD(scorpio_iosystem_create(MPI_COMM_SELF, options, &io));
  GOOD(scorpio_options_free(options));
  GOOD(scorpio_decomp_uniform(io, 1, dims, &decomp));
  GOOD(scorpio_decomp_uniform(io, 1, dims, &freed));
  GOOD(scorpio_decomp_free(freed));
  call_with_options(options, io, path);
  call_with_decomp(freed);
  /* Also while others are open, which may have come into the place of the old ones. */
  for (int i = 0; i < 50; i++) {
    GOOD(scorpio_file_create(io, path, SCORPIO_FORMAT_DEFAULT, NULL, &file));
    GOOD(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 1, dims, &variable));
    GOOD(scorpio_put_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, values));
    EXPECT(SCORPIO_ERR_STATE, scorpio_iosystem_free(io));
    if (previous != NULL) call_with_file(previous, decomp);
    if (i == 0) move_by(file, variable, freed);
    GOOD(scorpio_file_close(file));
    previous = file;
  }
  call_with_file(previous, decomp);
  call_with_file((scorpio_file*)values, decomp);
  call_with_file((scorpio_file*)io, decomp);
  GOOD(scorpio_iosystem_free(io));
  call_with_system(io, path);
  call_with_file(previous, decomp);
  GOOD(scorpio_decomp_free(decomp)); /* may come after its I/O system */
  call_with_decomp(decomp);
  GOOD(scorpio_file_close(NULL));
  GOOD(scorpio_iosystem_free(NULL));
  GOOD(scorpio_decomp_free(NULL));
  GOOD(scorpio_options_free(NULL));
  unlink(path);
  MPI_Finalize();
  return wrong != 0;
}
