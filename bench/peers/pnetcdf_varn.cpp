// Scattered arrays by PnetCDF as the E3SM I/O benchmark does it: one ncmpi_iput_varn (iget_varn) a variable
// with all runs of the rank, and one wait for all. The time is that of the file; the runs are made before
// (phase decompose). Collective over MPI_COMM_WORLD.
#include <mpi.h>
#include <pnetcdf.h>

#include <memory>
#include <vector>

#include "common/stopwatch.h"
#include "common/world.h"
#include "peers/hints.h"
#include "peers/pnetcdf_scattered.h"

namespace {

using bench::check_pnetcdf;
using bench::Scattered;

// Runs as starts and counts of (time, dims...).
class VarnRuns {
 public:
  VarnRuns(const std::vector<int64_t>& dims, const std::vector<bench::Run>& data,
           const std::vector<bench::Run>& fill) {
    for (const auto* runs : {&data, &fill}) {
      for (const bench::Run& run : *runs) add(dims, run);
      elements_ += bench::elements_of(*runs);
    }
    for (size_t i = 0; i < starts_.size(); i += dims.size() + 1) {
      start_rows_.push_back(starts_.data() + i);
      count_rows_.push_back(counts_.data() + i);
    }
  }
  VarnRuns(const VarnRuns&) = delete;
  VarnRuns& operator=(const VarnRuns&) = delete;

  int size() const { return static_cast<int>(start_rows_.size()); }
  MPI_Offset elements() const { return elements_; }
  MPI_Offset* const* starts() const { return start_rows_.data(); }
  MPI_Offset* const* counts() const { return count_rows_.data(); }

 private:
  void add(const std::vector<int64_t>& dims, const bench::Run& run) {
    const size_t first = starts_.size();
    starts_.resize(first + dims.size() + 1, 0);
    counts_.resize(first + dims.size() + 1, 1);
    int64_t rest = run.start;
    for (size_t d = dims.size(); d-- > 0; rest /= dims[d]) starts_[first + 1 + d] = rest % dims[d];
    counts_.back() = run.count;
  }

  std::vector<MPI_Offset> starts_;  // [runs][dims + 1]
  std::vector<MPI_Offset> counts_;
  std::vector<MPI_Offset*> start_rows_;
  std::vector<MPI_Offset*> count_rows_;
  MPI_Offset elements_ = 0;
};

using AllRuns = std::vector<std::unique_ptr<VarnRuns>>;

// Elements that no rank holds are written by the ranks that the map gives them to, and not read.
AllRuns make_runs(const Scattered& job, bool read) {
  AllRuns runs;
  for (const bench::Division& division : job.divisions)
    runs.push_back(std::make_unique<VarnRuns>(division.dims, division.data,
                                              read ? std::vector<bench::Run>() : division.fill));
  return runs;
}

void move_all(int file, const std::vector<int>& ids, const Scattered& job, const AllRuns& runs,
              bench::ScatteredMemory& memory, bool read) {
  const MPI_Datatype type = bench::element_type(job.type).memory;
  std::vector<int> requests;
  size_t v = 0;
  for (size_t k = 0; k < job.divisions.size(); ++k) {
    const VarnRuns& mine = *runs[k];
    for (int i = 0; i < job.divisions[k].variables; ++i, ++v) {
      if (mine.size() == 0) continue;
      std::byte* const data = memory.data(static_cast<int>(v));
      int request = NC_REQ_NULL;
      check_pnetcdf(read ? ncmpi_iget_varn(file, ids[v], mine.size(), mine.starts(), mine.counts(), data,
                                           mine.elements(), type, &request)
                         : ncmpi_iput_varn(file, ids[v], mine.size(), mine.starts(), mine.counts(), data,
                                           mine.elements(), type, &request),
                    read ? "ncmpi_iget_varn" : "ncmpi_iput_varn");
      requests.push_back(request);
    }
  }
  bench::wait_for_all(file, requests);
}

void run(const bench::Arguments& arguments) {
  const bench::World world;
  const Scattered job = bench::read_scattered(arguments.input, world.rank, world.ranks);
  bench::ScatteredMemory memory(job);
  if (!arguments.read) memory.fill();
  const bench::Hints hints(arguments);

  const bench::Stopwatch before_file;
  const AllRuns runs = make_runs(job, arguments.read);
  const double decompose_s = before_file.stop_s();

  bench::Stopwatch watch;
  const int file = bench::open_scattered(MPI_COMM_WORLD, arguments, hints.info());
  watch.lap("open");
  const std::vector<int> ids =
      arguments.read ? bench::find_scattered(file, job) : bench::define_scattered(file, job);
  watch.lap("define");
  move_all(file, ids, job, runs, memory, arguments.read);
  watch.lap(arguments.read ? "read" : "write");
  check_pnetcdf(ncmpi_close(file), "ncmpi_close");
  watch.lap("close");
  bench::print_scattered(arguments, job, memory, watch, decompose_s);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
