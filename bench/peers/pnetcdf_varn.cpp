// Scattered arrays by PnetCDF as the E3SM I/O benchmark does it: one ncmpi_iput_varn (iget_varn) a variable
// with all runs of the rank, and one wait for all (mode varn); or as a loop of independent calls, one
// ncmpi_put_vara (get_vara) for each run of each variable (mode independent). The time is that of the file;
// the runs are made before (phase decompose). Collective over MPI_COMM_WORLD.
#include <mpi.h>
#include <pnetcdf.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
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
  // A run is within one row.
  MPI_Offset elements_of(int run) const {
    return counts_[(static_cast<size_t>(run) + 1) * (counts_.size() / start_rows_.size()) - 1];
  }
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

// The variables of one open file, and where their elements are. Both calls return the number of data calls.
struct OpenFile {
  int file;
  const std::vector<int>& ids;
  const Scattered& job;
  const AllRuns& runs;
  bench::ScatteredMemory& memory;
  bool read;

  uint64_t move_all() const {
    const MPI_Datatype type = bench::element_type(job.type).memory;
    std::vector<int> requests;
    uint64_t calls = 0;
    for_each_variable([&](int id, const VarnRuns& mine, std::byte* data) {
      int request = NC_REQ_NULL;
      check_pnetcdf(read ? ncmpi_iget_varn(file, id, mine.size(), mine.starts(), mine.counts(), data,
                                           mine.elements(), type, &request)
                         : ncmpi_iput_varn(file, id, mine.size(), mine.starts(), mine.counts(), data,
                                           mine.elements(), type, &request),
                    read ? "ncmpi_iget_varn" : "ncmpi_iput_varn");
      requests.push_back(request);
      ++calls;
    });
    bench::wait_for_all(file, requests);
    return calls;
  }

  uint64_t move_run_by_run() const {
    const MPI_Datatype type = bench::element_type(job.type).memory;
    uint64_t calls = 0;
    check_pnetcdf(ncmpi_begin_indep_data(file), "ncmpi_begin_indep_data");
    for_each_variable([&](int id, const VarnRuns& mine, std::byte* data) {
      for (int i = 0; i < mine.size(); ++i, ++calls) {
        const MPI_Offset* const count = mine.counts()[i];
        const MPI_Offset elements = mine.elements_of(i);
        check_pnetcdf(read ? ncmpi_get_vara(file, id, mine.starts()[i], count, data, elements, type)
                           : ncmpi_put_vara(file, id, mine.starts()[i], count, data, elements, type),
                      read ? "ncmpi_get_vara" : "ncmpi_put_vara");
        data += static_cast<size_t>(elements) * bench::bytes_of(job.type);
      }
    });
    check_pnetcdf(ncmpi_end_indep_data(file), "ncmpi_end_indep_data");
    return calls;
  }

  // Of those variables of which this rank has elements: visit(id, runs, memory).
  template <class Visit>
  void for_each_variable(Visit&& visit) const {
    size_t v = 0;
    for (size_t k = 0; k < job.divisions.size(); ++k) {
      for (int i = 0; i < job.divisions[k].variables; ++i, ++v) {
        if (runs[k]->size() > 0) visit(ids[v], *runs[k], memory.data(static_cast<int>(v)));
      }
    }
  }
};

void run(const bench::Arguments& arguments) {
  const bench::World world;
  const Scattered job = bench::read_scattered(arguments.input, world.rank, world.ranks);
  bench::ScatteredMemory memory(job);
  bench::begin_scattered(arguments, memory);
  const bench::Hints hints(arguments);

  const bench::Stopwatch before_file;
  const bool together = arguments.mode != "independent";
  const AllRuns runs = make_runs(job, arguments.read);
  const double decompose_s = before_file.stop_s();

  bench::Stopwatch watch;
  uint64_t calls = 0;
  bench::move_files(arguments, [&](const std::string& path, bool read) {
    const int file = bench::open_scattered(MPI_COMM_WORLD, path, read, hints.info());
    watch.lap("open");
    const std::vector<int> ids = read ? bench::find_scattered(file, job) : bench::define_scattered(file, job);
    watch.lap("define");
    const OpenFile moved{file, ids, job, runs, memory, read};
    calls += together ? moved.move_all() : moved.move_run_by_run();
    watch.lap(read ? "read" : "write");
    check_pnetcdf(ncmpi_close(file), "ncmpi_close");
    watch.lap("close");
  });
  bench::print_scattered(arguments, job, memory, watch, decompose_s,
                         {{"calls", static_cast<int64_t>(bench::sum_over_ranks(calls))}});
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
