// In C++: as part.c, with the C++ library and exceptions of its own.
#include "part.h"

#include <scorpio/scorpio.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(int code) {
  if (code != SCORPIO_OK) throw std::runtime_error("code " + std::to_string(code));
}

bool write_and_read(const std::string& path) {
  int rank = 0, ranks = 0, variable = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::vector<int64_t> dims{ranks, 3};
  std::vector<double> row(3, rank);
  scorpio_iosystem* io = nullptr;
  scorpio_decomp* rows = nullptr;
  scorpio_file* file = nullptr;
  check(scorpio_iosystem_create(MPI_COMM_WORLD, nullptr, &io));
  check(scorpio_decomp_uniform(io, 2, dims.data(), &rows));
  check(scorpio_file_create(io, path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  check(scorpio_variable_define(file, "rows", SCORPIO_FLOAT64, 2, dims.data(), &variable));
  check(scorpio_put_darray(file, variable, rows, 0, SCORPIO_FLOAT64, row.data()));
  check(scorpio_file_close(file));
  row.assign(3, -1);
  check(scorpio_file_open(io, path.c_str(), SCORPIO_READ, nullptr, &file));
  check(scorpio_variable_find(file, "rows", &variable));
  check(scorpio_get_darray(file, variable, rows, 0, SCORPIO_FLOAT64, row.data()));
  check(scorpio_file_close(file));
  check(scorpio_decomp_free(rows));
  check(scorpio_iosystem_free(io));
  return row == std::vector<double>(3, rank);
}

}  // namespace

extern "C" int part_cxx(const char* path) {
  try {
    return write_and_read(path) ? 0 : 1;
  } catch (const std::exception&) {
    return 2;
  }
}
