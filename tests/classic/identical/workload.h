/* What both writers of the comparison do, given the calls of their library. Element i of record r of variable
 * v is (97 v + 31 r + i) mod 120, so that it fits any type. The second round of definitions makes the header
 * grow, and adds a variable without records and one with, when there are records. */
#pragma once

enum { k_records = 4, k_most = 256 };

/* Types as netCDF numbers them. */
enum { k_byte = 1, k_char, k_short, k_int, k_float, k_double, k_ubyte, k_uint64 = 11 };

int make_dimension(const char* name, long long length); /* -1: unlimited */
int make_variable(const char* name, int type, int ndims, const int* dims);
void make_text(int variable, const char* name, const char* value);
void make_ints(int variable, const char* name, int n, const int* values);
void begin_definitions(void);
void end_definitions(void);
/* All elements of a variable, or of one of its records. */
void write_slab(int variable, long long record);

static int datum(int variable, long long record, int i) {
  return (97 * variable + 31 * (int)record + i) % 120;
}

static void write_records(int first, int end, int begin, int after) {
  for (int v = first; v < end; ++v) {
    for (long long r = begin; r < after; ++r) write_slab(v, r);
  }
}

static void work(int version, int redefine) {
  const int values[] = {3, -1, 1 << 30};
  const int t = make_dimension("time", -1), x = make_dimension("x", 7), y = make_dimension("y", 5);
  const int z = make_dimension("z", 3);
  const int xy[] = {x, y}, tx[] = {t, x}, tyz[] = {t, y, z};
  make_text(-1, "title", "classic");
  make_text(-1,
            "de\xCC\x81"
            "bit",
            "m3 s-1"); /* e and its accent, which are stored as one character */
  make_ints(-1, "levels", 3, values);
  const int fixed[] = {make_variable("a", k_int, 2, xy), make_variable("c", k_char, 1, &y),
                       make_variable("f", k_float, 0, 0)};
  const int first = make_variable("b", k_short, 2, tx);
  make_variable("d", k_double, 1, &t);
  const int last = make_variable("e", version == 5 ? k_ubyte : k_byte, 3, tyz);
  make_text(fixed[0], "units", "K");
  make_ints(last, "range", 2, values);
  end_definitions();
  for (int i = 0; i < 3; ++i) write_slab(fixed[i], -1);
  write_records(first, last + 1, 0, k_records);
  if (!redefine) return;
  begin_definitions();
  static char history[600];
  for (int i = 0; i < 599; ++i) history[i] = (char)('a' + i % 26);
  make_text(-1, "history", history);
  const int w = make_dimension("w", 9), tw[] = {t, w};
  const int more_fixed = make_variable("g", version == 5 ? k_uint64 : k_double, 1, &w);
  const int more_records = make_variable("h", k_short, 2, tw);
  end_definitions();
  write_slab(more_fixed, -1);
  write_records(more_records, more_records + 1, 0, k_records + 1);
  write_records(first, last + 1, k_records, k_records + 1);
}
