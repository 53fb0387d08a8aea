/* What a stock library does for the oracle program: one file at a time, every function returns the library's
 * own error number (0: fine). Local, one process; not thread-safe. */
#pragma once

#include <stddef.h>

struct OracleHint {
  const char* name;
  const char* value;
};

/* Begins a file of CDF version 1, 2 or 5 without fill; `hints` are for libraries that know MPI hints. */
int oracle_create(const char* path, int version, const struct OracleHint* hints, int hint_count);
int oracle_open(const char* path);
/* `length` 0 is the record dimension. */
int oracle_dimension(const char* name, long long length);
int oracle_variable(const char* name, int type, int dims, const int* dim_ids);
/* `variable` -1 is the file; `values` are native elements. */
int oracle_attribute(int variable, const char* name, int type, size_t count, const void* values);
/* `padding` is null, or h_minfree, v_align, v_minfree, r_align. */
int oracle_end_definitions(const long long* padding);
int oracle_redefine(void);
/* Makes the number of records `records` by writing one element of `variable` in the last one. */
int oracle_records(int variable, int dims, long long records);
/* Writes counts[dims] elements of `variable`, from the first on; every byte of them is `value`. */
int oracle_write(int variable, int dims, const long long* counts, int value);
int oracle_close(void);
/* As the library tells it, with words around the number. */
const char* oracle_version(void);
int oracle_begin(int* argc, char*** argv);
int oracle_end(void);
