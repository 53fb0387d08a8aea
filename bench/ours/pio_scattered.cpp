// Scattered arrays by the PIO interface, as climate models call it: a decomposition for each division, one
// write_darray or read_darray for each variable. The calls are those of pio_calls.h, in C or in Fortran.
// Modes:
//   darray     one sync after all variables
//   sync_each  one after each of them
// Forms: cdf5; netcdf4, and netcdf4z with all variables deflated at level 1 (I/O type NETCDF4P).
// The time is that of the file: a program makes its decompositions once for all its files (phase decompose).
// Collective over MPI_COMM_WORLD.
#include <mpi.h>
#include <pio.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/scattered.h"
#include "common/world.h"
#include "ours/pio_calls.h"

namespace {

using bench::Division;
using bench::Scattered;
using bench::ScatteredMemory;

int type_of(bench::Type type) { return type == bench::Type::float32 ? PIO_FLOAT : PIO_DOUBLE; }

// Maps count from 1.
std::vector<int> make_decomps(const Scattered& job) {
  std::vector<int> decomps;
  for (const Division& division : job.divisions) {
    std::vector<int64_t> map;
    for (const int64_t index : bench::indices_of(division.data)) map.push_back(index + 1);
    const std::vector<int> dims(division.dims.begin(), division.dims.end());
    calls_initdecomp(type_of(job.type), static_cast<int>(dims.size()), dims.data(),
                     static_cast<int64_t>(map.size()), map.data(), &decomps.emplace_back());
  }
  return decomps;
}

bool is_netcdf4(const bench::Arguments& arguments) {
  return arguments.form == "netcdf4" || arguments.form == "netcdf4z";
}

void open_file(const bench::Arguments& arguments) {
  const int type = is_netcdf4(arguments) ? PIO_IOTYPE_NETCDF4P : PIO_IOTYPE_PNETCDF;
  if (arguments.read) {
    calls_open(type, arguments.file.c_str());
  } else {
    calls_create(type, arguments.file.c_str());
  }
}

int define_dimension(const std::string& name, int64_t length) {
  int id = -1;
  calls_def_dim(name.c_str(), length, &id);
  return id;
}

int define_variable(const std::string& name, bench::Type type, const std::vector<int>& dimensions,
                    bool deflated) {
  int id = -1;
  calls_def_var(name.c_str(), type_of(type), static_cast<int>(dimensions.size()), dimensions.data(), &id);
  if (deflated) calls_def_var_deflate(id, 1);
  return id;
}

std::vector<int> define_all(const Scattered& job, bool deflated) {
  std::vector<int> ids =
      bench::define_scattered(job, define_dimension("time", PIO_UNLIMITED), define_dimension,
                              [&](const std::string& name, const std::vector<int>& dimensions) {
                                return define_variable(name, job.type, dimensions, deflated);
                              });
  calls_enddef();
  return ids;
}

std::vector<int> find_all(const Scattered& job) {
  std::vector<int> ids;
  for (int v = 0; v < job.variables(); ++v)
    calls_inq_varid(bench::variable_name(v).c_str(), &ids.emplace_back());
  return ids;
}

struct Mover {
  const Scattered& job;
  ScatteredMemory& memory;
  bool read;
  bool sync_each;

  void move(const Division& division, int decomp, int variable, int id) {
    calls_setframe(id, 0);
    if (read) {
      calls_read_darray(id, decomp, type_of(job.type), division.local(), memory.data(variable));
      return;
    }
    calls_write_darray(id, decomp, type_of(job.type), division.local(), memory.data(variable),
                       bench::k_fill_value);
    if (sync_each) calls_sync();
  }

  void move_all(const std::vector<int>& decomps, const std::vector<int>& ids) {
    int variable = 0;
    for (size_t k = 0; k < job.divisions.size(); ++k) {
      for (int i = 0; i < job.divisions[k].variables; ++i, ++variable)
        move(job.divisions[k], decomps[k], variable, ids[static_cast<size_t>(variable)]);
    }
    if (!read && !sync_each) calls_sync();
  }
};

void check_arguments(const bench::Arguments& arguments) {
  if (arguments.mode != "darray" && arguments.mode != "sync_each")
    throw std::invalid_argument("the PIO interface has no mode \"" + arguments.mode +
                                "\"; there are darray, sync_each");
  if (!arguments.form.empty() && arguments.form != "cdf5" && !is_netcdf4(arguments))
    throw std::invalid_argument("the PIO interface has no form \"" + arguments.form +
                                "\"; there are cdf5, netcdf4, netcdf4z");
}

void run(const bench::Arguments& arguments) {
  check_arguments(arguments);
  const bench::World world;
  const Scattered job = bench::read_scattered(arguments.input, world.rank, world.ranks);
  ScatteredMemory memory(job);
  if (!arguments.read) memory.fill();
  calls_start(MPI_Comm_c2f(MPI_COMM_WORLD), world.rank, arguments.io_ranks, world.ranks / arguments.io_ranks);
  const bench::Stopwatch before_file;
  const std::vector<int> decomps = make_decomps(job);
  const double decompose_s = before_file.stop_s();

  bench::Stopwatch watch;
  open_file(arguments);
  watch.lap("open");
  const std::vector<int> ids = arguments.read ? find_all(job) : define_all(job, arguments.form == "netcdf4z");
  watch.lap("define");
  Mover{job, memory, arguments.read, arguments.mode == "sync_each"}.move_all(decomps, ids);
  watch.lap(arguments.read ? "read" : "write");
  calls_close();
  watch.lap("close");

  for (const int decomp : decomps) calls_freedecomp(decomp);
  calls_finalize();
  bench::print_scattered(arguments, job, memory, watch, decompose_s);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
