// The limit: processes that only call pwrite (pread), 4 MiB at a time, from (into) a touched buffer of their
// contiguous share of the data; as many as I/O ranks, or, of scattered arrays (--input), as many as ranks. No
// metadata, no fsync. Collective over MPI_COMM_WORLD.
#include <mpi.h>

#include <cstddef>
#include <vector>

#include "common/arguments.h"
#include "common/pattern_side.h"
#include "common/scattered.h"
#include "common/stopwatch.h"
#include "common/workload.h"
#include "common/world.h"
#include "peers/posix_calls.h"

namespace {

constexpr size_t k_call_bytes = size_t{4} << 20;

int64_t bytes_of_job(const bench::Arguments& arguments, int rank, int ranks) {
  if (!arguments.input.empty())
    return bench::read_scattered(arguments.input, rank, ranks).bytes(arguments.read);
  if (bench::is_pattern(arguments.workload)) {
    return bench::make_pattern(bench::sizes_of(arguments), 0,
                               arguments.job_ranks > 0 ? arguments.job_ranks : ranks)
        .bytes();
  }
  return bench::make_workload(arguments.workload, arguments.extent, arguments.variables).bytes();
}

void run(const bench::Arguments& arguments) {
  const bench::World world;
  const int64_t bytes = bytes_of_job(arguments, world.rank, world.ranks);
  const bench::Share share = bench::share_of(bytes, world.rank, world.ranks);
  std::vector<std::byte> buffer(static_cast<size_t>(share.count), std::byte{1});

  bench::Stopwatch watch;
  const int descriptor = bench::open_file(arguments);
  watch.lap("open");
  bench::move_bytes(arguments, descriptor, buffer.data(), buffer.size(), share.start, k_call_bytes);
  watch.lap(arguments.read ? "read" : "write");
  bench::close_file(arguments, descriptor);
  watch.lap("close");
  bench::print_result(arguments, bytes, {.total_s = watch.stop_s(), .phases_s = watch.phases_s()});
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
