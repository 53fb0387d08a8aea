#include "session/iosystem/agreed_options.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "comm/agree.h"
#include "comm/ballot.h"
#include "plan/io_rank_options.h"

namespace scorpio::session {

namespace {

// The reduction takes the largest source of each option, because the source of a value decides whether it is
// an upper bound, and all ranks must decide alike.
struct OptionFacts {
  std::array<comm::Most, plan::k_io_rank_options.size()> sources;
  comm::Any report;  // whether rank 0 writes a report
  comm::Any trace;   // whether it asks for a trace
  auto fields() {
    return std::apply([this](auto&... source) { return std::tie(source..., report, trace); }, sources);
  }
};

OptionFacts option_facts(const Options& options, bool first_rank) {
  OptionFacts facts;
  for (size_t i = 0; i < facts.sources.size(); ++i)
    facts.sources[i] = {static_cast<uint64_t>(options.source(plan::k_io_rank_options[i]))};
  if (!first_rank) return facts;
  facts.report = {!options.text(Option::report).empty()};
  facts.trace = {!options.text(Option::trace).empty()};
  return facts;
}

// Only rank 0 reads the configuration file, so that a job of many ranks does not open one small file many
// times.
Result<ConfigFile> shared_config_file(const comm::Group& comm, const Status& arguments) {
  Result<ConfigFile> config = ConfigFile{};
  if (comm.rank() == 0) config = read_config_file(process_environment);
  SCORPIO_TRY(comm::agree(comm, first_failure(arguments, config.status())));
  for (std::string* text : {&config->path, &config->text}) {
    const auto given = std::as_bytes(std::span(*text));
    std::vector<std::byte> bytes(given.begin(), given.end());
    SCORPIO_TRY(comm.broadcast(bytes, 0));
    text->assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return config;
}

}  // namespace

Result<AgreedOptions> agree_on_options(const comm::Group& comm, const OptionSet& options,
                                       const Status& arguments) {
  SCORPIO_ASSIGN(const ConfigFile config, shared_config_file(comm, arguments));
  const Result<Options> resolved = resolve(options, process_environment, config);
  OptionFacts facts = resolved.ok() ? option_facts(*resolved, comm.rank() == 0) : OptionFacts();
  SCORPIO_TRY(comm::agree_equal(comm, resolved.status(), resolved.ok() ? resolved->hash() : 0,
                                "options, in the program or in the environment,", facts,
                                [&] { return resolved->describe_values(); }));
  AgreedOptions agreed;
  agreed.options = *resolved;
  agreed.report = facts.report.value;
  agreed.trace = facts.trace.value;
  // resolve() has checked the rules.
  SCORPIO_ASSIGN(agreed.rules, FileRules::parse(agreed.options.text(Option::file_options)));
  for (size_t i = 0; i < facts.sources.size(); ++i)
    agreed.options.raise_source(plan::k_io_rank_options[i], static_cast<Source>(facts.sources[i].value));
  return agreed;
}

// The same options object can serve both calls: an option of the I/O system is accepted if it has the same
// value.
Result<Options> options_of_file(const Options& system, const FileRules& rules, const std::string& path,
                                const OptionSet& asked) {
  for (const auto& [option, value] : asked.values()) {
    const OptionSpec& spec = spec_of(option);
    if (spec.per_file || value == system.value(option)) continue;
    return failure(
        Code::argument,
        "option {} is that of the I/O system ({}), not of a file: give {} to scorpio_iosystem_create",
        spec.name, format_value(spec, system.value(option)), format_value(spec, value));
  }
  Options options = system;
  options.overlay(rules.options_for(path), Source::rule);
  options.overlay(asked);
  return options;
}

}  // namespace scorpio::session
