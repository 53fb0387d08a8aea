#include "common/stopwatch.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "common/world.h"

namespace bench {
namespace {

// Of a clock that all processes of a machine share, which MPI_Wtime is not: Open MPI's begins in each process
// with its first call.
double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double slowest(double seconds) {
  double result = 0;
  MPI_Allreduce(&seconds, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return result;
}

uint64_t reduce(uint64_t value, MPI_Op op) {
  uint64_t result = 0;
  MPI_Reduce(&value, &result, 1, MPI_UINT64_T, op, 0, MPI_COMM_WORLD);
  return result;
}

}  // namespace

Stopwatch::Stopwatch() {
  MPI_Barrier(MPI_COMM_WORLD);
  start_ = last_ = now_s();
}

void Stopwatch::lap(std::string phase) {
  const double now = now_s();
  const auto same =
      std::find_if(laps_.begin(), laps_.end(), [&](const auto& lap) { return lap.first == phase; });
  if (same != laps_.end()) {
    same->second += now - last_;
  } else {
    laps_.emplace_back(std::move(phase), now - last_);
  }
  last_ = now;
}

// No barrier: with more ranks than cores, those that leave it first keep the others from leaving it.
double Stopwatch::stop_s() const {
  const double end = slowest(now_s());
  return end + slowest(-start_);
}

std::map<std::string, double> Stopwatch::phases_s() const {
  std::map<std::string, double> phases;
  for (const auto& [name, seconds] : laps_) phases[name] = slowest(seconds);
  return phases;
}

uint64_t sum_over_ranks(uint64_t value) { return reduce(value, MPI_SUM); }

uint64_t max_over_ranks(uint64_t value) { return reduce(value, MPI_MAX); }

void print_result(const Arguments& arguments, int64_t bytes, const Outcome& outcome) {
  int64_t wrong = 0;
  MPI_Allreduce(&outcome.wrong_elements, &wrong, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  const World world;
  if (world.rank == 0) {
    nlohmann::json line = nlohmann::json::object();
    for (const auto& [name, member] : outcome.extra)
      std::visit([&line, &key = name](const auto& value) { line[key] = value; }, member);
    line["workload"] = arguments.workload;
    line["ranks"] = world.ranks;
    line["direction"] = arguments.read ? "read" : "write";
    line["bytes"] = bytes;
    line["time_s"] = outcome.total_s;
    line["phases_s"] = outcome.phases_s;
    if (wrong >= 0) line["verified"] = wrong == 0;
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (wrong > 0) {
    throw std::runtime_error("a rank read " + std::to_string(wrong) + " wrong elements from " +
                             arguments.file);
  }
}

}  // namespace bench
