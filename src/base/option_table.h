// The options that exist: name, kind, default, range, help. Local; pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace scorpio {

// In the order of the table.
enum class Option : uint8_t {
  io_ranks,
  io_ranks_per_node,
  io_placement,
  group_size,
  io_stride,
  io_base,
  io_rank_list,
  staging_bytes,
  staging_files,
  block_bytes,
  chunk_bytes,
  domains,
  nodes,
  exchange,
  file_name,
  replace,
  eager,
  combine,
  gather_writes,
  asynchronous,
  close,
  sync,
  async_files,
  file_options,
  durable,
  journal,
  strict,
  format,
  model,
  text_padding,
  header_free,
  data_align,
  variable_align,
  variable_free,
  record_align,
  report,
  store,
  store_faults,
};

enum class OptionKind : uint8_t {
  integer,
  bytes,
  boolean,
  choice,
  text,
  ranks,  // different numbers of ranks, separated by commas; their order counts
};

struct OptionSpec {
  Option id;
  const char* name;
  OptionKind kind;
  const char* default_value;
  int64_t minimum = 0;             // integer and bytes
  int64_t maximum = 0;             // integer, bytes, and each of the ranks
  bool zero_is_automatic = false;  // 0 is allowed although it lies below the minimum
  bool power_of_two = false;       // every value but 0
  const char* choices = "";        // choice: names separated by '|'; else choices_by() gives them
  std::string_view (*choices_by)() = nullptr;
  bool per_file = false;  // else it is the I/O system's, and the same for all its files
  // For docs/options.md, which dev/make-tables writes from here, in Markdown.
  const char* help = "";  // what it sets, with the unit and the meaning of the values
  const char* cost = "";
  const char* when = "";  // the situation in which it is to be changed
};

// The names of the formats, separated by '|', as their registry has them: the formats lie above this folder,
// and define it there (format/registry.cpp).
std::string_view format_names();

std::span<const OptionSpec> known_options();
const OptionSpec& spec_of(Option option);
// Code::name for an unknown name; the text says which known one is nearest.
Result<Option> find_option(std::string_view name);

std::vector<std::string_view> choices_of(const OptionSpec& spec);
// The allowed values, for messages: "0 to 1048576", "spread or groups".
std::string allowed_values(const OptionSpec& spec);

}  // namespace scorpio
