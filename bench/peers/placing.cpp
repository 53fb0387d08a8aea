// What the copy alone costs: each rank copies its elements through the same map, from (into) its buffers into
// (from) touched private memory laid out as the file. No file, no messages. Collective over MPI_COMM_WORLD.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "common/arguments.h"
#include "common/block_job.h"
#include "common/buffers.h"
#include "common/pattern_side.h"
#include "common/stopwatch.h"
#include "common/workload.h"

namespace {

struct Span {
  int64_t first = 0;
  int64_t count = 0;
};

// From this rank's first element to its last in the order of the file.
Span span_of(const bench::Workload& workload, const bench::Box& box) {
  Span span{-1, 0};
  bench::for_each_run(workload.dims, box, [&](int64_t, int64_t global, int64_t run) {
    if (span.first < 0) span.first = global;
    span.count = global + run - span.first;
  });
  return span;
}

void copy(const bench::Workload& workload, const bench::Box& box, const Span& span, size_t element_bytes,
          std::byte* mine, std::byte* file_order, bool read) {
  bench::for_each_run(workload.dims, box, [&](int64_t offset, int64_t global, int64_t run) {
    std::byte* here = mine + static_cast<size_t>(offset) * element_bytes;
    std::byte* there = file_order + static_cast<size_t>(global - span.first) * element_bytes;
    std::memcpy(read ? here : there, read ? there : here, static_cast<size_t>(run) * element_bytes);
  });
}

void run_blocks(const bench::Arguments& arguments) {
  bench::BlockJob job(arguments, arguments.reuse_buffer);
  const bench::Workload& workload = job.workload;
  const Span span = span_of(workload, job.box);
  std::vector<std::byte> file_order(static_cast<size_t>(span.count) * sizeof(double), std::byte{1});

  bench::Stopwatch watch;
  for (size_t v = 0; v < workload.variables.size(); ++v) {
    copy(workload, job.box, span, bench::bytes_of(workload.variables[v].type),
         static_cast<std::byte*>(job.buffers.data(v)), file_order.data(), arguments.read);
  }
  watch.lap("copy");
  bench::print_result(arguments, workload.bytes(), {.total_s = watch.stop_s(), .phases_s = watch.phases_s()});
}

void copy_row(size_t element_bytes, std::byte* mine, int64_t distance, std::byte* file_order, int64_t row,
              bool read) {
  const size_t bytes = static_cast<size_t>(row) * element_bytes;
  if (distance == 1) {
    std::memcpy(read ? mine : file_order, read ? file_order : mine, bytes);
    return;
  }
  const int64_t step = distance * static_cast<int64_t>(element_bytes);
  for (int64_t i = 0; i < row; ++i, mine += step, file_order += element_bytes) {
    std::memcpy(read ? mine : file_order, read ? file_order : mine, element_bytes);
  }
}

// The memory in the order of the file is one part long.
void run_pattern(const bench::Arguments& arguments) {
  const bench::Pattern pattern = bench::pattern_of(arguments);
  bench::PatternMemory memory(pattern);
  int64_t longest = 0;
  for (const auto& parts : pattern.steps) {
    for (const bench::Part& part : parts) longest = std::max(longest, part.elements());
  }
  std::vector<std::byte> file_order(static_cast<size_t>(longest) * sizeof(double), std::byte{1});

  bench::Stopwatch watch;
  for (const auto& parts : pattern.steps) {
    for (const bench::Part& part : parts) {
      const size_t element_bytes = bench::bytes_of(pattern.arrays[part.array].type);
      std::byte* there = file_order.data();
      bench::for_each_row(pattern, part, [&](int64_t place, int64_t distance, int64_t, int64_t, int64_t row) {
        std::byte* const mine = memory.frame(part) + place * static_cast<int64_t>(element_bytes);
        copy_row(element_bytes, mine, distance, there, row, arguments.read);
        there += static_cast<size_t>(row) * element_bytes;
      });
    }
  }
  watch.lap("copy");
  bench::print_result(arguments, pattern.bytes(), {.total_s = watch.stop_s(), .phases_s = watch.phases_s()});
}

void run(const bench::Arguments& arguments) {
  if (bench::is_pattern(arguments.workload)) {
    run_pattern(arguments);
  } else {
    run_blocks(arguments);
  }
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
