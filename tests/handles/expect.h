/* EXPECT(code, call): says what came instead, and counts. */
#ifndef SCORPIO_TESTS_HANDLES_EXPECT_H
#define SCORPIO_TESTS_HANDLES_EXPECT_H

#include <scorpio/scorpio.h>
#include <stdio.h>

static int wrong;

static void expect(int wanted, int got, const char* call, int line) {
  if (wanted == got) return;
  scorpio_error error;
  scorpio_error_last(&error);
  fprintf(stderr, "line %d: %s gave %d (%s), not %d\n", line, call, got, error.text, wanted);
  wrong++;
}

#define EXPECT(wanted, call) expect(wanted, call, #call, __LINE__)
#define GOOD(call) EXPECT(SCORPIO_OK, call)

#endif
