// Our side of scattered arrays: a decomposition for each division, by SCORPIO's public C API alone. The form
// is the format of the file, cdf5 (the variables have one record) or hdf5. Modes:
//   put_variables  one put (get) for all variables of a decomposition
//   put            one for each variable
// Prints every counter of the library, and what an I/O rank counted. The time is that of the file: a program
// makes its decompositions once for all its files (phase decompose). Collective over MPI_COMM_WORLD.
#include <mpi.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/scattered.h"
#include "common/scorpio_calls.h"
#include "scorpio/scorpio.h"

namespace {

using bench::check;
using bench::Division;
using bench::Scattered;
using bench::ScatteredMemory;

constexpr std::array<const char*, 5> k_told = {"agreements", "waits", "messages", "writes", "reads"};
using Counts = std::array<uint64_t, k_told.size()>;

Counts counts_of(const scorpio_iosystem* iosystem) {
  Counts counts{};
  for (size_t i = 0; i < k_told.size(); ++i)
    check(scorpio_iosystem_counter(iosystem, k_told[i], &counts[i]), "scorpio_iosystem_counter");
  return counts;
}

// {name: most that an I/O rank counted between the two}; on rank 0. Collective.
bench::Numbers of_io_rank(const scorpio_iosystem* iosystem, const Counts& before, const Counts& after) {
  int mine = -1;
  check(scorpio_iosystem_io_ranks(iosystem, nullptr, &mine), "scorpio_iosystem_io_ranks");
  bench::Numbers most;
  for (size_t i = 0; i < k_told.size(); ++i)
    most[k_told[i]] = bench::max_over_ranks(mine >= 0 ? after[i] - before[i] : 0);
  return most;
}

std::vector<scorpio_decomp*> make_decomps(scorpio_iosystem* iosystem, const Scattered& job,
                                          const std::vector<std::vector<int64_t>>& indices) {
  std::vector<scorpio_decomp*> decomps;
  for (const Division& division : job.divisions) {
    const std::vector<int64_t>& mine = indices[decomps.size()];
    decomps.push_back(nullptr);
    check(scorpio_decomp_map(iosystem, static_cast<int>(division.dims.size()), division.dims.data(),
                             static_cast<int64_t>(mine.size()), mine.data(), &decomps.back()),
          "scorpio_decomp_map");
  }
  return decomps;
}

scorpio_file* create_file(scorpio_iosystem* iosystem, const bench::Arguments& arguments) {
  scorpio_options* options = nullptr;
  check(scorpio_options_create(&options), "scorpio_options_create");
  check(scorpio_options_set(options, "format", arguments.form.c_str()), "scorpio_options_set");
  scorpio_file* file = nullptr;
  check(scorpio_file_create(iosystem, arguments.file.c_str(), SCORPIO_FORMAT_DEFAULT, options, &file),
        "scorpio_file_create");
  check(scorpio_options_free(options), "scorpio_options_free");
  return file;
}

int define_dimension(scorpio_file* file, const std::string& name, int64_t length) {
  int id = -1;
  check(scorpio_dimension_define(file, name.c_str(), length, &id), "scorpio_dimension_define");
  return id;
}

std::vector<int> define_all(scorpio_file* file, const Scattered& job, bool records) {
  std::vector<int> ids = bench::define_scattered(
      job, define_dimension(file, "time", records ? SCORPIO_UNLIMITED : 1),
      [&](const std::string& name, int64_t length) { return define_dimension(file, name, length); },
      [&](const std::string& name, const std::vector<int>& dimensions) {
        return bench::define_variable(file, name, job.type, dimensions);
      });
  check(scorpio_define_end(file), "scorpio_define_end");
  return ids;
}

std::vector<int> find_all(scorpio_file* file, const Scattered& job) {
  std::vector<int> ids;
  for (int v = 0; v < job.variables(); ++v) {
    ids.push_back(bench::find_variable(file, bench::variable_name(v)));
  }
  return ids;
}

// Moves the variables of one file.
struct Mover {
  scorpio_file* file;
  const Scattered& job;
  const std::vector<int>& ids;
  ScatteredMemory& memory;
  bool read;

  // Variables [first, first + n), which have the same decomposition.
  void move(const Division& division, scorpio_decomp* decomp, int first, int n) {
    std::vector<scorpio_access> accesses;
    for (int v = first; v < first + n; ++v) {
      accesses.push_back(
          scorpio_darray(ids[static_cast<size_t>(v)], decomp, 0, bench::type_of(job.type), memory.data(v)));
      if (division.has_holes()) accesses.back().fill = fill_value();
    }
    if (read) {
      check(scorpio_get_n(file, n, accesses.data()), "scorpio_get_n");
    } else {
      check(scorpio_put_n(file, n, accesses.data()), "scorpio_put_n");
    }
  }

  void move_all(const std::vector<scorpio_decomp*>& decomps, bool together) {
    int first = 0;
    for (size_t k = 0; k < job.divisions.size(); ++k) {
      const Division& division = job.divisions[k];
      const int n = together ? division.variables : 1;
      for (const int end = first + division.variables; first < end; first += n)
        move(division, decomps[k], first, n);
    }
  }

  const void* fill_value() const {
    static constexpr double k_double = bench::k_fill_value;
    static constexpr float k_float = static_cast<float>(bench::k_fill_value);
    return job.type == bench::Type::float32 ? static_cast<const void*>(&k_float) : &k_double;
  }
};

void run(const bench::Arguments& arguments) {
  if (arguments.mode != "put" && arguments.mode != "put_variables")
    throw std::invalid_argument("ours has no mode \"" + arguments.mode + "\"; there are put, put_variables");
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Scattered job = bench::read_scattered(arguments.input, rank, ranks);
  std::vector<std::vector<int64_t>> indices;
  for (const Division& division : job.divisions) indices.push_back(bench::indices_of(division.data));
  ScatteredMemory memory(job);
  if (!arguments.read) memory.fill();
  scorpio_iosystem* const iosystem = bench::make_iosystem(arguments);
  const bench::Stopwatch before_file;
  const std::vector<scorpio_decomp*> decomps = make_decomps(iosystem, job, indices);
  const double decompose_s = before_file.stop_s();
  const Counts none = counts_of(iosystem);

  bench::Stopwatch watch;
  scorpio_file* file = nullptr;
  if (arguments.read) {
    check(scorpio_file_open(iosystem, arguments.file.c_str(), SCORPIO_READ, nullptr, &file),
          "scorpio_file_open");
  } else {
    file = create_file(iosystem, arguments);
  }
  watch.lap("open");
  const std::vector<int> ids =
      arguments.read ? find_all(file, job) : define_all(file, job, arguments.form != "hdf5");
  watch.lap("define");
  const Counts before = counts_of(iosystem);
  Mover{file, job, ids, memory, arguments.read}.move_all(decomps, arguments.mode == "put_variables");
  const Counts after = counts_of(iosystem);
  watch.lap(arguments.read ? "read" : "write");
  check(scorpio_file_close(file), "scorpio_file_close");
  watch.lap("close");

  std::map<std::string, bench::Member> extra{{"variables", job.variables()},
                                             {"io_rank", of_io_rank(iosystem, none, counts_of(iosystem))},
                                             {"io_rank_moving", of_io_rank(iosystem, before, after)},
                                             {"counters", bench::counters_of(iosystem)}};
  for (scorpio_decomp* const decomp : decomps) check(scorpio_decomp_free(decomp), "scorpio_decomp_free");
  check(scorpio_iosystem_free(iosystem), "scorpio_iosystem_free");
  bench::print_scattered(arguments, job, memory, watch, decompose_s, std::move(extra));
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
