// The same workloads by PnetCDF (CDF-5): one collective call per variable, or iput (iget) of all and one
// wait_all. Collective over MPI_COMM_WORLD.
#include <mpi.h>
#include <pnetcdf.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "common/arguments.h"
#include "common/block_job.h"
#include "common/stopwatch.h"
#include "common/workload.h"
#include "peers/hints.h"
#include "peers/pnetcdf_calls.h"

namespace {

using bench::element_type;

void check(int status, const char* call) { bench::check_pnetcdf(status, call); }

int create_file(const bench::Arguments& arguments, MPI_Info info) {
  int file = -1;
  check(ncmpi_create(MPI_COMM_WORLD, arguments.file.c_str(), NC_CLOBBER | NC_64BIT_DATA, info, &file),
        "ncmpi_create");
  return file;
}

std::vector<int> define_variables(int file, const bench::Workload& workload) {
  std::vector<int> dims;
  for (size_t d = 0; d < workload.dims.size(); ++d) {
    dims.push_back(-1);
    check(ncmpi_def_dim(file, ("d" + std::to_string(d)).c_str(), workload.dims[d], &dims[d]),
          "ncmpi_def_dim");
  }
  std::vector<int> ids;
  for (const bench::Variable& variable : workload.variables) {
    ids.push_back(-1);
    check(ncmpi_def_var(file, variable.name.c_str(), element_type(variable.type).file,
                        static_cast<int>(dims.size()), dims.data(), &ids.back()),
          "ncmpi_def_var");
  }
  check(ncmpi_enddef(file), "ncmpi_enddef");
  return ids;
}

std::vector<int> find_variables(int file, const bench::Workload& workload) {
  std::vector<int> ids(workload.variables.size(), -1);
  for (size_t v = 0; v < ids.size(); ++v) {
    check(ncmpi_inq_varid(file, workload.variables[v].name.c_str(), &ids[v]), "ncmpi_inq_varid");
  }
  return ids;
}

class Mover {
 public:
  Mover(int file, const bench::Box& box, const bench::Arguments& arguments)
      : file_(file),
        start_(box.start.begin(), box.start.end()),
        count_(box.count.begin(), box.count.end()),
        elements_(box.elements()),
        read_(arguments.read),
        posted_(arguments.mode == "nonblocking") {}

  void move(int id, MPI_Datatype type, void* data) {
    int request = NC_REQ_NULL;
    if (posted_ && read_) {
      check(ncmpi_iget_vara(file_, id, start_.data(), count_.data(), data, elements_, type, &request),
            "ncmpi_iget_vara");
    } else if (posted_) {
      check(ncmpi_iput_vara(file_, id, start_.data(), count_.data(), data, elements_, type, &request),
            "ncmpi_iput_vara");
    } else if (read_) {
      check(ncmpi_get_vara_all(file_, id, start_.data(), count_.data(), data, elements_, type),
            "ncmpi_get_vara_all");
    } else {
      check(ncmpi_put_vara_all(file_, id, start_.data(), count_.data(), data, elements_, type),
            "ncmpi_put_vara_all");
    }
    if (posted_) requests_.push_back(request);
  }

  void finish() {
    if (!posted_) return;
    std::vector<int> statuses(requests_.size());
    check(ncmpi_wait_all(file_, static_cast<int>(requests_.size()), requests_.data(), statuses.data()),
          "ncmpi_wait_all");
    for (const int status : statuses) check(status, "ncmpi_wait_all, a request");
  }

 private:
  int file_;
  std::vector<MPI_Offset> start_;
  std::vector<MPI_Offset> count_;
  MPI_Offset elements_;
  bool read_;
  bool posted_;
  std::vector<int> requests_;
};

void run(const bench::Arguments& arguments) {
  if (arguments.mode == "independent")
    throw std::invalid_argument("PnetCDF is run collective or nonblocking");
  bench::BlockJob job(arguments);
  const bench::Workload& workload = job.workload;
  if (!arguments.read) job.buffers.fill_all();
  const bench::Hints hints(arguments);

  bench::Stopwatch watch;
  int file = -1;
  if (arguments.read) {
    check(ncmpi_open(MPI_COMM_WORLD, arguments.file.c_str(), NC_NOWRITE, hints.info(), &file), "ncmpi_open");
  } else {
    file = create_file(arguments, hints.info());
  }
  watch.lap("open");
  const std::vector<int> ids =
      arguments.read ? find_variables(file, workload) : define_variables(file, workload);
  watch.lap("define");
  Mover mover(file, job.box, arguments);
  for (size_t v = 0; v < ids.size(); ++v) {
    mover.move(ids[v], element_type(workload.variables[v].type).memory, job.buffers.data(v));
  }
  mover.finish();
  watch.lap(arguments.read ? "read" : "write");
  check(ncmpi_close(file), "ncmpi_close");
  watch.lap("close");

  job.print(arguments, {.total_s = watch.stop_s(), .phases_s = watch.phases_s()});
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
