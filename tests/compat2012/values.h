/* The value of an array's element as a function of its global index and the array's seed; oracles/common.py
 * has the same one. Types are the numbers of datatype_t. One thread, no communication. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { V_INTEGER, V_DOUBLE, V_FLOAT, V_LONG, V_CHAR, V_BYTE, V_TYPES };

static const char* const value_type_names[V_TYPES] = {"integer", "double", "float", "long", "char", "byte"};

static inline size_t value_size(int type) {
  static const size_t sizes[V_TYPES] = {sizeof(int), sizeof(double), sizeof(float), sizeof(long), 1, 1};
  return sizes[type];
}

static inline int64_t value_base(int64_t index, int64_t seed) {
  const int64_t base = (31 * index + 17 * seed) % 30011;
  return base < 0 ? base + 30011 : base;
}

/* Element `at` of the buffer becomes the value of the global `index`. */
static inline void value_store(int type, void* buffer, int64_t at, int64_t index, int64_t seed) {
  const int64_t base = value_base(index, seed);
  switch (type) {
    case V_INTEGER:
      ((int*)buffer)[at] = (int)(base - 15000);
      break;
    case V_DOUBLE:
      ((double*)buffer)[at] = 0.5 * (double)base - 1000.0;
      break;
    case V_FLOAT:
      ((float*)buffer)[at] = (float)(0.5 * (double)base - 1000.0);
      break;
    case V_LONG:
      ((long*)buffer)[at] = (long)((base - 15000) * ((int64_t)1 << 34));
      break;
    default:
      ((char*)buffer)[at] = (char)(base % 127);
  }
}

/* Whether element `at` of the buffer is the value of the global `index`; 0 elements where index < 0. */
static inline int value_is(int type, const void* buffer, int64_t at, int64_t index, int64_t seed) {
  double wanted[1] = {0}; /* room for one element of any type */
  const size_t size = value_size(type);
  if (index >= 0) value_store(type, wanted, 0, index, seed);
  return memcmp((const char*)buffer + (size_t)at * size, wanted, size) == 0;
}

/* Arrays are told apart by their names. */
static inline int64_t value_seed(const char* name) {
  int64_t seed = 0;
  for (; *name != 0; ++name) seed = (seed * 7 + (unsigned char)*name) % 9973;
  return seed;
}
