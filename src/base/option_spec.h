// An option: its identifier, name, kind, default, range and help. Local; pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

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
  stripe_count,
  stripe_bytes,
  chunk_bytes,
  chunk_goal,
  expected_records,
  filters,
  domains,
  cost_model,
  writers,
  nodes,
  exchange,
  transfer,
  ranges,
  file_name,
  replace,
  eager,
  combine,
  gather_writes,
  shared_encoding,
  asynchronous,
  close,
  sync,
  priority,
  bandwidth,
  async_files,
  worker_cpus,
  progress_thread,
  file_options,
  durable,
  journal,
  recover,
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
  trace,
  explain,
  messages,
  timeout_s,
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
  int64_t minimum = 0;             // for integer and bytes
  int64_t maximum = 0;             // for integer, bytes, and each of the ranks
  bool zero_is_automatic = false;  // 0 is allowed although it is below the minimum
  bool power_of_two = false;       // 0 or a power of two
  const char* no_limit = "";       // for bytes: a word that stands for the maximum; empty: there is none
  const char* choices = "";        // for a choice: names separated by '|'; empty: choices_by() returns them
  std::string_view (*choices_by)() = nullptr;
  bool per_file = false;  // false: an option of the I/O system, with one value for all its files
  // For docs/options.md, which dev/make-tables writes from here, in Markdown.
  const char* help = "";  // what it sets, with the unit and the meaning of the values
  const char* cost = "";
  const char* when = "";  // the situation in which it is to be changed
};

// The names of a choice.
std::vector<std::string_view> choices_of(const OptionSpec& spec);

}  // namespace scorpio
