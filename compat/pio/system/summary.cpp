#include "pio/system/summary.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "common/limited_waits.h"

namespace scorpio_pio {

namespace {

struct Component {
  std::string name;
  std::vector<FileTraffic> files;
};

// The finalized I/O systems whose I/O root was this process.
std::vector<Component>& components() {
  static auto* const all =
      new std::vector<Component>();  // never destroyed: destructors may run after MPI_Finalize
  return *all;
}

Traffic sum_of(const std::vector<FileTraffic>& files) {
  Traffic sum;
  for (const FileTraffic& file : files) {
    sum.written_bytes += file.traffic.written_bytes;
    sum.read_bytes += file.traffic.read_bytes;
    sum.write_s += file.traffic.write_s;
    sum.read_s += file.traffic.read_s;
  }
  return sum;
}

double rate(int64_t bytes, double seconds) {
  constexpr double k_megabyte = 1024.0 * 1024.0;
  return seconds > 0 ? static_cast<double>(bytes) / k_megabyte / seconds : 0;
}

using Json = nlohmann::ordered_json;

// Adds the figures to what is there.
Json with(Json object, const Traffic& traffic) {
  object["avg_wtput(MB/s)"] = rate(traffic.written_bytes, traffic.write_s);
  object["avg_rtput(MB/s)"] = rate(traffic.read_bytes, traffic.read_s);
  object["tot_wb(bytes)"] = traffic.written_bytes;
  object["tot_rb(bytes)"] = traffic.read_bytes;
  object["tot_wtime(s)"] = traffic.write_s;
  object["tot_rtime(s)"] = traffic.read_s;
  object["tot_time(s)"] = traffic.write_s + traffic.read_s;
  return object;
}

std::string summary() {
  Json of_components = Json::array(), of_files = Json::array();
  std::vector<FileTraffic> all;
  for (const Component& component : components()) {
    of_components.push_back(with(Json::object({{"name", component.name}}), sum_of(component.files)));
    for (const FileTraffic& file : component.files)
      of_files.push_back(with({{"name", file.path}, {"model_component_name", component.name}}, file.traffic));
    all.insert(all.end(), component.files.begin(), component.files.end());
  }
  const Json statistics = {
      {"OverallIOStatistics", with({{"name", "OVERALL"}, {"spio_stats_version", "1.0.0"}}, sum_of(all))},
      {"ModelComponentIOStatistics", of_components},
      {"FileIOStatistics", of_files}};
  // Paths need not be UTF-8.
  return Json{{"ScorpioIOSummaryStatistics", statistics}}.dump(2, ' ', false,
                                                               Json::error_handler_t::replace) +
         "\n";
}

// Returns the bytes of all ranks and the time of the slowest rank. `paths` must be the same
// on all ranks.
std::vector<FileTraffic> of_all_ranks(const IoSystem& system) {
  std::vector<int64_t> bytes;
  std::vector<double> seconds;
  for (const FileTraffic& file : system.closed_files) {
    bytes.insert(bytes.end(), {file.traffic.written_bytes, file.traffic.read_bytes});
    seconds.insert(seconds.end(), {file.traffic.write_s, file.traffic.read_s});
  }
  const auto n = static_cast<int>(bytes.size());
  scorpio_compat::all_reduce(bytes.data(), n, MPI_INT64_T, MPI_SUM, system.comm());
  scorpio_compat::all_reduce(seconds.data(), n, MPI_DOUBLE, MPI_MAX, system.comm());
  std::vector<FileTraffic> files = system.closed_files;
  for (size_t i = 0; i < files.size(); ++i)
    files[i].traffic = {bytes[2 * i], bytes[2 * i + 1], seconds[2 * i], seconds[2 * i + 1]};
  return files;
}

// Ids of processes are unique on a node, in containers not even there: a file of this name may be that of
// another I/O root.
std::string path_of_summary() {
  static auto* const own = new std::vector<std::string>();  // the files of this process
  const std::string name = "io_perf_summary_" + std::to_string(::getpid());
  std::error_code ignored;
  const std::string path = (std::filesystem::current_path(ignored) / (name + ".json")).string();
  if (std::ranges::find(*own, path) != own->end()) return path;
  const int made = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (made >= 0) {
    (void)::close(made);
    own->push_back(path);
  }
  if (made >= 0 || errno != EEXIST) return path;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return name + "_" + std::to_string(rank) + ".json";
}

}  // namespace

void write_summary(const IoSystem& system) {
  const auto files = static_cast<int>(system.closed_files.size());
  std::array<int, 2> ends{files, -files};  // after a failure ranks may have closed different files
  scorpio_compat::all_reduce(ends.data(), 2, MPI_INT, MPI_MAX, system.comm());
  if (ends[0] != -ends[1]) return;
  std::vector<FileTraffic> all = of_all_ranks(system);
  if (system.rank() != system.root()) return;
  components().push_back({"UNKNOWN:SPIO_COMP_" + std::to_string(components().size()), std::move(all)});
  const std::string path = path_of_summary();
  std::ofstream file(path);
  file << summary() << std::flush;
  if (!file) (void)std::fprintf(stderr, "PIO: the summary %s cannot be written\n", path.c_str());
}

}  // namespace scorpio_pio
