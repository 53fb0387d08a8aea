#include "base/options.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/cost_model.h"
#include "base/cpu_list.h"
#include "base/file_rules.h"
#include "base/hash.h"
#include "base/variable_names.h"

namespace scorpio {
namespace {

constexpr const char* k_config_variable = "SCORPIO_CONFIG";
constexpr size_t k_most_config_bytes = size_t{16} << 20;  // more than any list of options takes

const char* value_or_null(const Environment& environment, const std::string& name) {
  const char* value = environment(name.c_str());
  return value == nullptr || *value == '\0' ? nullptr : value;
}

// JSON strings, integers and booleans; other types are not values of options.
Result<std::string> text_of(const std::string& name, const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer() || value.is_boolean()) return value.dump();
  // Writing a value recurses, and what is in an array or object can be nested as deep as the file is long.
  const std::string found = value.is_structured() ? std::string(value.type_name()) : value.dump();
  return failure(Code::argument, "option {} = {}: the value must be a string, a whole number, true or false",
                 name, found);
}

// Of several values of one name JSON readers take the last one: the user would not see which is in force.
Result<nlohmann::json> parse_json(const std::string& text) {
  using nlohmann::json;
  std::set<std::string> names;
  std::string repeated;
  const auto note_names = [&](int depth, json::parse_event_t event, const json& value) {
    if (event == json::parse_event_t::key && depth == 1 && !names.insert(value.get<std::string>()).second)
      repeated = value.get<std::string>();
    return true;
  };
  try {
    json document = json::parse(text, note_names, true, true);
    if (repeated.empty()) return document;
    return failure(Code::argument, "option {} is given more than once; keep one of its values", repeated);
  } catch (const json::exception& error) {
    return failure(Code::argument, "not valid JSON ({})", error.what());
  }
}

Status apply_config(const std::string& text, const std::string& origin, Options& options) {
  SCORPIO_ASSIGN(const nlohmann::json document, parse_json(text));
  if (!document.is_object()) {
    return failure(Code::argument, "the file must hold a JSON object, as {{\"io_ranks\": 4}}");
  }
  for (const auto& [name, json_value] : document.items()) {
    SCORPIO_ASSIGN(const Option option, find_option(name));
    SCORPIO_ASSIGN(const std::string value_text, text_of(name, json_value));
    SCORPIO_ASSIGN(OptionValue value, parse_value(spec_of(option), value_text));
    options.set(option, std::move(value), Source::file, origin);
  }
  return {};
}

Status apply_environment(const Environment& environment, Options& options) {
  for (const OptionSpec& spec : known_options()) {
    const std::string variable = variable_of(spec);
    const char* text = value_or_null(environment, variable);
    if (text == nullptr) continue;
    auto value = parse_value(spec, text);
    if (!value.ok()) return value.status().with_context("environment variable " + variable);
    options.set(spec.id, std::move(value).value(), Source::environment, "environment " + variable);
  }
  return {};
}

}  // namespace

const char* process_environment(const char* name) { return std::getenv(name); }

Result<ConfigFile> read_config_file(const Environment& environment) {
  const char* path = value_or_null(environment, k_config_variable);
  if (path == nullptr) return ConfigFile{};
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  ConfigFile config{.path = path, .text = {}};
  // Does not use stream iterators, which throw if the path is a folder.
  std::array<char, 4096> piece;
  while (stream.read(piece.data(), piece.size()) || stream.gcount() > 0) {
    config.text.append(piece.data(), static_cast<size_t>(stream.gcount()));
    if (config.text.size() > k_most_config_bytes) {
      return failure(
          Code::limit,
          "configuration file {} has more than {} bytes; correct or unset the environment variable {}", path,
          k_most_config_bytes, k_config_variable);
    }
  }
  if (!stream.is_open() || stream.bad()) {
    return failure(Code::not_found, "configuration file {}: {}; correct or unset the environment variable {}",
                   path, errno != 0 ? std::strerror(errno) : "cannot be read", k_config_variable);
  }
  return config;
}

std::vector<Options::Entry> Options::defaults() {
  std::vector<Entry> entries;
  for (const OptionSpec& spec : known_options()) {
    auto value = parse_value(spec, spec.default_value);
    assert(value.ok());
    entries.push_back({std::move(value).value(), Source::library, "default", {}});
  }
  return entries;
}

// The values are parsed once, because every file has options.
Options::Options() {
  static const std::vector<Entry> all = defaults();
  entries_ = all;
}

int64_t Options::integer(Option option) const {
  assert(spec_of(option).kind == OptionKind::integer);
  return entry(option).value.number;
}

uint64_t Options::bytes(Option option) const {
  assert(spec_of(option).kind == OptionKind::bytes);
  return static_cast<uint64_t>(entry(option).value.number);
}

bool Options::boolean(Option option) const {
  assert(spec_of(option).kind == OptionKind::boolean);
  return entry(option).value.number != 0;
}

const std::string& Options::choice(Option option) const {
  assert(spec_of(option).kind == OptionKind::choice);
  return entry(option).value.text;
}

const std::string& Options::text(Option option) const {
  assert(spec_of(option).kind == OptionKind::text);
  return entry(option).value.text;
}

std::vector<int> Options::ranks(Option option) const {
  assert(spec_of(option).kind == OptionKind::ranks);
  return ranks_of(entry(option).value);
}

void Options::set(Option option, OptionValue value, Source source, std::string origin) {
  entry(option) = {std::move(value), source, std::move(origin), {}};
}

void Options::raise_source(Option option, Source source) {
  entry(option).source = std::max(entry(option).source, source);
}

void Options::set_in_force(Option option, std::string text) {
  Entry& e = entry(option);
  if (text == format_value(spec_of(option), e.value)) text.clear();
  e.in_force = std::move(text);
}

void Options::overlay(const OptionSet& values, Source source) {
  const char* const origin = source == Source::rule ? "option file_options" : "API";
  for (const auto& [option, value] : values.values()) set(option, value, source, origin);
}

std::string Options::text_of(Option option, bool in_force) const {
  const Entry& e = entry(option);
  return in_force && !e.in_force.empty() ? e.in_force : format_value(spec_of(option), e.value);
}

std::string Options::describe(Option option) const {
  const OptionSpec& spec = spec_of(option);
  const Entry& e = entry(option);
  return fmt::format("{} = {} ({})", spec.name, format_value(spec, e.value), e.origin);
}

std::string Options::describe() const {
  std::string text;
  for (const OptionSpec& spec : known_options()) {
    text += describe(spec.id);
    if (!in_force(spec.id).empty()) text += "; in force: " + in_force(spec.id);
    text += '\n';
  }
  return text;
}

namespace {

// Ranks may have different faults, and only the report, the trace and the explanations of rank 0 are used.
bool is_compared(const OptionSpec& spec) {
  return spec.id != Option::store_faults && spec.id != Option::report && spec.id != Option::trace &&
         spec.id != Option::explain;
}

}  // namespace

std::string Options::describe_values() const {
  std::string text;
  for (const OptionSpec& spec : known_options()) {
    if (!is_compared(spec)) continue;
    text += fmt::format("{} = {}\n", spec.name, format_value(spec, entry(spec.id).value));
  }
  return text;
}

uint64_t Options::hash() const {
  uint64_t hash = k_fnv_offset_basis;
  for (const OptionSpec& spec : known_options()) {
    if (!is_compared(spec)) continue;
    const OptionValue& value = entry(spec.id).value;
    hash = mixed(fnv1a(value.text, hash) ^ mixed(static_cast<uint64_t>(value.number)));
  }
  return hash;
}

namespace {

Status check_rules(const Options& options) {
  const Option option = Option::file_options;
  const Result<FileRules> rules = FileRules::parse(options.text(option));
  return rules.status().with_context(fmt::format("option file_options ({})", options.origin(option)));
}

Status check_costs(const Options& options) {
  const Option option = Option::cost_model;
  return CostModel::parse(options.text(option))
      .status()
      .with_context(fmt::format("option cost_model ({})", options.origin(option)));
}

Status check_cpus(const Options& options) {
  const Option option = Option::worker_cpus;
  const std::string& text = options.text(option);
  if (text == k_free_cpus || text == k_cpus_of_rank) return {};
  return parse_cpus(text).status().with_context(
      fmt::format("option worker_cpus ({}), which is {}, {} or a list", options.origin(option), k_free_cpus,
                  k_cpus_of_rank));
}

}  // namespace

Result<Options> resolve(const OptionSet& api, const Environment& environment, const ConfigFile& config) {
  Options options;
  if (!config.path.empty()) {
    const std::string origin = "configuration file " + config.path;
    SCORPIO_TRY(apply_config(config.text, origin, options).with_context(origin));
  }
  SCORPIO_TRY(apply_environment(environment, options));
  options.overlay(api);
  SCORPIO_TRY(check_rules(options));
  SCORPIO_TRY(check_cpus(options));
  SCORPIO_TRY(check_costs(options));
  return options;
}

Result<Options> resolve(const OptionSet& api, const Environment& environment) {
  SCORPIO_ASSIGN(const ConfigFile config, read_config_file(environment));
  return resolve(api, environment, config);
}

}  // namespace scorpio
