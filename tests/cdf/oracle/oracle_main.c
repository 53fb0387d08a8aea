/* Makes classic netCDF files as a script on standard input says, with the stock library that it is linked to,
 * and answers each `close` with one line: "0", or the library's error number and the line that met it.
 *
 *   hint NAME VALUE                        for the next create
 *   create PATH VERSION | open PATH
 *   dim NAME LENGTH | var NAME TYPE DIMS ID... | att VARIABLE NAME TYPE COUNT VALUES
 *   enddef | enddef H_MINFREE V_ALIGN V_MINFREE R_ALIGN | redef
 *   records VARIABLE DIMS COUNT | write VARIABLE BYTE DIMS COUNT...
 *   close
 *   version                                the library's, as the first number with dots that it tells
 *
 * Names and attribute values (native elements) are hexadecimal, "-" is an empty one. After an error the rest
 * of the file's lines are passed over. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

enum { k_line_bytes = 1 << 20, k_words = 4096, k_hints = 8 };

static char line[k_line_bytes];
static char* words[k_words];
static int word_count;
static char hint_text[k_hints][2][64];
static struct OracleHint hints[k_hints];
static int hint_count;

static long long number(int word) { return word < word_count ? atoll(words[word]) : 0; }

/* Decodes hexadecimal in place and ends it with NUL; the number of bytes. */
static size_t decode(char* text) {
  size_t size = strcmp(text, "-") == 0 ? 0 : strlen(text) / 2;
  for (size_t i = 0; i < size; ++i) {
    const char digits[3] = {text[2 * i], text[2 * i + 1], 0};
    text[i] = (char)strtoul(digits, NULL, 16);
  }
  text[size] = 0;
  return size;
}

static int add_hint(void) {
  if (hint_count == k_hints || word_count < 3) return -1;
  for (int i = 0; i < 2; ++i) snprintf(hint_text[hint_count][i], 64, "%s", words[i + 1]);
  hints[hint_count].name = hint_text[hint_count][0];
  hints[hint_count].value = hint_text[hint_count][1];
  ++hint_count;
  return 0;
}

static int create(void) {
  const int error = oracle_create(words[1], (int)number(2), hints, hint_count);
  hint_count = 0;
  return error;
}

static int variable(void) {
  int ids[k_words];
  for (int i = 4; i < word_count; ++i) ids[i - 4] = (int)number(i);
  decode(words[1]);
  return oracle_variable(words[1], (int)number(2), (int)number(3), ids);
}

static int attribute(void) {
  /* Elements of eight bytes must be aligned. */
  static union {
    double alignment;
    char bytes[k_line_bytes];
  } values;
  decode(words[2]);
  const size_t size = decode(words[5]);
  memcpy(values.bytes, words[5], size);
  return oracle_attribute((int)number(1), words[2], (int)number(3), (size_t)number(4), values.bytes);
}

static int end_definitions(void) {
  long long padding[4];
  for (int i = 0; i < 4; ++i) padding[i] = number(i + 1);
  return oracle_end_definitions(word_count == 5 ? padding : NULL);
}

static int write_elements(void) {
  long long counts[k_words];
  for (int i = 4; i < word_count; ++i) counts[i - 4] = number(i);
  return oracle_write((int)number(1), (int)number(3), counts, (int)number(2));
}

/* "PnetCDF 1.12.3" and "4.9.0 of Dec 1 2022" are both known. */
static void print_version(void) {
  const char* text = oracle_version();
  while (*text != 0 && !(text[0] >= '0' && text[0] <= '9')) ++text;
  printf("%.*s\n", (int)strspn(text, "0123456789."), text);
}

static int run(void) {
  const char* verb = words[0];
  if (strcmp(verb, "hint") == 0) return add_hint();
  if (strcmp(verb, "create") == 0) return create();
  if (strcmp(verb, "open") == 0) return oracle_open(words[1]);
  if (strcmp(verb, "dim") == 0) return decode(words[1]), oracle_dimension(words[1], number(2));
  if (strcmp(verb, "var") == 0) return variable();
  if (strcmp(verb, "att") == 0) return attribute();
  if (strcmp(verb, "enddef") == 0) return end_definitions();
  if (strcmp(verb, "redef") == 0) return oracle_redefine();
  if (strcmp(verb, "records") == 0) return oracle_records((int)number(1), (int)number(2), number(3));
  if (strcmp(verb, "write") == 0) return write_elements();
  return -1;
}

static void split(void) {
  word_count = 0;
  for (char* word = strtok(line, " \n"); word != NULL && word_count < k_words; word = strtok(NULL, " \n")) {
    words[word_count++] = word;
  }
}

int main(int argc, char** argv) {
  if (oracle_begin(&argc, &argv) != 0) return 1;
  int error = 0;
  long number_of_line = 0;
  long error_line = 0;
  while (fgets(line, sizeof line, stdin) != NULL) {
    ++number_of_line;
    split();
    if (word_count == 0) continue;
    if (strcmp(words[0], "version") == 0) {
      print_version();
    } else if (strcmp(words[0], "close") == 0) {
      const int closed = oracle_close();
      if (error == 0 && closed != 0) error = closed, error_line = number_of_line;
      if (error == 0) puts("0");
      if (error != 0) printf("%d line %ld\n", error, error_line);
      error = 0;
    } else if (error == 0) {
      error = run();
      if (error != 0) error_line = number_of_line;
    }
  }
  return oracle_end();
}
