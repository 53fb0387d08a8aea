// The 1-d workload through the interface of 2012: nonuniform reads and writes in groups of ranks, as PFLOTRAN
// makes them. Collective over MPI_COMM_WORLD.
#include <mpi.h>
//
#include <scorpio.h>

#include <stdexcept>
#include <string>

#include "common/arguments.h"
#include "common/block_job.h"
#include "common/stopwatch.h"
#include "common/workload.h"

namespace {

void check(int code, const char* call) {
  if (code < 0) throw std::runtime_error(std::string(call) + " returned " + std::to_string(code));
}

datatype_t type_of(bench::Type type) {
  switch (type) {
    case bench::Type::uint8:
      return SCORPIO_BYTE;
    case bench::Type::int32:
      return SCORPIO_INTEGER;
    case bench::Type::float64:
      return SCORPIO_DOUBLE;
    case bench::Type::int8:
    case bench::Type::float32:
      break;
  }
  throw std::runtime_error("an element type that no workload of this interface has");
}

void move_all(int file, iogroup_t& group, bench::BlockJob& job, bool reading) {
  int global = static_cast<int>(job.workload.dims[0]);
  int local = static_cast<int>(job.box.count[0]);
  for (size_t v = 0; v < job.workload.variables.size(); ++v) {
    const bench::Variable& variable = job.workload.variables[v];
    const datatype_t type = type_of(variable.type);
    const char* name = variable.name.c_str();
    if (reading) {
      check(scorpio_read_dataset(job.buffers.data(v), type, 1, &global, &local, file, name, &group,
                                 SCORPIO_NONUNIFORM_CONTIGUOUS_READ),
            "scorpio_read_dataset");
    } else {
      check(scorpio_write_dataset(job.buffers.data(v), type, 1, &global, &local, file, name, &group,
                                  SCORPIO_NONUNIFORM_CONTIGUOUS_WRITE),
            "scorpio_write_dataset");
    }
  }
}

void run(const bench::Arguments& arguments) {
  bench::BlockJob job(arguments);
  if (job.workload.dims.size() != 1) throw std::runtime_error("only 1-d workloads go through this interface");
  if (!arguments.read) job.buffers.fill_all();

  bench::Stopwatch init;
  iogroup_conf_t configuration{};
  configuration.numIOgroups = 0;
  configuration.preferredGroupSize = (job.world.ranks + arguments.io_ranks - 1) / arguments.io_ranks;
  configuration.commIncoming = MPI_COMM_WORLD;
  iogroup_t group;
  check(scorpio_IOgroup_init(&configuration, &group), "scorpio_IOgroup_init");
  init.lap("init");
  const double init_s = init.stop_s();

  bench::Stopwatch watch;
  const file_mode_t mode = arguments.read ? SCORPIO_FILE_READONLY : SCORPIO_FILE_CREATE;
  const int file = scorpio_open_file(arguments.file.c_str(), &group, mode);
  check(file, "scorpio_open_file");
  watch.lap("open");
  move_all(file, group, job, arguments.read);
  watch.lap(arguments.read ? "read" : "write");
  check(scorpio_close_file(file, &group), "scorpio_close_file");
  watch.lap("close");

  bench::Outcome outcome{.total_s = watch.stop_s(), .phases_s = watch.phases_s()};
  outcome.phases_s["init"] = init_s;
  check(scorpio_IOgroup_cleanup(&group), "scorpio_IOgroup_cleanup");
  job.print(arguments, outcome);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
