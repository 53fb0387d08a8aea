// The job of columns.h by PnetCDF as E3SM's own I/O layer does it: one MPI_Alltoallv takes all values to the
// I/O ranks, each of which holds contiguous columns, or levels, of every variable then; those write with
// ncmpi_iput_vara and one wait, on a communicator of their own. Collective over MPI_COMM_WORLD.
#include <mpi.h>
#include <pnetcdf.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "columns.h"
#include "columns_define.h"
#include "common/arguments.h"
#include "common/stopwatch.h"
#include "common/workload.h"
#include "job.h"
#include "peers/hints.h"
#include "peers/pnetcdf_calls.h"

namespace {

using bench::check_pnetcdf;
using bench::Share;

// Who writes what, and what each rank holds.
struct Plan {
  demo::Place place;
  int io_ranks;
  std::vector<std::vector<int64_t>> columns;  // [ranks]

  int rank_of(int writer) const { return writer * place.ranks / io_ranks; }
  int writer() const {  // this rank's number among the I/O ranks, or -1
    for (int k = 0; k < io_ranks; ++k) {
      if (rank_of(k) == place.rank) return k;
    }
    return -1;
  }
  // Of a flat variable columns, of a deep one levels.
  Share share(int writer, bool deep) const {
    return bench::share_of(deep ? demo::k_levels : demo::k_columns, writer, io_ranks);
  }
  // Places [first, end) of a rank's values of a variable that this writer takes.
  Share piece(int rank, int writer, bool deep) const {
    const std::vector<int64_t>& mine = columns[static_cast<size_t>(rank)];
    const Share wanted = share(writer, deep);
    if (deep) {
      const auto n = static_cast<int64_t>(mine.size());
      return {wanted.start * n, wanted.count * n};
    }
    const auto first = std::lower_bound(mine.begin(), mine.end(), wanted.start);
    const auto end = std::lower_bound(first, mine.end(), wanted.start + wanted.count);
    return {first - mine.begin(), end - first};
  }
  int values(int rank, int writer) const {
    return static_cast<int>(demo::k_flat_variables * piece(rank, writer, false).count +
                            demo::k_deep_variables * piece(rank, writer, true).count);
  }
};

Plan make_plan(const std::vector<int64_t>& mine, int io_ranks) {
  Plan plan{demo::my_place(), io_ranks, {}};
  const auto ranks = static_cast<size_t>(plan.place.ranks);
  const int n = static_cast<int>(mine.size());
  std::vector<int> counts(ranks);
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> places(ranks, 0);
  std::partial_sum(counts.begin(), counts.end() - 1, places.begin() + 1);
  std::vector<int64_t> all(static_cast<size_t>(places.back() + counts.back()));
  MPI_Allgatherv(mine.data(), n, MPI_INT64_T, all.data(), counts.data(), places.data(), MPI_INT64_T,
                 MPI_COMM_WORLD);
  for (size_t r = 0; r < ranks; ++r) {
    plan.columns.emplace_back(all.begin() + places[r], all.begin() + places[r] + counts[r]);
  }
  return plan;
}

// What every rank sent to this writer, in rank order; variable after variable.
std::vector<float> exchange(const Plan& plan, const std::vector<std::vector<float>>& values) {
  const auto ranks = static_cast<size_t>(plan.place.ranks);
  std::vector<int> sent(ranks, 0);
  std::vector<int> sent_at(ranks, 0);
  std::vector<int> received(ranks, 0);
  std::vector<int> received_at(ranks, 0);
  std::vector<float> out;
  for (int k = 0; k < plan.io_ranks; ++k) {
    const auto to = static_cast<size_t>(plan.rank_of(k));
    sent_at[to] = static_cast<int>(out.size());
    for (int v = 0; v < demo::k_variables; ++v) {
      const Share piece = plan.piece(plan.place.rank, k, demo::is_deep(v));
      const float* first = values[static_cast<size_t>(v)].data() + piece.start;
      out.insert(out.end(), first, first + piece.count);
    }
    sent[to] = static_cast<int>(out.size()) - sent_at[to];
  }
  int total = 0;
  for (size_t r = 0; r < ranks && plan.writer() >= 0; ++r) {
    received_at[r] = total;
    received[r] = plan.values(static_cast<int>(r), plan.writer());
    total += received[r];
  }
  std::vector<float> in(static_cast<size_t>(total));
  MPI_Alltoallv(out.data(), sent.data(), sent_at.data(), MPI_FLOAT, in.data(), received.data(),
                received_at.data(), MPI_FLOAT, MPI_COMM_WORLD);
  return in;
}

// The writer's contiguous part of each variable.
std::vector<std::vector<float>> sorted(const Plan& plan, const std::vector<float>& in) {
  const int writer = plan.writer();
  std::vector<std::vector<float>> parts;
  for (int v = 0; v < demo::k_variables; ++v) {
    const bool deep = demo::is_deep(v);
    parts.emplace_back(static_cast<size_t>(plan.share(writer, deep).count * (deep ? demo::k_columns : 1)));
  }
  const float* next = in.data();
  for (int r = 0; r < plan.place.ranks; ++r) {
    const std::vector<int64_t>& columns = plan.columns[static_cast<size_t>(r)];
    for (int v = 0; v < demo::k_variables; ++v) {
      std::vector<float>& part = parts[static_cast<size_t>(v)];
      const Share piece = plan.piece(r, writer, demo::is_deep(v));
      if (!demo::is_deep(v)) {
        const int64_t first = plan.share(writer, false).start;
        for (int64_t i = 0; i < piece.count; ++i) {
          part[static_cast<size_t>(columns[static_cast<size_t>(piece.start + i)] - first)] = *next++;
        }
        continue;
      }
      for (int64_t level = 0; level < plan.share(writer, true).count; ++level) {
        for (const int64_t column : columns)
          part[static_cast<size_t>(level * demo::k_columns + column)] = *next++;
      }
    }
  }
  return parts;
}

void write(const Plan& plan, int file, const std::vector<int>& ids,
           const std::vector<std::vector<float>>& parts) {
  for (int v = 0; v < demo::k_variables; ++v) {
    const bool deep = demo::is_deep(v);
    const Share share = plan.share(plan.writer(), deep);
    std::vector<MPI_Offset> start{0, share.start};
    std::vector<MPI_Offset> count{1, share.count};
    if (deep) {
      start.push_back(0);
      count.push_back(demo::k_columns);
    }
    const std::vector<float>& part = parts[static_cast<size_t>(v)];
    int request = NC_REQ_NULL;
    check_pnetcdf(ncmpi_iput_vara(file, ids[static_cast<size_t>(v)], start.data(), count.data(), part.data(),
                                  static_cast<MPI_Offset>(part.size()), MPI_FLOAT, &request),
                  "ncmpi_iput_vara");
  }
  check_pnetcdf(ncmpi_wait_all(file, NC_REQ_ALL, nullptr, nullptr), "ncmpi_wait_all");
}

void run(const bench::Arguments& arguments) {
  const demo::Place place = demo::my_place();
  const std::vector<int64_t> columns = demo::columns_of(place.rank, place.ranks, arguments.input);
  const std::vector<std::vector<float>> values = demo::values_of(columns);
  const bench::Hints hints(arguments);

  bench::Stopwatch watch;
  const int io_ranks = std::min(arguments.io_ranks, place.ranks);
  const Plan plan = make_plan(columns, io_ranks);
  const bool writes = plan.writer() >= 0;
  watch.lap("decompose");
  MPI_Comm writers = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, writes ? 0 : MPI_UNDEFINED, place.rank, &writers);
  watch.lap("init");
  int file = -1;
  std::vector<int> ids;
  if (writes) {
    check_pnetcdf(
        ncmpi_create(writers, arguments.file.c_str(), NC_CLOBBER | NC_64BIT_DATA, hints.info(), &file),
        "ncmpi_create");
  }
  watch.lap("open");
  if (writes) ids = demo::define_all(file);
  watch.lap("define");
  const std::vector<float> in = exchange(plan, values);
  if (writes) write(plan, file, ids, sorted(plan, in));
  watch.lap("write");
  if (writes) check_pnetcdf(ncmpi_close(file), "ncmpi_close");
  watch.lap("close");
  if (writes) MPI_Comm_free(&writers);
  bench::print_result(arguments, demo::columns_job_bytes(),
                      {.total_s = watch.stop_s(), .phases_s = watch.phases_s()});
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
