/* Programs that carry out steps from text files, one a line: what they have in common. A program defines
 * carry_out() and calls run_steps(). */
#ifndef SCORPIO_TESTS_READERS_STEPS_H
#define SCORPIO_TESTS_READERS_STEPS_H

#include <mpi.h>
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { k_most_words = 24, k_most_dimensions = 4, k_element_types = 5 };

static scorpio_iosystem* io;
static scorpio_file* file;
static const char* step = "";
static int rank, ranks;

static void must(int code) {
  if (code == SCORPIO_OK) return;
  scorpio_error error;
  scorpio_error_last(&error);
  fprintf(stderr, "%s: %s\n", step, error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static const char* const element_names[k_element_types] = {"i1", "i2", "i4", "f4", "f8"};
static const scorpio_type element_types[k_element_types] = {SCORPIO_INT8, SCORPIO_INT16, SCORPIO_INT32,
                                                            SCORPIO_FLOAT32, SCORPIO_FLOAT64};

/* The index of an element type; ends the program if there is none of this name. */
static int which_type(const char* name) {
  for (int i = 0; i < k_element_types; i++) {
    if (strcmp(name, element_names[i]) == 0) return i;
  }
  fprintf(stderr, "%s: no type: %s\n", step, name);
  MPI_Abort(MPI_COMM_WORLD, 1);
  return 0;
}

/* Defines the fill value `text` of a variable of this type, or the default one for "-". */
static void define_fill(int id, int which, const char* text) {
  const double value = atof(text);
  const signed char i1 = (signed char)value;
  const int16_t i2 = (int16_t)value;
  const int32_t i4 = (int32_t)value;
  const float f4 = (float)value;
  const void* values[k_element_types] = {&i1, &i2, &i4, &f4, &value};
  must(scorpio_variable_fill_define(file, id, 1, strcmp(text, "-") == 0 ? NULL : values[which]));
}

/* Element i of put k. */
static double element(long k, int64_t i) { return (double)((7 * k + i) % 100); }

static void write_out(const char* path, const double* values, int64_t elements) {
  FILE* out = rank == 0 ? fopen(path, "wb") : NULL;
  if (out == NULL) return;
  fwrite(values, sizeof *values, (size_t)elements, out);
  fclose(out);
}

/* Gets all elements of a variable of these extents on all ranks and writes them. */
static void dump_all(int id, const int64_t* dims, int64_t elements, const char* path) {
  const int64_t start[k_most_dimensions] = {0};
  double* values = malloc((size_t)(elements + 1) * sizeof *values);
  const scorpio_access access = scorpio_hyperslab(id, start, dims, SCORPIO_FLOAT64, values);
  must(scorpio_get(file, &access));
  write_out(path, values, elements);
  free(values);
}

/* open PATH | close | sync | dimension NAME LENGTH */
static void carry_out_common(char** words) {
  int id;
  if (strcmp(words[0], "open") == 0) must(scorpio_file_open(io, words[1], SCORPIO_WRITE, NULL, &file));
  if (strcmp(words[0], "close") == 0) must(scorpio_file_close(file));
  if (strcmp(words[0], "sync") == 0) must(scorpio_file_sync(file));
  if (strcmp(words[0], "dimension") == 0) {
    const long length = atol(words[2]);
    must(scorpio_dimension_define(file, words[1], length > 0 ? length : SCORPIO_UNLIMITED, &id));
  }
}

static int split(char* line, char** words) {
  int count = 0;
  for (char* word = strtok(line, " \n"); word != NULL && count < k_most_words; word = strtok(NULL, " \n")) {
    words[count++] = word;
  }
  return count;
}

/* Calls carry_out for each line of the files that the arguments name. `io` exists. */
static void run_steps(int argc, char** argv, void (*carry_out)(char** words, int count)) {
  for (int i = 1; i < argc; i++) {
    FILE* steps = fopen(argv[i], "r");
    char line[1024], said[1200];
    while (steps != NULL && fgets(line, sizeof line, steps) != NULL) {
      char* words[k_most_words];
      snprintf(said, sizeof said, "%s: %s", argv[i], line);
      step = said;
      const int count = split(line, words);
      if (count == 0) continue;
      carry_out_common(words);
      carry_out(words, count);
    }
    if (steps != NULL) fclose(steps);
  }
}

#endif
