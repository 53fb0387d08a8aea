#include "observe/report_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/option_value.h"

namespace scorpio::observe {

namespace {

using Json = nlohmann::ordered_json;

// Is increased when a name is changed or removed.
constexpr int k_schema = 1;

Json json_of(const Counters& counters) {
  Json json = Json::object();
  const auto values = values_of(counters);
  for (size_t i = 0; i < values.size(); ++i) json[counter_names()[i]] = values[i];
  return json;
}

Json json_of(const Totals& totals) { return {{"sum", json_of(totals.sum)}, {"most", json_of(totals.most)}}; }

Json json_of(const Options& options) {
  Json json = Json::object();
  for (const OptionSpec& spec : known_options()) {
    const std::string value = format_value(spec, options.value(spec.id));
    const std::string& in_force = options.in_force(spec.id);
    json[spec.name] = {{"value", value},
                       {"origin", options.origin(spec.id)},
                       {"in_force", in_force.empty() ? value : in_force}};
  }
  return json;
}

using Waits = std::array<uint64_t, k_file_waits.size()>;

Json json_of(const Waits& waits) {
  Json json = Json::object();
  for (size_t i = 0; i < waits.size(); ++i) json[k_file_waits[i]] = waits[i];
  return json;
}

// The sums over the I/O ranks, and the figures of each.
Json json_of_meanwhile(const FileReport& file) {
  return {{"communication", file.sum_meanwhile[0]},
          {"encode", file.sum_meanwhile[1]},
          {"write", file.sum_meanwhile[2]}};
}

Json json_of_io_ranks(const FileReport& file, const std::vector<int>& io_ranks) {
  Json all = Json::array();
  for (size_t i = 0; i < file.meanwhile.size(); ++i) {
    Json of_rank = {{"rank", io_ranks[i]}};
    for (size_t k = 0; k < k_meanwhile_values; ++k) of_rank[k_meanwhile_names[k]] = file.meanwhile[i][k];
    all.push_back(std::move(of_rank));
  }
  return all;
}

Json json_of(const std::vector<BacklogReport>& backlog) {
  Json all = Json::array();
  for (const BacklogReport& of : backlog) {
    Json samples = Json::array();
    for (const Backlog::Sample& sample : of.samples)
      samples.push_back(
          Json::array({sample.seconds, sample.most.slots, sample.most.bytes, sample.most.image_bytes}));
    all.push_back({{"rank", of.rank}, {"samples", std::move(samples)}});
  }
  return all;
}

Json json_of(const FileReport& file, const std::vector<int>& io_ranks) {
  Json calls = Json::object();
  for (size_t i = 0; i < file.calls.size(); ++i) calls[k_file_calls[i]] = file.calls[i];
  return {{"path", file.path},
          {"format", file.format},
          {"mode", file.mode},
          {"block_bytes", file.block_bytes},
          {"shares_slot", file.shares_slot},
          {"seconds", file.seconds},
          {"calls", std::move(calls)},
          {"counters", json_of(file.totals)},
          {"waits_ns", {{"sum", json_of(file.sum_waits_ns)}, {"most", json_of(file.most_waits_ns)}}},
          {"meanwhile_ns", json_of_meanwhile(file)},
          {"io_ranks", json_of_io_ranks(file, io_ranks)},
          {"advice", advice(file)}};
}

// "12.3 MB": decimal, as file sizes and rates are given.
std::string short_bytes(uint64_t bytes) {
  constexpr std::array k_prefixes = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < k_prefixes.size(); ++unit) value /= 1000;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, k_prefixes[unit]);
}

double seconds_of(uint64_t ns) { return static_cast<double>(ns) / 1e9; }

constexpr std::string_view k_head =
    "  {:>10} {:>10} {:>6} {:>6} {:>6} {:>6} {:>6} {:>9} {:>9} {:>9} {:>9}  {}\n";

std::string row(const Totals& totals, const std::string& calls, const std::string& what) {
  const Counters &sum = totals.sum, &most = totals.most;
  return fmt::format(
      "  {:>10} {:>10} {:>6} {:>6} {:>6} {:>6} {:>6} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f}  {}\n",
      short_bytes(sum.bytes_written), short_bytes(sum.bytes_read), calls, sum.opens, sum.writes, sum.reads,
      sum.waits, seconds_of(most.time_exchange_ns), seconds_of(most.time_io_ns),
      seconds_of(most.time_wait_ns), seconds_of(most.time_close_ns), what);
}

std::string files_as_text(const Report& report) {
  std::string text = fmt::format(fmt::runtime(k_head), "written", "read", "calls", "opens", "writes", "reads",
                                 "waits", "exchange s", "I/O s", "wait s", "close s", "file");
  for (const FileReport& file : report.files) {
    uint64_t calls = 0;
    for (const uint64_t each : file.calls) calls += each;
    std::string what = file.mode.empty() ? fmt::format("{} other files", report.other_files) : file.path;
    if (!file.mode.empty())
      what += fmt::format(" ({}, {}, blocks of {})", file.format, file.mode,
                          format_bytes(static_cast<int64_t>(file.block_bytes)));
    text += row(file.totals, std::to_string(calls), what);
  }
  text += row(report.totals, "", "all");
  for (const FileReport& file : report.files) {
    if (!file.mode.empty()) text += fmt::format("  {}: {}\n", file.path, advice(file));
  }
  return text;
}

std::string options_as_text(const Options& options) {
  std::string text;
  for (const OptionSpec& spec : known_options()) {
    const std::string& in_force = options.in_force(spec.id);
    if (options.origin(spec.id) == "default" && in_force.empty()) continue;
    text +=
        fmt::format("  {}{}\n", options.describe(spec.id), in_force.empty() ? "" : "; in force: " + in_force);
  }
  return text;
}

}  // namespace

std::string as_json(const Report& report) {
  Json json = {{"scorpio", report.version},
               {"schema", k_schema},
               {"built_with", report.built_with},
               {"io_system",
                {{"number", report.number},
                 {"ranks", report.ranks},
                 {"nodes", report.nodes},
                 {"io_ranks", report.io_ranks},
                 {"metadata_rank", report.metadata_rank},
                 {"staging", report.staging},
                 {"seconds", report.seconds},
                 {"backlog", json_of(report.backlog)}}},
               {"options", json_of(report.options)},
               {"counters", json_of(report.totals)}};
  json["files"] = Json::array();
  for (const FileReport& file : report.files) json["files"].push_back(json_of(file, report.io_ranks));
  json["other_files"] = report.other_files;
  json["notes"] = report.notes;
  // A path may contain any bytes.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_text(const Report& report) {
  std::string text = fmt::format("SCORPIO {}: report of I/O system {}, {:.3f} s\n", report.version,
                                 report.number, report.seconds);
  text += fmt::format("built with: {}\n", report.built_with);
  text += fmt::format("ranks: {} on {} node{}; I/O ranks: {} ({}); metadata rank {}\nstaging: {}\n",
                      report.ranks, report.nodes, report.nodes == 1 ? "" : "s", report.io_ranks.size(),
                      fmt::join(report.io_ranks, ", "), report.metadata_rank, report.staging);
  text += "options that are not the default, or of which something else is in force:\n" +
          options_as_text(report.options);
  text += "files (bytes and numbers of all ranks; seconds of the slowest):\n" + files_as_text(report);
  for (const std::string& note : report.notes) text += fmt::format("note: {}\n", note);
  return text;
}

std::string report_path(const std::string& wished, int world_rank, uint64_t number) {
  std::string more;
  if (world_rank != 0) more += fmt::format("-rank{}", world_rank);
  if (number != 1) more += fmt::format("-{}", number);
  const size_t name = wished.rfind('/') + 1;  // 0 if there is no folder
  const size_t dot = wished.rfind('.');
  const bool suffix = dot != std::string::npos && dot > name;
  std::string path = wished;
  return path.insert(suffix ? dot : path.size(), more);
}

}  // namespace scorpio::observe
