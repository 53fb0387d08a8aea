#include "program.h"

#include <cstdlib>

namespace scorpio::pio_test {

int rank() {
  int mine = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &mine);
  return mine;
}

int ranks() {
  int all = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  return all;
}

int usual_iotype() {
  const char* const given = std::getenv("PIO_TEST_IOTYPE");
  return given != nullptr ? std::atoi(given) : PIO_IOTYPE_PNETCDF;
}

bool makes_netcdf4() { return usual_iotype() > PIO_IOTYPE_NETCDF; }

Program::Program() : root_(ranks() - 1) {
  EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, root_, PIO_REARR_SUBSET, &system_));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, PIO_BCAST_ERROR, nullptr));
}

Program::~Program() { EXPECT_DONE(PIOc_finalize(system_)); }

int Program::create(const std::string& name, int mode, int iotype) {
  int file = -1;
  EXPECT_DONE(PIOc_createfile(system_, &file, &iotype, path(name).c_str(), mode));
  return file;
}

int Program::open(const std::string& name, int mode) {
  int file = -1;
  int iotype = PIO_IOTYPE_NETCDF;
  EXPECT_DONE(PIOc_openfile(system_, &file, &iotype, path(name).c_str(), mode));
  return file;
}

int Program::dimension(int file, const char* name, PIO_Offset length) {
  int id = -1;
  EXPECT_DONE(PIOc_def_dim(file, name, length, &id));
  return id;
}

int Program::variable(int file, const char* name, nc_type type, const std::vector<int>& dimensions) {
  int id = -1;
  EXPECT_DONE(PIOc_def_var(file, name, type, static_cast<int>(dimensions.size()), dimensions.data(), &id));
  return id;
}

std::vector<PIO_Offset> Program::round_robin(PIO_Offset elements) {
  std::vector<PIO_Offset> map;
  for (PIO_Offset at = rank(); at < elements; at += ranks()) map.push_back(at + 1);
  return map;
}

int Program::decomposition(nc_type type, const std::vector<int>& extents,
                           const std::vector<PIO_Offset>& map) {
  int id = -1;
  EXPECT_DONE(PIOc_InitDecomp(system_, type, static_cast<int>(extents.size()), extents.data(),
                              static_cast<int>(map.size()), map.data(), &id, nullptr, nullptr, nullptr));
  return id;
}

}  // namespace scorpio::pio_test
