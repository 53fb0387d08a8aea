// The limit: processes that only call pwrite (pread), 4 MiB at a time, from (into) a touched buffer of their
// contiguous share of the data; as many as I/O ranks, or, of scattered arrays (--input), as many as ranks. No
// metadata, no fsync. Collective over MPI_COMM_WORLD.
#include <mpi.h>

#include <cstddef>
#include <vector>

#include "common/arguments.h"
#include "common/job_bytes.h"
#include "common/stopwatch.h"
#include "common/workload.h"
#include "common/world.h"
#include "peers/posix_calls.h"

namespace {

constexpr size_t k_call_bytes = size_t{4} << 20;

void run(const bench::Arguments& arguments) {
  const bench::World world;
  const int64_t bytes = bench::bytes_of_job(arguments, world.ranks);
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
