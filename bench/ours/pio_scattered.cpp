// Scattered arrays by the PIO interface, as climate models call it: a decomposition for each division, one
// PIOc_write_darray or PIOc_read_darray for each variable. Modes:
//   darray     one sync after all variables
//   sync_each  one after each of them
// Forms: cdf5; netcdf4, and netcdf4z with all variables deflated at level 1 (I/O type NETCDF4P).
// The time is that of the file: a program makes its decompositions once for all its files (phase decompose).
// Collective over MPI_COMM_WORLD.
#include <mpi.h>
#include <pio.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/scattered.h"

namespace {

using bench::Division;
using bench::Scattered;
using bench::ScatteredMemory;

void check(int code, const char* call) {
  if (code == PIO_NOERR) return;
  std::array<char, PIO_MAX_NAME + 1> text{};
  PIOc_strerror(code, text.data(), text.size());
  throw std::runtime_error(std::string(call) + ": " + text.data());
}

int make_system(int io_ranks, int ranks) {
  int system = -1;
  check(PIOc_Init_Intracomm(MPI_COMM_WORLD, io_ranks, ranks / io_ranks, 0, PIO_REARR_BOX, &system),
        "PIOc_Init_Intracomm");
  check(PIOc_set_iosystem_error_handling(system, PIO_BCAST_ERROR, nullptr),
        "PIOc_set_iosystem_error_handling");
  return system;
}

int type_of(bench::Type type) { return type == bench::Type::float32 ? PIO_FLOAT : PIO_DOUBLE; }

// Maps count from 1.
std::vector<int> make_decomps(int system, const Scattered& job) {
  std::vector<int> decomps;
  for (const Division& division : job.divisions) {
    std::vector<PIO_Offset> map;
    for (const int64_t index : bench::indices_of(division.data)) map.push_back(index + 1);
    const std::vector<int> dims(division.dims.begin(), division.dims.end());
    decomps.push_back(-1);
    check(
        PIOc_InitDecomp(system, type_of(job.type), static_cast<int>(dims.size()), dims.data(),
                        static_cast<int>(map.size()), map.data(), &decomps.back(), nullptr, nullptr, nullptr),
        "PIOc_InitDecomp");
  }
  return decomps;
}

bool is_netcdf4(const bench::Arguments& arguments) {
  return arguments.form == "netcdf4" || arguments.form == "netcdf4z";
}

int open_file(int system, const bench::Arguments& arguments) {
  int type = is_netcdf4(arguments) ? PIO_IOTYPE_NETCDF4P : PIO_IOTYPE_PNETCDF;
  int file = -1;
  if (arguments.read) {
    check(PIOc_openfile(system, &file, &type, arguments.file.c_str(), PIO_NOWRITE), "PIOc_openfile");
  } else {
    check(PIOc_createfile(system, &file, &type, arguments.file.c_str(), PIO_CLOBBER | PIO_64BIT_DATA),
          "PIOc_createfile");
  }
  return file;
}

int define_dimension(int file, const std::string& name, PIO_Offset length) {
  int id = -1;
  check(PIOc_def_dim(file, name.c_str(), length, &id), "PIOc_def_dim");
  return id;
}

int define_variable(int file, const std::string& name, bench::Type type, const std::vector<int>& dimensions,
                    bool deflated) {
  int id = -1;
  check(PIOc_def_var(file, name.c_str(), type_of(type), static_cast<int>(dimensions.size()),
                     dimensions.data(), &id),
        "PIOc_def_var");
  if (deflated) check(PIOc_def_var_deflate(file, id, 0, 1, 1), "PIOc_def_var_deflate");
  return id;
}

std::vector<int> define_all(int file, const Scattered& job, bool deflated) {
  std::vector<int> ids = bench::define_scattered(
      job, define_dimension(file, "time", PIO_UNLIMITED),
      [&](const std::string& name, int64_t length) { return define_dimension(file, name, length); },
      [&](const std::string& name, const std::vector<int>& dimensions) {
        return define_variable(file, name, job.type, dimensions, deflated);
      });
  check(PIOc_enddef(file), "PIOc_enddef");
  return ids;
}

std::vector<int> find_all(int file, const Scattered& job) {
  std::vector<int> ids;
  for (int v = 0; v < job.variables(); ++v) {
    ids.push_back(-1);
    check(PIOc_inq_varid(file, bench::variable_name(v).c_str(), &ids.back()), "PIOc_inq_varid");
  }
  return ids;
}

const void* fill_value(bench::Type type) {
  static constexpr double k_double = bench::k_fill_value;
  static constexpr float k_float = static_cast<float>(bench::k_fill_value);
  return type == bench::Type::float32 ? static_cast<const void*>(&k_float) : &k_double;
}

struct Mover {
  int file;
  const Scattered& job;
  ScatteredMemory& memory;
  bool read;
  bool sync_each;

  void move(const Division& division, int decomp, int variable, int id) {
    check(PIOc_setframe(file, id, 0), "PIOc_setframe");
    if (read) {
      check(PIOc_read_darray(file, id, decomp, division.local(), memory.data(variable)), "PIOc_read_darray");
      return;
    }
    check(PIOc_write_darray(file, id, decomp, division.local(), memory.data(variable), fill_value(job.type)),
          "PIOc_write_darray");
    if (sync_each) check(PIOc_sync(file), "PIOc_sync");
  }

  void move_all(const std::vector<int>& decomps, const std::vector<int>& ids) {
    int variable = 0;
    for (size_t k = 0; k < job.divisions.size(); ++k) {
      for (int i = 0; i < job.divisions[k].variables; ++i, ++variable)
        move(job.divisions[k], decomps[k], variable, ids[static_cast<size_t>(variable)]);
    }
    if (!read && !sync_each) check(PIOc_sync(file), "PIOc_sync");
  }
};

void run(const bench::Arguments& arguments) {
  if (arguments.mode != "darray" && arguments.mode != "sync_each")
    throw std::invalid_argument("the PIO interface has no mode \"" + arguments.mode +
                                "\"; there are darray, sync_each");
  if (!arguments.form.empty() && arguments.form != "cdf5" && !is_netcdf4(arguments))
    throw std::invalid_argument("the PIO interface has no form \"" + arguments.form +
                                "\"; there are cdf5, netcdf4, netcdf4z");
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Scattered job = bench::read_scattered(arguments.input, rank, ranks);
  ScatteredMemory memory(job);
  if (!arguments.read) memory.fill();
  const int system = make_system(arguments.io_ranks, ranks);
  const bench::Stopwatch before_file;
  const std::vector<int> decomps = make_decomps(system, job);
  const double decompose_s = before_file.stop_s();

  bench::Stopwatch watch;
  const int file = open_file(system, arguments);
  watch.lap("open");
  const std::vector<int> ids =
      arguments.read ? find_all(file, job) : define_all(file, job, arguments.form == "netcdf4z");
  watch.lap("define");
  Mover{file, job, memory, arguments.read, arguments.mode == "sync_each"}.move_all(decomps, ids);
  watch.lap(arguments.read ? "read" : "write");
  check(PIOc_closefile(file), "PIOc_closefile");
  watch.lap("close");

  for (const int decomp : decomps) check(PIOc_freedecomp(system, decomp), "PIOc_freedecomp");
  check(PIOc_finalize(system), "PIOc_finalize");
  bench::print_scattered(arguments, job, memory, watch, decompose_s);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
