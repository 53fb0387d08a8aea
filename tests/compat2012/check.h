/* Checks of the test clients: a failed check is told with its place and values, counted, and makes the job's
 * exit code 1. One thread. finish() is Collective over MPI_COMM_WORLD, expect_same() over the communicator
 * given. */
#pragma once

#include <mpi.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

extern int world_rank;
extern int world_size;

/* MPI_Init and the two numbers above. */
void begin(int* argc, char*** argv);

/* Agrees on whether anything failed and ends MPI; the exit code. */
int finish(void);

/* Ends MPI without waiting for others before; this rank's own exit code. */
int finish_alone(void);

void complain(const char* file, int line, const char* what, long long want, long long got);

/* Collective: the ranks of `comm` have the same code. */
void expect_same(const char* file, int line, const char* what, int code, MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#define EXPECT_OF(what, expected, expression)                                      \
  do {                                                                             \
    const long long want_ = (long long)(expected), got_ = (long long)(expression); \
    if (want_ != got_) complain(__FILE__, __LINE__, what, want_, got_);            \
  } while (0)

#define EXPECT(expected, expression) EXPECT_OF(#expression, expected, expression)

#define EXPECT_TRUE(condition)                                        \
  do {                                                                \
    if (!(condition)) complain(__FILE__, __LINE__, #condition, 1, 0); \
  } while (0)

#define EXPECT_LESS(value, limit)                                                        \
  do {                                                                                   \
    const long long got_ = (long long)(value), limit_ = (long long)(limit);              \
    if (got_ >= limit_) complain(__FILE__, __LINE__, #value " < " #limit, limit_, got_); \
  } while (0)
