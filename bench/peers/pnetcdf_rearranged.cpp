// Scattered arrays by PnetCDF as E3SM's own I/O layer does it: one MPI_Alltoallv takes all values to a few
// I/O ranks, each of which has some rows of every variable then and writes them (reads them before) with
// ncmpi_iput_vara and one wait, on a communicator of their own. The time is that of the file; ranks learn
// before who sends what where (phase decompose). Collective over MPI_COMM_WORLD.
#include <mpi.h>
#include <pnetcdf.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/stopwatch.h"
#include "common/workload.h"
#include "peers/hints.h"
#include "peers/pnetcdf_scattered.h"

namespace {

using bench::check_pnetcdf;
using bench::Division;
using bench::Scattered;
using bench::Share;

struct Place {
  int rank = 0;
  int ranks = 0;
  int io_ranks = 0;

  int rank_of(int writer) const { return writer * ranks / io_ranks; }
  int writer() const {  // this rank's number among the I/O ranks, or -1
    for (int k = 0; k < io_ranks; ++k) {
      if (rank_of(k) == rank) return k;
    }
    return -1;
  }
};

// Rows of the slowest dimension that a writer has.
Share rows_of(const Division& division, const Place& place, int writer) {
  return bench::share_of(division.dims[0], writer, place.io_ranks);
}

int64_t row_elements(const Division& division) { return division.elements() / division.dims[0]; }

// Where the values of a division's variables go: those in `given` of this rank's memory to the ranks; what
// they send to `taken` of the writer's part. [ranks][]
struct Route {
  std::vector<std::vector<int64_t>> given;
  std::vector<std::vector<int64_t>> taken;
};

// What this rank sends to each, and gets from each. [ranks]
struct Counts {
  std::vector<int> sent, sent_at, received, received_at;

  Counts(std::vector<int> to, std::vector<int> from) : sent(std::move(to)), received(std::move(from)) {
    sent_at = sums_before(sent);
    received_at = sums_before(received);
  }
  static std::vector<int> sums_before(const std::vector<int>& counts) {
    std::vector<int> sums;
    int sum = 0;
    for (const int count : counts) {
      sums.push_back(sum);
      sum += count;
    }
    return sums;
  }
  size_t all_sent() const { return static_cast<size_t>(sent.back() + sent_at.back()); }
  size_t all_received() const { return static_cast<size_t>(received.back() + received_at.back()); }
};

// Tells the writers once which places the values have that they will get.
Route make_route(const Division& division, const Place& place) {
  const auto ranks = static_cast<size_t>(place.ranks);
  Route route{std::vector<std::vector<int64_t>>(ranks), std::vector<std::vector<int64_t>>(ranks)};
  std::vector<std::vector<int64_t>> told(ranks);
  const std::vector<int64_t> indices = bench::indices_of(division.data);
  for (int k = 0; k < place.io_ranks; ++k) {
    const Share rows = rows_of(division, place, k);
    const int64_t begin = rows.start * row_elements(division);
    const int64_t end = begin + rows.count * row_elements(division);
    const auto to = static_cast<size_t>(place.rank_of(k));
    for (size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] < begin || indices[i] >= end) continue;
      route.given[to].push_back(static_cast<int64_t>(i));
      told[to].push_back(indices[i] - begin);
    }
  }
  std::vector<int> sent;
  std::vector<int64_t> out;
  for (const auto& places : told) {
    sent.push_back(static_cast<int>(places.size()));
    out.insert(out.end(), places.begin(), places.end());
  }
  std::vector<int> received(ranks);
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, MPI_COMM_WORLD);
  const Counts counts(sent, received);
  std::vector<int64_t> in(counts.all_received());
  MPI_Alltoallv(out.data(), counts.sent.data(), counts.sent_at.data(), MPI_INT64_T, in.data(),
                counts.received.data(), counts.received_at.data(), MPI_INT64_T, MPI_COMM_WORLD);
  for (size_t r = 0; r < ranks; ++r)
    route.taken[r].assign(in.begin() + counts.received_at[r],
                          in.begin() + counts.received_at[r] + received[r]);
  return route;
}

// The writer's part of a variable, and how PnetCDF is told of it.
template <class T>
struct Part {
  std::vector<MPI_Offset> start;
  std::vector<MPI_Offset> count;
  std::vector<T> values;
};

// One exchange and one wait for all variables.
template <class T>
class Job {
 public:
  Job(const Scattered& job, const Place& place, const std::vector<Route>& routes,
      bench::ScatteredMemory& memory)
      : job_(job), place_(place), routes_(routes), memory_(memory) {
    if (place.writer() < 0) return;
    for (const Division& division : job.divisions) {
      const Share rows = rows_of(division, place, place.writer());
      Part<T> part{{0, rows.start}, {1, rows.count}, {}};
      part.start.resize(division.dims.size() + 1, 0);
      part.count.insert(part.count.end(), division.dims.begin() + 1, division.dims.end());
      part.values.assign(static_cast<size_t>(rows.count * row_elements(division)),
                         static_cast<T>(bench::k_fill_value));
      parts_.insert(parts_.end(), static_cast<size_t>(division.variables), part);
    }
  }

  void write(int file, const std::vector<int>& ids) {
    std::vector<T> out = gathered();
    std::vector<T> in(counts_.all_received());
    exchange(out, counts_.sent, counts_.sent_at, in, counts_.received, counts_.received_at);
    if (parts_.empty()) return;
    place_received(in, [](T& value, const T& received) { value = received; });
    move_parts(file, ids, false);
  }

  void read(int file, const std::vector<int>& ids) {
    std::vector<T> out(counts_.all_received());
    if (!parts_.empty()) {
      move_parts(file, ids, true);
      place_received(out, [](const T& value, T& sent) { sent = value; });
    }
    std::vector<T> in(counts_.all_sent());
    exchange(out, counts_.received, counts_.received_at, in, counts_.sent, counts_.sent_at);
    size_t next = 0;
    for_each_given([&](T& value) { value = in[next++]; });
  }

 private:
  static void exchange(const std::vector<T>& out, const std::vector<int>& sent,
                       const std::vector<int>& sent_at, std::vector<T>& in, const std::vector<int>& received,
                       const std::vector<int>& received_at) {
    const MPI_Datatype type = sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
    MPI_Alltoallv(out.data(), sent.data(), sent_at.data(), type, in.data(), received.data(),
                  received_at.data(), type, MPI_COMM_WORLD);
  }

  // Of all variables, to (from) each rank: their values.
  std::vector<int> totals(bool given) const {
    std::vector<int> totals(static_cast<size_t>(place_.ranks), 0);
    for (size_t k = 0; k < routes_.size(); ++k) {
      const auto& places = given ? routes_[k].given : routes_[k].taken;
      for (size_t r = 0; r < totals.size(); ++r)
        totals[r] += job_.divisions[k].variables * static_cast<int>(places[r].size());
    }
    return totals;
  }

  // This rank's values in the order in which they are sent: by writer, then by variable.
  template <class Visit>
  void for_each_given(Visit&& visit) {
    for (size_t r = 0; r < static_cast<size_t>(place_.ranks); ++r) {
      int v = 0;
      for (size_t k = 0; k < routes_.size(); ++k) {
        for (int i = 0; i < job_.divisions[k].variables; ++i, ++v) {
          T* const values = reinterpret_cast<T*>(memory_.data(v));
          for (const int64_t place : routes_[k].given[r]) visit(values[place]);
        }
      }
    }
  }

  std::vector<T> gathered() {
    std::vector<T> out;
    out.reserve(counts_.all_sent());
    for_each_given([&](const T& value) { out.push_back(value); });
    return out;
  }

  // Calls act(value in the writer's part, value in the message) for all of both.
  template <class Act>
  void place_received(std::vector<T>& message, Act&& act) {
    size_t next = 0;
    for (size_t r = 0; r < static_cast<size_t>(place_.ranks); ++r) {
      size_t v = 0;
      for (size_t k = 0; k < routes_.size(); ++k) {
        for (int i = 0; i < job_.divisions[k].variables; ++i, ++v) {
          for (const int64_t place : routes_[k].taken[r])
            act(parts_[v].values[static_cast<size_t>(place)], message[next++]);
        }
      }
    }
  }

  void move_parts(int file, const std::vector<int>& ids, bool read) {
    const MPI_Datatype type = bench::element_type(job_.type).memory;
    std::vector<int> requests;
    for (size_t v = 0; v < parts_.size(); ++v) {
      Part<T>& part = parts_[v];
      if (part.values.empty()) continue;
      const auto n = static_cast<MPI_Offset>(part.values.size());
      int request = NC_REQ_NULL;
      check_pnetcdf(read ? ncmpi_iget_vara(file, ids[v], part.start.data(), part.count.data(),
                                           part.values.data(), n, type, &request)
                         : ncmpi_iput_vara(file, ids[v], part.start.data(), part.count.data(),
                                           part.values.data(), n, type, &request),
                    read ? "ncmpi_iget_vara" : "ncmpi_iput_vara");
      requests.push_back(request);
    }
    bench::wait_for_all(file, requests);
  }

  const Scattered& job_;
  const Place& place_;
  const std::vector<Route>& routes_;
  bench::ScatteredMemory& memory_;
  Counts counts_{totals(true), totals(false)};
  std::vector<Part<T>> parts_;  // [variables] on a writer
};

void run(const bench::Arguments& arguments) {
  Place place;
  MPI_Comm_rank(MPI_COMM_WORLD, &place.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &place.ranks);
  place.io_ranks = std::min(arguments.io_ranks, place.ranks);
  const Scattered scattered = bench::read_scattered(arguments.input, place.rank, place.ranks);
  bench::ScatteredMemory memory(scattered);
  bench::begin_scattered(arguments, memory);
  const bench::Hints hints(arguments);
  const bool writes = place.writer() >= 0;
  MPI_Comm writers = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, writes ? 0 : MPI_UNDEFINED, place.rank, &writers);

  const bench::Stopwatch before_file;
  std::vector<Route> routes;
  for (const Division& division : scattered.divisions) routes.push_back(make_route(division, place));
  const double decompose_s = before_file.stop_s();

  bench::Stopwatch watch;
  bench::move_files(arguments, [&](const std::string& path, bool read) {
    int file = -1;
    std::vector<int> ids;
    if (writes) file = bench::open_scattered(writers, path, read, hints.info());
    watch.lap("open");
    if (writes)
      ids = read ? bench::find_scattered(file, scattered) : bench::define_scattered(file, scattered);
    watch.lap("define");
    bench::with_real_type(scattered.type, [&](auto zero) {
      Job<decltype(zero)> job(scattered, place, routes, memory);
      read ? job.read(file, ids) : job.write(file, ids);
    });
    watch.lap(read ? "read" : "write");
    if (writes) check_pnetcdf(ncmpi_close(file), "ncmpi_close");
    watch.lap("close");
  });
  if (writes) MPI_Comm_free(&writers);
  bench::print_scattered(arguments, scattered, memory, watch, decompose_s);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
