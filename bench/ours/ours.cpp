// Our side of every workload: SCORPIO's public C API alone. Prints the phases and, summed and as the largest
// of any rank, every counter of the library. Collective over MPI_COMM_WORLD.
#include <mpi.h>

#include <string>

#include "common/arguments.h"
#include "common/block_job.h"
#include "common/buffers.h"
#include "common/scorpio_calls.h"
#include "common/stopwatch.h"
#include "common/workload.h"
#include "scorpio/scorpio.h"

namespace {

using bench::check;
using bench::counters_of;
using bench::make_iosystem;
using bench::type_of;

scorpio_file* open_file(scorpio_iosystem* iosystem, const bench::Arguments& arguments) {
  scorpio_file* file = nullptr;
  const char* name = arguments.file.c_str();
  if (arguments.read || arguments.overwrite) {
    const scorpio_open_mode mode = arguments.read ? SCORPIO_READ : SCORPIO_WRITE;
    check(scorpio_file_open(iosystem, name, mode, nullptr, &file), "scorpio_file_open");
  } else {
    check(scorpio_file_create(iosystem, name, SCORPIO_FORMAT_DEFAULT, nullptr, &file), "scorpio_file_create");
  }
  return file;
}

int variable_id(scorpio_file* file, const bench::Workload& workload, const bench::Variable& variable,
                bool define) {
  int id = -1;
  if (define) {
    check(scorpio_variable_define(file, variable.name.c_str(), type_of(variable.type),
                                  static_cast<int>(workload.dims.size()), workload.dims.data(), &id),
          "scorpio_variable_define");
  } else {
    check(scorpio_variable_find(file, variable.name.c_str(), &id), "scorpio_variable_find");
  }
  return id;
}

// Wrong elements seen on the way: only a reused buffer must be looked at at once.
int64_t move_all(scorpio_file* file, scorpio_decomp* decomp, bench::BlockJob& job,
                 const bench::Arguments& arguments) {
  const bench::Workload& workload = job.workload;
  bench::Buffers& buffers = job.buffers;
  int64_t wrong = 0;
  const bool define = !arguments.read && !arguments.overwrite;
  for (size_t v = 0; v < workload.variables.size(); ++v) {
    const bench::Variable& variable = workload.variables[v];
    const int id = variable_id(file, workload, variable, define);
    if (arguments.read) {
      check(scorpio_get_darray(file, id, decomp, 0, type_of(variable.type), buffers.data(v)),
            "scorpio_get_darray");
      if (arguments.verify && buffers.reused()) wrong += buffers.wrong(v);
    } else {
      if (buffers.reused()) buffers.fill(v);
      check(scorpio_put_darray(file, id, decomp, 0, type_of(variable.type), buffers.data(v)),
            "scorpio_put_darray");
    }
  }
  return wrong;
}

double time_init(const bench::Arguments& arguments, scorpio_iosystem** iosystem) {
  bench::Stopwatch watch;
  *iosystem = make_iosystem(arguments);
  watch.lap("init");
  return watch.stop_s();
}

void run(const bench::Arguments& arguments) {
  bench::BlockJob job(arguments, arguments.reuse_buffer);
  const bench::Workload& workload = job.workload;
  if (!arguments.read && !arguments.reuse_buffer) job.buffers.fill_all();
  scorpio_iosystem* iosystem = nullptr;
  const double init_s = time_init(arguments, &iosystem);

  bench::Stopwatch watch;
  scorpio_file* file = open_file(iosystem, arguments);
  watch.lap("open");
  scorpio_decomp* decomp = nullptr;
  check(scorpio_decomp_block(iosystem, static_cast<int>(workload.dims.size()), workload.dims.data(),
                             job.box.start.data(), job.box.count.data(), &decomp),
        "scorpio_decomp_block");
  watch.lap("decomp");
  const int64_t wrong = move_all(file, decomp, job, arguments);
  watch.lap(arguments.read ? "read" : "write");
  check(scorpio_file_close(file), "scorpio_file_close");
  watch.lap("close");

  bench::Outcome outcome{.total_s = watch.stop_s(), .phases_s = watch.phases_s()};
  outcome.phases_s["init"] = init_s;
  outcome.extra["counters"] = counters_of(iosystem);
  check(scorpio_decomp_free(decomp), "scorpio_decomp_free");
  check(scorpio_iosystem_free(iosystem), "scorpio_iosystem_free");
  if (arguments.read && arguments.verify && job.buffers.reused()) outcome.wrong_elements = wrong;
  job.print(arguments, outcome);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
