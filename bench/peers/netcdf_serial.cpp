// Workload netcdf4 by netCDF-C on one rank that holds all data, so that nothing is gathered.
#include <mpi.h>
#include <netcdf.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "common/chunked.h"
#include "common/processor_time.h"
#include "common/stopwatch.h"

namespace {

void check(int code, const char* call) {
  if (code != NC_NOERR) throw std::runtime_error(std::string(call) + ": " + nc_strerror(code));
}

std::string name_of(int variable) { return "v" + std::to_string(variable); }

std::vector<int> define(int file, const bench::Chunked& job) {
  std::vector<int> dimensions(job.file_dims().size()), ids(static_cast<size_t>(job.variables));
  const size_t first = job.records > 0 ? 1 : 0;
  if (first > 0) check(nc_def_dim(file, "time", NC_UNLIMITED, dimensions.data()), "nc_def_dim");
  for (size_t d = 0; d < job.dims.size(); ++d) {
    check(nc_def_dim(file, ("d" + std::to_string(d)).c_str(), static_cast<size_t>(job.dims[d]),
                     &dimensions[first + d]),
          "nc_def_dim");
  }
  const std::vector<int64_t> extents = job.file_chunk();
  const std::vector<size_t> chunk(extents.begin(), extents.end());
  const std::string text = "a text of a model";
  for (int v = 0; v < job.variables; ++v) {
    int& id = ids[static_cast<size_t>(v)];
    check(nc_def_var(file, name_of(v).c_str(), NC_FLOAT, static_cast<int>(dimensions.size()),
                     dimensions.data(), &id),
          "nc_def_var");
    check(nc_def_var_chunking(file, id, NC_CHUNKED, chunk.data()), "nc_def_var_chunking");
    for (int i = 0; i < job.attributes; ++i) {
      check(nc_put_att_text(file, id, ("a" + std::to_string(i)).c_str(), text.size(), text.data()),
            "nc_put_att_text");
    }
    for (const bench::ChunkFilter& filter : job.filters) {
      const auto parameter = static_cast<unsigned>(filter.parameter);
      check(nc_def_var_filter(file, id, static_cast<unsigned>(filter.number), 1, &parameter),
            "nc_def_var_filter");
    }
  }
  check(nc_enddef(file), "nc_enddef");
  return ids;
}

void run(const bench::Arguments& arguments) {
  if (arguments.read) throw std::invalid_argument("netCDF-C on one rank only writes");
  const bench::Chunked job = bench::chunked_of(arguments, 1);
  const bench::Box box = bench::block_of(job, 0, 1);
  const auto elements = static_cast<size_t>(box.elements());
  std::vector<float> values(elements * static_cast<size_t>(job.variables));
  for (int v = 0; v < job.variables; ++v)
    bench::fill_field(job, box, v, std::span(values).subspan(elements * static_cast<size_t>(v), elements));
  const double cpu_before = bench::processor_s();
  bench::Stopwatch watch;
  int file = -1;
  check(nc_create(arguments.file.c_str(), NC_NETCDF4, &file), "nc_create");
  const std::vector<int> ids = define(file, job);
  watch.lap("define");
  for (int64_t step = 0; step < job.steps(); ++step) {
    std::vector<size_t> start(job.file_dims().size(), 0), count(box.count.begin(), box.count.end());
    if (job.records > 0) {
      start[0] = static_cast<size_t>(step);
      count.insert(count.begin(), 1);
    }
    for (size_t v = 0; v < ids.size(); ++v) {
      check(nc_put_vara_float(file, ids[v], start.data(), count.data(), values.data() + elements * v),
            "nc_put_vara_float");
    }
  }
  watch.lap("write");
  check(nc_close(file), "nc_close");
  watch.lap("close");
  const double total_s = watch.stop_s();
  auto phases = watch.phases_s();
  phases["cpu"] = bench::processor_s() - cpu_before;
  bench::print_result(arguments, job.bytes(), {.total_s = total_s, .phases_s = std::move(phases)});
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
