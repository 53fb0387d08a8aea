// Short forms of data calls for tests: accesses that are made where they are used. As the calls of the
// library that they make.
#pragma once

#include <cstdint>
#include <vector>

#include "scorpio/scorpio.h"

namespace scorpio::api_test {

// Of rank `root` alone; other ranks may pass anything.
inline int put_of_rank(scorpio_file* file, int root, scorpio_access access) {
  access.sharing = SCORPIO_ONE_RANK;
  access.root = root;
  return scorpio_put(file, &access);
}

// The same on all ranks; the data are those of rank `root`.
inline int put_of_all(scorpio_file* file, scorpio_access access, int root = 0) {
  access.sharing = SCORPIO_ALL_RANKS;
  access.root = root;
  return scorpio_put(file, &access);
}

inline int iput(scorpio_file* file, const scorpio_access& access, scorpio_request* request = nullptr) {
  return scorpio_iput(file, &access, request);
}

inline int iget(scorpio_file* file, const scorpio_access& access, scorpio_request* request = nullptr) {
  return scorpio_iget(file, &access, request);
}

inline int bput(scorpio_file* file, const scorpio_access& access, scorpio_request* request = nullptr) {
  return scorpio_bput(file, &access, request);
}

// n hyperslabs of one variable, whose elements lie one after the other.
inline scorpio_access hyperslabs(int variable, int64_t n, const int64_t* starts, const int64_t* counts,
                                 scorpio_type type, const void* data) {
  scorpio_access access = scorpio_hyperslab(variable, starts, counts, type, data);
  access.n = n;
  return access;
}

// n variables by one decomposition. records, fills [n] or NULL.
inline std::vector<scorpio_access> darrays(int n, const int* variables, scorpio_decomp* decomp,
                                           const int64_t* records, scorpio_type type, const void* const* data,
                                           const void* const* fills = nullptr) {
  std::vector<scorpio_access> accesses;
  for (int i = 0; i < n; ++i) {
    const int64_t record = records == nullptr ? 0 : records[i];
    accesses.push_back(scorpio_darray(variables[i], decomp, record, type, data[i]));
    if (fills != nullptr) accesses.back().fill = fills[i];
  }
  return accesses;
}

inline int put_n(scorpio_file* file, const std::vector<scorpio_access>& accesses) {
  return scorpio_put_n(file, static_cast<int>(accesses.size()), accesses.data());
}

inline int get_n(scorpio_file* file, const std::vector<scorpio_access>& accesses) {
  return scorpio_get_n(file, static_cast<int>(accesses.size()), accesses.data());
}

}  // namespace scorpio::api_test
