#include "job.h"

#include <mpi.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace demo {
namespace {

int64_t bytes_of(Kind kind) { return kind == Kind::float64 ? 8 : 4; }

MPI_Datatype mpi_type(Kind kind) {
  switch (kind) {
    case Kind::int32:
      return MPI_INT32_T;
    case Kind::float32:
      return MPI_FLOAT;
    case Kind::float64:
      break;
  }
  return MPI_DOUBLE;
}

// What two boxes have in common; count 0 in some dimension if nothing.
bench::Box intersection(const bench::Box& a, const bench::Box& b) {
  bench::Box common = a;
  for (size_t d = 0; d < a.start.size(); ++d) {
    common.start[d] = std::max(a.start[d], b.start[d]);
    const int64_t end = std::min(a.start[d] + a.count[d], b.start[d] + b.count[d]);
    common.count[d] = std::max<int64_t>(0, end - common.start[d]);
  }
  return common;
}

// One MPI datatype per rank: what the buffer of `mine` shares with that rank's box.
class Pieces {
 public:
  Pieces(const Field& field, const bench::Box& mine, const std::vector<bench::Box>& others)
      : counts(others.size(), 0), displacements(others.size(), 0), types(others.size(), MPI_BYTE) {
    for (size_t r = 0; r < others.size(); ++r) {
      const bench::Box common = intersection(mine, others[r]);
      if (common.elements() == 0) continue;
      std::vector<int> extent(mine.count.begin(), mine.count.end());
      std::vector<int> count(common.count.begin(), common.count.end());
      std::vector<int> start;
      for (size_t d = 0; d < mine.start.size(); ++d) {
        start.push_back(static_cast<int>(common.start[d] - mine.start[d]));
      }
      MPI_Type_create_subarray(static_cast<int>(extent.size()), extent.data(), count.data(), start.data(),
                               MPI_ORDER_C, mpi_type(field.kind), &types[r]);
      MPI_Type_commit(&types[r]);
      counts[r] = 1;
    }
  }
  ~Pieces() {
    for (size_t r = 0; r < types.size(); ++r) {
      if (counts[r] > 0) MPI_Type_free(&types[r]);
    }
  }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<MPI_Datatype> types;
};

}  // namespace

std::vector<InputFile> input_files() {
  const std::vector<int64_t> levels{20, 180, 360};
  const std::vector<int64_t> cells{480 * 480 * 120};
  return {{"relief.h5", {{"/ROSE", "/relief/ROSE", Kind::float32, {2161, 4320}}}},
          {"climatology.h5",
           {{"/TEMP", "/climatology/TEMP", Kind::float32, levels},
            {"/SALT", "/climatology/SALT", Kind::float32, levels}}},
          {"pflotran.h5",
           {{"/cell_ids", "/pflotran/cell_ids", Kind::int32, cells},
            {"/permeability", "/pflotran/permeability", Kind::float64, cells}}}};
}

int64_t total_bytes() {
  int64_t bytes = 0;
  for (const InputFile& input : input_files()) {
    for (const Field& field : input.fields) {
      bytes +=
          std::accumulate(field.dims.begin(), field.dims.end(), bytes_of(field.kind), std::multiplies<>());
    }
  }
  return bytes;
}

bench::Box box_when_reading(const Field& field, int rank, int ranks) {
  bench::Box box{std::vector<int64_t>(field.dims.size(), 0), field.dims};
  const bench::Share rows = bench::share_of(field.dims[0], rank, ranks);
  box.start[0] = rows.start;
  box.count[0] = rows.count;
  return box;
}

bench::Box box_when_writing(const Field& field, int rank, int ranks) {
  const bench::Workload grid{.dims = field.dims, .variables = {}, .windows = {}};
  return bench::part_of(grid, field.dims.size() == 1 ? ranks - 1 - rank : rank, ranks);
}

Part make_part(const Field& field, bench::Box box) {
  const int64_t bytes = box.elements() * bytes_of(field.kind);
  return {std::move(box), std::vector<std::byte>(static_cast<size_t>(std::max<int64_t>(1, bytes)))};
}

Part redistribute(const Field& field, const Part& from) {
  const Place place = my_place();
  std::vector<bench::Box> readers;
  std::vector<bench::Box> writers;
  for (int r = 0; r < place.ranks; ++r) {
    readers.push_back(box_when_reading(field, r, place.ranks));
    writers.push_back(box_when_writing(field, r, place.ranks));
  }
  Part to = make_part(field, writers[static_cast<size_t>(place.rank)]);
  const Pieces sent(field, from.box, writers);
  const Pieces received(field, to.box, readers);
  MPI_Alltoallw(from.data.data(), sent.counts.data(), sent.displacements.data(), sent.types.data(),
                to.data.data(), received.counts.data(), received.displacements.data(), received.types.data(),
                MPI_COMM_WORLD);
  return to;
}

Place my_place() {
  Place place{0, 1};
  MPI_Comm_rank(MPI_COMM_WORLD, &place.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &place.ranks);
  return place;
}

}  // namespace demo
