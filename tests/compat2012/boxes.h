/* Which elements a rank holds in the tests of the patterns, and their values; oracles/patterns.py has the
 * same rules. One thread, no communication. */
#pragma once

#include "values.h"

enum { k_box_dims = 4, k_box_bytes = 1 << 16 };

typedef struct Box {
  int ndims;
  int dims[k_box_dims]; /* of the whole array */
  int start[k_box_dims];
  int count[k_box_dims];
} Box;

/* The array of the tests for `ranks` ranks: rows that never divide, then 3, 2, 2. */
static inline Box box_whole(int ndims, int ranks) {
  Box box = {ndims, {2 * ranks + 3, 3, 2, 2}, {0, 0, 0, 0}, {2 * ranks + 3, 3, 2, 2}};
  return box;
}

static inline int64_t box_size(const Box* box) {
  int64_t size = 1;
  for (int d = 0; d < box->ndims; ++d) size *= box->count[d];
  return size;
}

/* The global index of the box's element `at`. */
static inline int64_t box_index(const Box* box, int64_t at) {
  int64_t index = 0, stride = 1;
  for (int d = box->ndims - 1; d >= 0; --d) {
    index += (box->start[d] + at % box->count[d]) * stride;
    at /= box->count[d];
    stride *= box->dims[d];
  }
  return index;
}

static inline void box_fill(const Box* box, int type, void* buffer, int64_t seed) {
  for (int64_t at = 0; at < box_size(box); ++at) value_store(type, buffer, at, box_index(box, at), seed);
}

/* How many elements of the buffer are wrong. */
static inline int64_t box_wrong(const Box* box, int type, const void* buffer, int64_t seed) {
  int64_t wrong = 0;
  for (int64_t at = 0; at < box_size(box); ++at)
    wrong += !value_is(type, buffer, at, box_index(box, at), seed);
  return wrong;
}

/* Equal shares of the rows, the remainder one each to the first ranks. */
static inline Box box_uniform(Box box, int rank, int ranks) {
  const int share = box.dims[0] / ranks, rest = box.dims[0] % ranks;
  box.start[0] = rank * share + (rank < rest ? rank : rest);
  box.count[0] = share + (rank < rest);
  return box;
}

/* Rows in rank order, some ranks without any, the last rows of the array left over. */
static inline Box box_nonuniform(Box box, int rank) {
  static const int rows[3] = {3, 0, 2};
  box.start[0] = 0;
  for (int r = 0; r < rank; ++r) box.start[0] += rows[r % 3];
  box.count[0] = rows[rank % 3];
  return box;
}

/* Blocks that overlap in rows and columns, the rows in the order of the ranks or against it. */
static inline Box box_overlapping(Box box, int rank, int ranks, int backwards) {
  box.start[0] = 2 * (backwards ? ranks - 1 - rank : rank);
  box.count[0] = 5;
  if (box.ndims > 1) {
    box.start[1] = rank % 2;
    box.count[1] = 2;
  }
  return box;
}

/* An element in turn, some also to the next rank, the first of a rank twice, some to nobody; every sixth
 * entry a hole. Returns the length. */
static inline int64_t list_to_write(int64_t total, int rank, int ranks, int64_t* list) {
  int64_t n = 0, first = -1;
  for (int64_t i = 0; i < total; ++i) {
    const int owner = (int)(i % ranks), other = i % 4 == 0 ? (owner + 1) % ranks : owner;
    if (i % 11 == 10 || (rank != owner && rank != other)) continue;
    if (first < 0) first = i;
    if (n % 6 == 5) list[n++] = -1;
    list[n++] = i;
  }
  if (first >= 0) list[n++] = first;
  return n;
}

/* Every element, in another order on each rank, every seventh entry a hole, the last ones once more; rank 1
 * nothing. */
static inline int64_t list_to_read(int64_t total, int rank, int64_t* list) {
  int64_t n = 0;
  if (rank == 1) return 0;
  for (int64_t i = 0; i < total + 3; ++i) {
    if (n % 7 == 6) list[n++] = -1;
    list[n++] = (i * (total - 1) + rank) % total;
  }
  return n;
}
