/* growing MODE FILE [RULE RANK [OTHERS]]: the file has float64 a(x), int16 b(t, y) with k_records records,
 * and, in its new form, a long attribute, int32 c(y), filled, and int64 d(t), so that all data move.
 *
 *   make    the old form
 *   grow    from the old to the new form, with the storage faults of RULE on rank RANK
 *   post    as grow, and one wait for records k_records ... 2 k_records of b, of all ranks
 *   change  as grow, and then the long attribute is replaced in its place
 *   append  records k_records ... 2 k_records of b, one after the other, with a sync after each
 *   check   opens the file and compares a and b; the long attribute, if there, must be all old or all new
 *
 * The storage faults of other ranks are those of OTHERS. Exit code: 0 all went well, 3 the library reported a
 * failure, 4 wrong data. */
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { k_x = 6000, k_y = 999, k_records = 5, k_text = 4000 };

static scorpio_iosystem* iosystem;
static scorpio_file* file;
static int rank, ranks;

static int failed(const char* what, int code) {
  if (code == SCORPIO_OK) return 0;
  scorpio_error error;
  scorpio_error_last(&error);
  printf("[%d] failed: %s: %s (%d, rank %d)\n", rank, what, error.text, code, error.origin_rank);
  fflush(stdout);
  return 1;
}

static int make_system(const char* rule) {
  scorpio_options* options = NULL;
  scorpio_options_create(&options);
  scorpio_options_set(options, "format", "cdf5");
  scorpio_options_set(options, "store_faults", rule);
  const int code = scorpio_iosystem_create(MPI_COMM_WORLD, options, &iosystem);
  scorpio_options_free(options);
  return failed("I/O system", code);
}

static double of_a(int64_t i) { return 1.5 * (double)i; }
static int16_t of_b(int64_t record, int64_t i) { return (int16_t)(record * 1000 + i); }

/* Record r of b, whole, by rank r mod ranks. */
static int post_records(int64_t first, int64_t end) {
  static int16_t data[k_records + 1][k_y];
  for (int64_t r = first; r < end; ++r) {
    const int64_t start[] = {r, 0}, count[] = {1, k_y};
    for (int64_t i = 0; i < k_y; ++i) data[r - first][i] = of_b(r, i);
    const scorpio_access access = {.variable = 1,
                                   .n = 1,
                                   .start = start,
                                   .count = count,
                                   .type = SCORPIO_INT16,
                                   .data = data[r - first]};
    if (r % ranks == rank && failed("iput", scorpio_iput(file, &access, NULL))) return 1;
  }
  return failed("wait", scorpio_wait(file, SCORPIO_ALL_REQUESTS, NULL, NULL));
}

static int make(const char* path) {
  int x = 0, t = 0, y = 0, a = 0, b = 0;
  const int64_t extent = k_x;
  int64_t elements = 0;
  scorpio_decomp* decomp = NULL;
  if (failed("create", scorpio_file_create(iosystem, path, SCORPIO_FORMAT_DEFAULT, NULL, &file))) return 1;
  scorpio_dimension_define(file, "x", k_x, &x);
  scorpio_dimension_define(file, "t", SCORPIO_UNLIMITED, &t);
  scorpio_dimension_define(file, "y", k_y, &y);
  const int ty[] = {t, y};
  scorpio_variable_define_on(file, "a", SCORPIO_FLOAT64, 1, &x, &a);
  scorpio_variable_define_on(file, "b", SCORPIO_INT16, 2, ty, &b);
  int bad = failed("define_end", scorpio_define_end(file));
  bad |= failed("decomposition", scorpio_decomp_uniform(iosystem, 1, &extent, &decomp));
  scorpio_decomp_local_elements(decomp, &elements);
  const int64_t share = k_x / ranks, more = k_x % ranks, first = rank * share + (rank < more ? rank : more);
  double* data = malloc((size_t)(elements + 1) * sizeof *data);
  for (int64_t i = 0; i < elements; ++i) data[i] = of_a(first + i);
  bad |= failed("put", scorpio_put_darray(file, a, decomp, 0, SCORPIO_FLOAT64, data));
  free(data);
  scorpio_decomp_free(decomp);
  bad |= post_records(0, k_records);
  return failed("close", scorpio_file_close(file)) | bad;
}

static int grow(const char* path, int post, int change) {
  static char text[k_text];
  int t = 0, y = 0, c = 0, d = 0, bad = 0;
  memset(text, 'h', sizeof text);
  if (failed("open", scorpio_file_open(iosystem, path, SCORPIO_WRITE, NULL, &file))) return 1;
  bad |= failed("define_begin", scorpio_define_begin(file));
  scorpio_dimension_find(file, "t", &t);
  scorpio_dimension_find(file, "y", &y);
  (void)scorpio_attribute_put(file, SCORPIO_GLOBAL, "history", SCORPIO_TEXT, sizeof text, 0, NULL,
                              SCORPIO_TEXT, text);
  (void)scorpio_variable_define_on(file, "c", SCORPIO_INT32, 1, &y, &c);
  (void)scorpio_variable_fill_define(file, c, 1, NULL);
  (void)scorpio_variable_define_on(file, "d", SCORPIO_INT64, 1, &t, &d);
  bad |= failed("define_end", scorpio_define_end(file));
  if (post && !bad) bad |= post_records(k_records, 2 * k_records);
  if (change && !bad) {
    bad |= failed("sync", scorpio_file_sync(file));
    memset(text, 'i', sizeof text);
    bad |= failed("attribute", scorpio_attribute_put(file, SCORPIO_GLOBAL, "history", SCORPIO_TEXT,
                                                     sizeof text, 0, NULL, SCORPIO_TEXT, text));
  }
  return failed("close", scorpio_file_close(file)) | bad;
}

/* The program computes after each sync. */
static int append(const char* path) {
  int bad = failed("open", scorpio_file_open(iosystem, path, SCORPIO_WRITE, NULL, &file));
  for (int r = k_records; r < 2 * k_records && !bad; ++r) {
    bad = post_records(r, r + 1) || failed("sync", scorpio_file_sync(file));
    for (const double end = MPI_Wtime() + 0.03; MPI_Wtime() < end;) {
    }
  }
  return failed("close", scorpio_file_close(file)) | bad;
}

/* Of two forms mixed: characters that differ from the first. */
static int mixed_text(void) {
  static char text[k_text];
  int mixed = 0;
  if (scorpio_attribute_get(file, SCORPIO_GLOBAL, "history", SCORPIO_TEXT, text, sizeof text) != SCORPIO_OK)
    return 0;
  for (int i = 0; i < k_text; ++i) mixed += text[i] != text[0];
  return mixed;
}

/* 0, 3 or 4 as main. */
static int check(const char* path) {
  static double a[k_x];
  static int16_t b[k_records][k_y];
  int id = 0, wrong = 0;
  if (failed("open", scorpio_file_open(iosystem, path, SCORPIO_READ, NULL, &file))) return 3;
  const int64_t zero[] = {0, 0}, all_a[] = {k_x}, all_b[] = {k_records, k_y};
  if (failed("find", scorpio_variable_find(file, "b", &id))) return 4;
  const scorpio_access accesses[] = {
      {.variable = 0, .n = 1, .start = zero, .count = all_a, .type = SCORPIO_FLOAT64, .data = a},
      {.variable = 1, .n = 1, .start = zero, .count = all_b, .type = SCORPIO_INT16, .data = b}};
  if (failed("get_n", scorpio_get_n(file, 2, accesses))) return 4;
  for (int i = 0; i < k_x; ++i) wrong += a[i] != of_a(i);
  for (int r = 0; r < k_records; ++r) {
    for (int i = 0; i < k_y; ++i) wrong += b[r][i] != of_b(r, i);
  }
  wrong += mixed_text();
  if (wrong > 0) printf("[%d] %d wrong values\n", rank, wrong);
  return failed("close", scorpio_file_close(file)) ? 3 : wrong > 0 ? 4 : 0;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int faulty = argc > 4 && (atoi(argv[4]) == rank || atoi(argv[4]) < 0);
  int code = 3;
  const char* others = argc > 5 ? argv[5] : "";
  if (!make_system(faulty ? argv[3] : others)) {
    if (strcmp(argv[1], "check") == 0) {
      code = check(argv[2]);
    } else {
      const int post = strcmp(argv[1], "post") == 0, change = strcmp(argv[1], "change") == 0;
      const int bad = strcmp(argv[1], "make") == 0     ? make(argv[2])
                      : strcmp(argv[1], "append") == 0 ? append(argv[2])
                                                       : grow(argv[2], post, change);
      code = bad ? 3 : 0;
    }
    if (failed("end of the I/O system", scorpio_iosystem_free(iosystem))) code = 3;
  }
  MPI_Finalize();
  return code;
}
