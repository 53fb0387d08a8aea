// The same workloads by parallel HDF5: every rank opens the file and writes (reads) its part, collectively or
// independently. Collective over MPI_COMM_WORLD.
#include <hdf5.h>
#include <mpi.h>

#include <stdexcept>
#include <vector>

#include "common/arguments.h"
#include "common/block_job.h"
#include "common/stopwatch.h"
#include "common/workload.h"
#include "peers/hdf5_calls.h"
#include "peers/hints.h"

namespace {

using bench::checked;
using bench::memory_type;

void move_variable(hid_t file, const bench::Variable& variable, const bench::HyperslabPair& selection,
                   hid_t transfer, void* data, bool read) {
  const hid_t type = memory_type(variable.type);
  const hid_t dataset = read ? H5Dopen2(file, variable.name.c_str(), H5P_DEFAULT)
                             : H5Dcreate2(file, variable.name.c_str(), type, selection.file, H5P_DEFAULT,
                                          H5P_DEFAULT, H5P_DEFAULT);
  checked(dataset, read ? "H5Dopen2" : "H5Dcreate2");
  if (read) {
    checked(H5Dread(dataset, type, selection.memory, selection.file, transfer, data), "H5Dread");
  } else {
    checked(H5Dwrite(dataset, type, selection.memory, selection.file, transfer, data), "H5Dwrite");
  }
  checked(H5Dclose(dataset), "H5Dclose");
}

void run(const bench::Arguments& arguments) {
  if (arguments.mode == "nonblocking") throw std::invalid_argument("parallel HDF5 has no nonblocking mode");
  bench::BlockJob job(arguments);
  const bench::Workload& workload = job.workload;
  if (!arguments.read) job.buffers.fill_all();
  checked(H5open(), "H5open");
  const bench::Hints hints(arguments);

  bench::Stopwatch watch;
  const hid_t file = bench::open_hdf5(arguments.file, arguments.read, arguments.tuned, hints.info());
  watch.lap("open");
  const hid_t transfer = bench::transfer_list(arguments.mode == "collective");
  {
    const bench::HyperslabPair selection(workload.dims, job.box);
    for (size_t v = 0; v < workload.variables.size(); ++v) {
      move_variable(file, workload.variables[v], selection, transfer, job.buffers.data(v), arguments.read);
    }
  }
  H5Pclose(transfer);
  watch.lap(arguments.read ? "read" : "write");
  checked(H5Fclose(file), "H5Fclose");
  watch.lap("close");

  job.print(arguments, {.total_s = watch.stop_s(), .phases_s = watch.phases_s()});
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
