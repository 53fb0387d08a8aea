// The limit: as many processes as I/O ranks that only call pwrite (pread), 4 MiB at a time, from (into) a
// touched buffer of their share of the data. No metadata, no fsync. Collective over MPI_COMM_WORLD.
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <vector>

#include "common/arguments.h"
#include "common/pattern_side.h"
#include "common/stopwatch.h"
#include "common/workload.h"

namespace {

constexpr int64_t k_call_bytes = int64_t{4} << 20;

[[noreturn]] void fail(const char* call, const std::string& file) {
  throw std::system_error(errno, std::generic_category(), std::string(call) + " " + file);
}

void transfer(int descriptor, std::vector<std::byte>& buffer, int64_t offset,
              const bench::Arguments& arguments) {
  for (size_t at = 0; at < buffer.size();) {
    const size_t size = std::min<size_t>(k_call_bytes, buffer.size() - at);
    const off_t where = offset + static_cast<int64_t>(at);
    const ssize_t done = arguments.read ? pread(descriptor, buffer.data() + at, size, where)
                                        : pwrite(descriptor, buffer.data() + at, size, where);
    if (done <= 0) fail(arguments.read ? "pread" : "pwrite", arguments.file);
    at += static_cast<size_t>(done);
  }
}

int64_t bytes_of_job(const bench::Arguments& arguments, int ranks) {
  if (bench::is_pattern(arguments.workload)) {
    return bench::make_pattern(bench::sizes_of(arguments), 0,
                               arguments.job_ranks > 0 ? arguments.job_ranks : ranks)
        .bytes();
  }
  return bench::make_workload(arguments.workload, arguments.extent, arguments.variables).bytes();
}

void run(const bench::Arguments& arguments) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int64_t bytes = bytes_of_job(arguments, ranks);
  const bench::Share share = bench::share_of(bytes, rank, ranks);
  std::vector<std::byte> buffer(static_cast<size_t>(share.count), std::byte{1});

  bench::Stopwatch watch;
  const int flags = arguments.read ? O_RDONLY : O_WRONLY | O_CREAT;
  const int descriptor = open(arguments.file.c_str(), flags, 0644);
  if (descriptor < 0) fail("open", arguments.file);
  watch.lap("open");
  transfer(descriptor, buffer, share.start, arguments);
  watch.lap(arguments.read ? "read" : "write");
  if (close(descriptor) != 0) fail("close", arguments.file);
  watch.lap("close");
  bench::print_result(arguments, bytes, {.total_s = watch.stop_s(), .phases_s = watch.phases_s()});
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
