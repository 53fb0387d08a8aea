#include "pio/system/summary.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <locale>
#include <sstream>
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

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += std::iscntrl(static_cast<unsigned char>(c)) != 0 ? ' ' : c;
  }
  return result + '"';
}

double rate(int64_t bytes, double seconds) {
  constexpr double k_megabyte = 1024.0 * 1024.0;
  return seconds > 0 ? static_cast<double>(bytes) / k_megabyte / seconds : 0;
}

// `more`: one more JSON member including its comma, or an empty string.
std::string object_of(const std::string& name, const std::string& more, const Traffic& traffic) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << "{\"name\": " << quoted(name) << ", " << more
       << "\"avg_wtput(MB/s)\": " << rate(traffic.written_bytes, traffic.write_s)
       << ", \"avg_rtput(MB/s)\": " << rate(traffic.read_bytes, traffic.read_s)
       << ", \"tot_wb(bytes)\": " << traffic.written_bytes << ", \"tot_rb(bytes)\": " << traffic.read_bytes
       << ", \"tot_wtime(s)\": " << traffic.write_s << ", \"tot_rtime(s)\": " << traffic.read_s
       << ", \"tot_time(s)\": " << traffic.write_s + traffic.read_s << "}";
  return text.str();
}

std::string joined(const std::vector<std::string>& objects) {
  std::string text;
  for (const std::string& object : objects) text += (text.empty() ? "\n    " : ",\n    ") + object;
  return "[" + text + "]";
}

std::string summary() {
  std::vector<std::string> of_components, of_files;
  std::vector<FileTraffic> all;
  for (const Component& component : components()) {
    of_components.push_back(object_of(component.name, "", sum_of(component.files)));
    for (const FileTraffic& file : component.files)
      of_files.push_back(
          object_of(file.path, "\"model_component_name\": " + quoted(component.name) + ", ", file.traffic));
    all.insert(all.end(), component.files.begin(), component.files.end());
  }
  return "{\"ScorpioIOSummaryStatistics\": {\n  \"OverallIOStatistics\": " +
         object_of("OVERALL", "\"spio_stats_version\": \"1.0.0\", ", sum_of(all)) +
         ",\n  \"ModelComponentIOStatistics\": " + joined(of_components) +
         ",\n  \"FileIOStatistics\": " + joined(of_files) + "\n}}\n";
}

// Returns on the I/O root the bytes of all ranks and the time of the slowest rank. `paths` must be the same
// on all ranks.
std::vector<FileTraffic> of_all_ranks(const IoSystem& system) {
  std::vector<int64_t> bytes;
  std::vector<double> seconds;
  for (const FileTraffic& file : system.closed_files) {
    bytes.insert(bytes.end(), {file.traffic.written_bytes, file.traffic.read_bytes});
    seconds.insert(seconds.end(), {file.traffic.write_s, file.traffic.read_s});
  }
  std::vector<int64_t> all_bytes(bytes.size());
  std::vector<double> slowest_s(seconds.size());
  const auto n = static_cast<int>(bytes.size());
  MPI_Reduce(bytes.data(), all_bytes.data(), n, MPI_INT64_T, MPI_SUM, system.root(), system.comm());
  MPI_Reduce(seconds.data(), slowest_s.data(), n, MPI_DOUBLE, MPI_MAX, system.root(), system.comm());
  std::vector<FileTraffic> files = system.closed_files;
  for (size_t i = 0; i < files.size(); ++i)
    files[i].traffic = {all_bytes[2 * i], all_bytes[2 * i + 1], slowest_s[2 * i], slowest_s[2 * i + 1]};
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
