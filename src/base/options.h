// The options of an I/O system or file, with their values and origins. Local; pure but for
// read_config_file(). Precedence: API > environment > configuration file > default.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/option_set.h"
#include "base/option_table.h"
#include "base/option_value.h"
#include "base/result.h"

namespace scorpio {

// std::getenv, or a replacement in tests. Null: not set.
using Environment = std::function<const char*(const char* name)>;
const char* process_environment(const char* name);

struct ConfigFile {
  std::string path;  // empty: there is none
  std::string text;  // a JSON object of name: value; comments are allowed
};

// The file that the environment variable SCORPIO_CONFIG names.
Result<ConfigFile> read_config_file(const Environment& environment);

// The origins of a value; a later one takes precedence.
enum class Source : uint8_t { library, file, environment, rule, program };  // rule: option file_options

// A value for every known option.
class Options {
 public:
  Options();  // all defaults

  int64_t integer(Option option) const;
  uint64_t bytes(Option option) const;
  bool boolean(Option option) const;
  const std::string& choice(Option option) const;
  const std::string& text(Option option) const;
  std::vector<int> ranks(Option option) const;

  const OptionValue& value(Option option) const { return entry(option).value; }
  // "default", "configuration file run.json", "environment SCORPIO_IO_RANKS", "option file_options" or "API".
  const std::string& origin(Option option) const { return entry(option).origin; }
  Source source(Option option) const { return entry(option).source; }
  // "16 MiB"; `in_force`: the value in force, if it differs.
  std::string text_of(Option option, bool in_force = false) const;
  // "staging_bytes = 16 MiB (default)".
  std::string describe(Option option) const;
  // One line for each option, with the value in force if it differs: "io_ranks = 0 (default); in force: 2".
  std::string describe() const;
  // Empty if the value itself is in force.
  const std::string& in_force(Option option) const { return entry(option).in_force; }
  // Sets the value in force. Not stored if it is the value itself.
  void set_in_force(Option option, std::string text);
  // Values only, as hash() takes them: "staging_bytes = 16 MiB".
  std::string describe_values() const;
  // The hash of the values without their origins: equal on ranks with equal values.
  uint64_t hash() const;

  void set(Option option, OptionValue value, Source source, std::string origin);
  // Ranks agreed that the value has this origin on some rank.
  void raise_source(Option option, Source source);
  // The values of API calls, or of a rule, replace the present ones.
  void overlay(const OptionSet& values, Source source = Source::program);

 private:
  struct Entry {
    OptionValue value;
    Source source = Source::library;
    std::string origin;
    std::string in_force;
  };
  static std::vector<Entry> defaults();
  const Entry& entry(Option option) const { return entries_[static_cast<size_t>(option)]; }
  Entry& entry(Option option) { return entries_[static_cast<size_t>(option)]; }

  std::vector<Entry> entries_;  // [known options]
};

// An environment variable that is set but empty counts as not set.
Result<Options> resolve(const OptionSet& api, const Environment& environment, const ConfigFile& config);
// The same with the configuration file read here.
Result<Options> resolve(const OptionSet& api, const Environment& environment = process_environment);

}  // namespace scorpio
