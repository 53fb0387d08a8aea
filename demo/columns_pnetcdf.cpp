// The job of columns.h by PnetCDF as the E3SM I/O benchmark does it: one ncmpi_iput_varn a variable with all
// runs of the rank, neighbours joined, and one wait for all. Collective over MPI_COMM_WORLD.
#include <mpi.h>
#include <pnetcdf.h>

#include <string>
#include <vector>

#include "columns.h"
#include "columns_define.h"
#include "common/arguments.h"
#include "common/stopwatch.h"
#include "job.h"
#include "peers/hints.h"
#include "peers/pnetcdf_calls.h"

namespace {

using bench::check_pnetcdf;

// Runs of neighbouring elements, as starts and counts of (time, lev, ncol) or (time, ncol).
class Runs {
 public:
  Runs(const std::vector<int64_t>& elements, bool deep) {
    for (size_t i = 0; i < elements.size(); ++i) {
      const bool joined = i > 0 && elements[i] == elements[i - 1] + 1 && elements[i] % demo::k_columns != 0;
      if (joined) {
        ++counts_.back().back();
        continue;
      }
      const MPI_Offset column = elements[i] % demo::k_columns;
      const MPI_Offset level = elements[i] / demo::k_columns;
      starts_.push_back(deep ? std::vector<MPI_Offset>{0, level, column}
                             : std::vector<MPI_Offset>{0, column});
      counts_.emplace_back(starts_.back().size(), 1);
    }
    for (size_t i = 0; i < starts_.size(); ++i) {
      start_rows_.push_back(starts_[i].data());
      count_rows_.push_back(counts_[i].data());
    }
  }
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  int size() const { return static_cast<int>(starts_.size()); }
  MPI_Offset* const* starts() const { return start_rows_.data(); }
  MPI_Offset* const* counts() const { return count_rows_.data(); }

 private:
  std::vector<std::vector<MPI_Offset>> starts_;
  std::vector<std::vector<MPI_Offset>> counts_;
  std::vector<MPI_Offset*> start_rows_;
  std::vector<MPI_Offset*> count_rows_;
};

void post_all(int file, const std::vector<int>& ids, const Runs& flat, const Runs& deep,
              const std::vector<std::vector<float>>& values) {
  for (int v = 0; v < demo::k_variables; ++v) {
    const Runs& runs = demo::is_deep(v) ? deep : flat;
    const std::vector<float>& data = values[static_cast<size_t>(v)];
    int request = NC_REQ_NULL;
    check_pnetcdf(
        ncmpi_iput_varn(file, ids[static_cast<size_t>(v)], runs.size(), runs.starts(), runs.counts(),
                        data.data(), static_cast<MPI_Offset>(data.size()), MPI_FLOAT, &request),
        "ncmpi_iput_varn");
  }
}

void run(const bench::Arguments& arguments) {
  const demo::Place place = demo::my_place();
  const std::vector<int64_t> columns = demo::columns_of(place.rank, place.ranks, arguments.input);
  const std::vector<std::vector<float>> values = demo::values_of(columns);
  const std::vector<int64_t> flat_elements = demo::elements_of(columns, false);
  const std::vector<int64_t> deep_elements = demo::elements_of(columns, true);
  const bench::Hints hints(arguments);

  bench::Stopwatch watch;
  watch.lap("init");
  const Runs flat(flat_elements, false);
  const Runs deep(deep_elements, true);
  watch.lap("decompose");
  int file = -1;
  check_pnetcdf(
      ncmpi_create(MPI_COMM_WORLD, arguments.file.c_str(), NC_CLOBBER | NC_64BIT_DATA, hints.info(), &file),
      "ncmpi_create");
  watch.lap("open");
  const std::vector<int> ids = demo::define_all(file);
  watch.lap("define");
  post_all(file, ids, flat, deep, values);
  check_pnetcdf(ncmpi_wait_all(file, NC_REQ_ALL, nullptr, nullptr), "ncmpi_wait_all");
  watch.lap("write");
  check_pnetcdf(ncmpi_close(file), "ncmpi_close");
  watch.lap("close");
  bench::print_result(arguments, demo::columns_job_bytes(),
                      {.total_s = watch.stop_s(), .phases_s = watch.phases_s()});
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
