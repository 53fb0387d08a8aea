// scorpio-report FILE: the report of an I/O system (option report) as tables, which end with one line for
// each file on the option that would shorten its longest wait. Exit code 0, or 1 with a message if FILE is no
// such report.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

namespace {

using Json = nlohmann::json;

constexpr int k_schema = 1;  // of the reports that are understood
constexpr const char* k_usage =
    "usage: scorpio-report FILE | --version\n"
    "Prints the report that SCORPIO_REPORT=FILE has made as tables: what the program waited for, what\n"
    "happened meanwhile, and the option that would shorten the longest wait of each file.\n";

double seconds(const Json& ns) { return static_cast<double>(ns.get<uint64_t>()) / 1e9; }

double megabytes(const Json& bytes) { return static_cast<double>(bytes.get<uint64_t>()) / 1e6; }

std::string name_of(const Json& file, const Json& report) {
  if (!file.at("mode").get<std::string>().empty()) return file.at("path");
  return fmt::format("{} other files", report.at("other_files").get<uint64_t>());
}

std::string head(const Json& report) {
  const Json& system = report.at("io_system");
  return fmt::format("SCORPIO {}: I/O system {}, {:.3f} s; ranks: {}, nodes: {}, I/O ranks: {}\n\n",
                     report.at("scorpio").get<std::string>(), system.at("number").get<uint64_t>(),
                     system.at("seconds").get<double>(), system.at("ranks").get<uint64_t>(),
                     system.at("nodes").get<uint64_t>(), system.at("io_ranks").size());
}

std::string waits(const Json& report) {
  std::string text = fmt::format(
      "What the program waited for (s, slowest rank):\n{:>10} {:>10} {:>9} {:>9} {:>9} {:>9} {:>9}  {}\n",
      "written MB", "read MB", "copy", "back-pr.", "agree", "reading", "end", "file");
  for (const Json& file : report.at("files")) {
    const Json &sum = file.at("counters").at("sum"), &most = file.at("waits_ns").at("most");
    text += fmt::format("{:>10.1f} {:>10.1f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f}  {}\n",
                        megabytes(sum.at("bytes_written")), megabytes(sum.at("bytes_read")),
                        seconds(most.at("copy")), seconds(most.at("back_pressure")),
                        seconds(most.at("agreement")), seconds(most.at("reading")), seconds(most.at("end")),
                        name_of(file, report));
  }
  return text;
}

std::string meanwhile(const Json& report) {
  std::string text = fmt::format(
      "\nWhat happened meanwhile (s of each I/O rank):\n{:>10} {:>10} {:>9} {:>9} {:>9} {:>9} {:>10}  {}\n",
      "I/O rank", "written MB", "communic.", "encode", "write", "queue", "queue MB", "file");
  for (const Json& file : report.at("files")) {
    for (const Json& of : file.at("io_ranks")) {
      text += fmt::format("{:>10} {:>10.1f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9} {:>10.1f}  {}\n",
                          of.at("rank").get<int>(), megabytes(of.at("bytes")),
                          seconds(of.at("communication_ns")), seconds(of.at("encode_ns")),
                          seconds(of.at("write_ns")), of.at("queued_slots").get<uint64_t>(),
                          megabytes(of.at("queued_bytes")), name_of(file, report));
    }
  }
  return text;
}

// The peaks of the levels over time.
std::string backlog(const Json& report) {
  std::string text;
  for (const Json& of : report.at("io_system").at("backlog")) {
    const Json& samples = of.at("samples");
    const auto most = std::max_element(samples.begin(), samples.end(), [](const Json& a, const Json& b) {
      return a.at(2).get<uint64_t>() < b.at(2).get<uint64_t>();
    });
    if (most == samples.end()) continue;
    text += fmt::format("{:>10} {:>10.1f} {:>9} {:>9.2f}\n", of.at("rank").get<int>(), megabytes(most->at(2)),
                        most->at(1).get<uint64_t>(), most->at(0).get<double>());
  }
  if (text.empty()) return text;
  return fmt::format("\nThe longest queue of each I/O rank:\n{:>10} {:>10} {:>9} {:>9}\n{}", "I/O rank", "MB",
                     "slots", "at s", text);
}

std::string advice(const Json& report) {
  std::string text = "\nWhat would shorten the longest wait:\n";
  for (const Json& file : report.at("files")) {
    text += fmt::format("{}: {}\n", name_of(file, report), file.at("advice").get<std::string>());
  }
  return text;
}

// Json exceptions leave this function if a name or a value is missing or is of another type.
std::string tables(const Json& report) {
  return head(report) + waits(report) + meanwhile(report) + backlog(report) + advice(report);
}

int failed(const std::string& path, std::string_view what) {
  fmt::print(stderr, "scorpio-report: {}: {}\n", path, what);
  return 1;
}

int print_report(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return failed(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::ostringstream read;
  errno = 0;
  read << file.rdbuf();  // fails also if there is nothing to read
  if (errno != 0) return failed(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  const std::string text = read.str();
  if (text.empty())
    return failed(path, "is empty: the I/O system was not released yet, or its report could not be written");
  try {
    const Json report = Json::parse(text);
    if (report.is_object() && report.contains("traceEvents"))
      return failed(path, "is a trace, not a report: open it with https://ui.perfetto.dev");
    if (!report.is_object() || !report.contains("schema"))
      return failed(path,
                    "is not a report of SCORPIO: it has no schema; give a file that SCORPIO_REPORT made");
    if (report.at("schema") != k_schema) {
      return failed(path, fmt::format("has schema {}, but this command reads schema {}: use the command of "
                                      "the SCORPIO that wrote it",
                                      report.at("schema").dump(), k_schema));
    }
    fmt::print("{}", tables(report));
  } catch (const Json::parse_error& e) {
    return failed(path, fmt::format("is not JSON: {}", e.what()));
  } catch (const Json::exception& e) {
    return failed(path, fmt::format("is not a complete report of SCORPIO: {}", e.what()));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (argc == 2 && (first == "-h" || first == "--help")) {
    fmt::print("{}", k_usage);
    return 0;
  }
  if (argc == 2 && first == "--version") {
    fmt::print("scorpio-report {}\n", SCORPIO_VERSION_TEXT);
    return 0;
  }
  if (argc != 2 || first.starts_with("-")) {
    fmt::print(stderr, "{}", k_usage);
    return 1;
  }
  return print_report(argv[1]);
}
