// scorpio-plan FILE: what puts by the decomposition in FILE will cost on any number of ranks and nodes, and
// with other choices of I/O ranks, domains and exchange. Exit code 0, or 2 with a message if FILE or an
// argument is wrong.
#include <fmt/format.h>
#include <scorpio/scorpio.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>

#include "maps.h"
#include "netcdf_maps.h"
#include "tables.h"
#include "text_maps.h"

namespace {

using job_plan::BadInput;
using job_plan::Maps;

constexpr int k_bad_input = 2;
// More would take more memory or time than anyone has.
constexpr int k_most_ranks = 1 << 22, k_most_variables = 1'000'000;

const std::map<std::string, scorpio_type> k_types{
    {"int8", SCORPIO_INT8},     {"uint8", SCORPIO_UINT8},     {"int16", SCORPIO_INT16},
    {"uint16", SCORPIO_UINT16}, {"int32", SCORPIO_INT32},     {"uint32", SCORPIO_UINT32},
    {"int64", SCORPIO_INT64},   {"uint64", SCORPIO_UINT64},   {"float32", SCORPIO_FLOAT32},
    {"float", SCORPIO_FLOAT32}, {"float64", SCORPIO_FLOAT64}, {"double", SCORPIO_FLOAT64}};

struct Arguments {
  std::string file;
  int decomposition = 1;
  int ranks = 0, nodes = 1, io_ranks = 0, variables = 1;  // ranks 0: those of the file; io_ranks 0: not given
  std::string type = "double", block, staging, format;
  std::vector<std::string> options;
  bool json = false;
};

void describe(CLI::App& app, Arguments& a) {
  const CLI::Range ranks(1, k_most_ranks), variables(1, k_most_variables);
  const CLI::Range positive(1, std::numeric_limits<int>::max());
  app.add_option("FILE", a.file,
                 "A decomposition: in PIO's text form, or in a netCDF file of the E3SM I/O benchmark or PIO")
      ->required();
  app.add_option("--ranks", a.ranks, "Ranks of the job; without it those of FILE")->check(ranks);
  app.add_option("--nodes", a.nodes, "Nodes, of consecutive ranks")->check(ranks)->capture_default_str();
  app.add_option("--io-ranks", a.io_ranks, "Compare this number of I/O ranks too")->check(ranks);
  app.add_option("--type", a.type, "Type of the elements")
      ->check(CLI::IsMember(&k_types))
      ->capture_default_str();
  app.add_option("--variables", a.variables, "Variables of the file, put one after the other")
      ->check(variables)
      ->capture_default_str();
  app.add_option("--block", a.block, "Bytes of a block of the file system (option block_bytes), as 4m");
  app.add_option("--staging", a.staging, "Bytes of staging memory of an I/O rank (option staging_bytes)");
  app.add_option("--format", a.format, "Format of the file (option format)");
  app.add_option("--option", a.options, "NAME=VALUE: any other option of docs/options.md; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--decomposition", a.decomposition,
                 "K: decomposition DK of a file of the E3SM I/O benchmark")
      ->check(positive)
      ->capture_default_str();
  app.add_flag("--json", a.json, "Print all numbers as JSON");
}

bool is_netcdf(const std::string& text) { return text.starts_with("CDF") || text.starts_with("\x89HDF"); }

// Without the rest of a file of the library, which reads these by itself: they may be larger than the memory.
std::string text_of(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw BadInput(path + ": cannot be read: it is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw BadInput(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  std::string text(4, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  if (!is_netcdf(text)) text.append(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) throw BadInput(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  if (text.empty()) throw BadInput(path + ": is empty");
  return text;
}

Maps read(const Arguments& a) {
  const std::string text = text_of(a.file);
  if (is_netcdf(text)) return job_plan::read_netcdf_maps(a.file, a.decomposition);
  if (a.decomposition > 1)
    throw BadInput(
        fmt::format("--decomposition {}: {} holds one decomposition only", a.decomposition, a.file));
  return job_plan::read_text_maps(a.file, text);
}

void check(int code) {
  if (code == SCORPIO_OK) return;
  scorpio_error error;
  (void)scorpio_error_last(&error);
  throw BadInput(error.text);
}

struct FreeOptions {
  void operator()(scorpio_options* options) const { (void)scorpio_options_free(options); }
};
using Options = std::unique_ptr<scorpio_options, FreeOptions>;

Options options_of(const Arguments& a) {
  scorpio_options* made = nullptr;
  check(scorpio_options_create(&made));
  Options options(made);
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) check(scorpio_options_set(made, name, value.c_str()));
  };
  set("block_bytes", a.block);
  set("staging_bytes", a.staging);
  set("format", a.format);
  for (const std::string& one : a.options) {
    const size_t equals = one.find('=');
    if (equals == std::string::npos) throw BadInput(fmt::format("--option {}: is not NAME=VALUE", one));
    check(scorpio_options_set(made, one.substr(0, equals).c_str(), one.substr(equals + 1).c_str()));
  }
  return options;
}

void check_counts(const Arguments& a, int ranks) {
  if (a.nodes > ranks) throw BadInput(fmt::format("--nodes {}: more than the {} ranks", a.nodes, ranks));
  if (a.io_ranks > ranks)
    throw BadInput(fmt::format("--io-ranks {}: more than the {} ranks", a.io_ranks, ranks));
}

std::string plan(const Arguments& a, const Maps& maps) {
  std::vector<int64_t> lengths, all;
  for (const std::vector<int64_t>& one : maps.indices) {
    lengths.push_back(static_cast<int64_t>(one.size()));
    all.insert(all.end(), one.begin(), one.end());
  }
  const Options options = options_of(a);
  scorpio_job job{};
  job.ranks = maps.ranks();
  job.nodes = a.nodes;
  job.io_ranks = a.io_ranks;
  job.variables = a.variables;
  job.type = k_types.at(a.type);
  job.ndims = static_cast<int>(maps.dims.size());
  job.dims = maps.dims.data();
  job.lengths = lengths.data();
  job.index = all.data();
  std::string text(64 << 10, '\0');
  size_t length = 0;
  check(scorpio_job_plan(&job, options.get(), text.data(), text.size(), &length));
  if (length >= text.size()) {
    text.resize(length + 1);
    check(scorpio_job_plan(&job, options.get(), text.data(), text.size(), &length));
  }
  text.resize(length);
  return text;
}

void run(const Arguments& a) {
  if (a.ranks > 0) check_counts(a, a.ranks);
  Maps maps = read(a);
  const std::string form = fmt::format("{}, {} ranks", maps.form, maps.ranks());
  const int ranks = a.ranks > 0 ? a.ranks : maps.ranks();
  check_counts(a, ranks);
  maps = job_plan::redistributed(std::move(maps), ranks);
  const std::string text = plan(a, maps);
  if (a.json) return fmt::print("{}", text);
  fmt::print("{}", job_plan::tables_of(nlohmann::ordered_json::parse(text), a.file, form));
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(
      "Prints what puts by a decomposition will cost on any number of ranks and nodes before anything is "
      "run:\n"
      "messages, bytes, writes and memory, with the options in force and with others. Options are read from "
      "the\n"
      "environment and the configuration file, as by a program. docs/plan.md describes the numbers.\n",
      "scorpio-plan");
  describe(app, arguments);
  app.set_version_flag("--version", std::string("scorpio-plan ") + SCORPIO_VERSION_TEXT);
  app.footer(
      "\nIf the file has the maps of another number of ranks than --ranks, those of neighbouring ranks are "
      "joined,\n"
      "or the map of each rank is divided among neighbouring ones.\n\n"
      "Exit status: 0, or 2 with a message on standard error if FILE or an argument is wrong.\n\n"
      "Example: scorpio-plan map_f_case_16p.nc --decomposition 3 --ranks 1024 --nodes 16 --variables 100");
  try {
    app.parse(argc, argv);
    run(arguments);
    return 0;
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const std::exception& bad) {
    fmt::print(stderr, "scorpio-plan: {}\n", bad.what());
    return k_bad_input;
  }
}
