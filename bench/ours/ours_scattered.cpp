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

#include "common/scattered_calls.h"
#include "common/world.h"
#include "scorpio/scorpio.h"

namespace {

using bench::check;
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

std::vector<int> find_all(scorpio_file* file, const Scattered& job) {
  std::vector<int> ids;
  for (int v = 0; v < job.variables(); ++v) {
    ids.push_back(bench::find_variable(file, bench::variable_name(v)));
  }
  return ids;
}

void run(const bench::Arguments& arguments) {
  if (arguments.mode != "put" && arguments.mode != "put_variables")
    throw std::invalid_argument("ours has no mode \"" + arguments.mode + "\"; there are put, put_variables");
  const bench::World world;
  const Scattered job = bench::read_scattered(arguments.input, world.rank, world.ranks);
  ScatteredMemory memory(job);
  bench::begin_scattered(arguments, memory);
  scorpio_iosystem* const iosystem = bench::make_iosystem(arguments);
  const bench::Stopwatch before_file;
  std::vector<scorpio_decomp*> decomps = bench::make_decomps(iosystem, job);
  const double decompose_s = before_file.stop_s();
  const Counts none = counts_of(iosystem);

  Counts moving{};
  bench::Stopwatch watch;
  bench::move_files(arguments, [&](const std::string& path, bool read) {
    scorpio_file* const file =
        read ? bench::open_file(iosystem, path) : bench::create_file(iosystem, path, arguments.form);
    watch.lap("open");
    const std::vector<int> ids =
        read ? find_all(file, job)
             : bench::define_variables(file, job, arguments.form != "hdf5" ? SCORPIO_UNLIMITED : 1);
    watch.lap("define");
    const Counts before = counts_of(iosystem);
    bench::ScatteredMover{file, job, ids, memory, read}.move_all(decomps, arguments.mode == "put_variables");
    const Counts after = counts_of(iosystem);
    for (size_t i = 0; i < moving.size(); ++i) moving[i] += after[i] - before[i];
    watch.lap(read ? "read" : "write");
    check(scorpio_file_close(file), "scorpio_file_close");
    watch.lap("close");
  });

  std::map<std::string, bench::Member> extra{{"variables", job.variables()},
                                             {"io_rank", of_io_rank(iosystem, none, counts_of(iosystem))},
                                             {"io_rank_moving", of_io_rank(iosystem, Counts{}, moving)},
                                             {"counters", bench::counters_of(iosystem)}};
  bench::free_decomps(decomps);
  check(scorpio_iosystem_free(iosystem), "scorpio_iosystem_free");
  bench::print_scattered(arguments, job, memory, watch, decompose_s, std::move(extra));
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
