#include "base/option_table.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/edit_distance.h"
#include "base/option_value.h"

namespace scorpio {
namespace {

constexpr int64_t k_any = std::numeric_limits<int64_t>::max();
constexpr int64_t k_max_ranks = std::numeric_limits<int32_t>::max();
constexpr int64_t k_min_staging_bytes = 64 << 10;
constexpr int64_t k_min_block_bytes = 512;
constexpr int64_t k_max_alignment_bytes = int64_t{1} << 30;
constexpr int64_t k_max_block_bytes = int64_t{1} << 30;

constexpr auto k_options = std::to_array<OptionSpec>({
    {.id = Option::io_ranks,
     .name = "io_ranks",
     .kind = OptionKind::integer,
     .default_value = "0",
     .unit = "ranks",
     .maximum = k_max_ranks,
     .help = "ranks that open the file; 0: 1 per node, 2 where the node has 8 ranks or more"},
    {.id = Option::io_ranks_per_node,
     .name = "io_ranks_per_node",
     .kind = OptionKind::integer,
     .default_value = "0",
     .unit = "ranks",
     .maximum = k_max_ranks,
     .help = "I/O ranks on each node; 0: as io_ranks says"},
    {.id = Option::io_placement,
     .name = "io_placement",
     .kind = OptionKind::choice,
     .default_value = "spread",
     .unit = "",
     .choices = "spread|groups",
     .help = "spread: over the nodes; groups: the first rank of each group of consecutive ranks"},
    {.id = Option::group_size,
     .name = "group_size",
     .kind = OptionKind::integer,
     .default_value = "0",
     .unit = "ranks",
     .maximum = k_max_ranks,
     .help = "ranks per group with io_placement = groups; 0: all ranks are one group"},
    {.id = Option::io_stride,
     .name = "io_stride",
     .kind = OptionKind::integer,
     .default_value = "0",
     .unit = "ranks",
     .maximum = k_max_ranks,
     .help = "from one I/O rank to the next, io_ranks of them from io_base on; 0: as io_placement says"},
    {.id = Option::io_base,
     .name = "io_base",
     .kind = OptionKind::integer,
     .default_value = "0",
     .unit = "rank",
     .maximum = k_max_ranks,
     .help = "the first I/O rank, with io_stride"},
    {.id = Option::io_rank_list,
     .name = "io_rank_list",
     .kind = OptionKind::ranks,
     .default_value = "",
     .unit = "ranks",
     .maximum = k_max_ranks,
     .help = "the I/O ranks, as \"0,4,8\"; the first is the metadata rank; empty: as the others say"},
    {.id = Option::staging_bytes,
     .name = "staging_bytes",
     .kind = OptionKind::bytes,
     .default_value = "16MiB",
     .unit = "bytes",
     .minimum = k_min_staging_bytes,
     .maximum = k_any,
     .help = "staging memory of each I/O rank, all its buffers together"},
    {.id = Option::staging_files,
     .name = "staging_files",
     .kind = OptionKind::integer,
     .default_value = "0",
     .unit = "files",
     .maximum = k_max_ranks,
     .help = "open files that share the staging memory evenly; 0: each takes half of what is left"},
    {.id = Option::block_bytes,
     .name = "block_bytes",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .unit = "bytes",
     .minimum = k_min_block_bytes,
     .maximum = k_max_block_bytes,
     .zero_is_automatic = true,
     .power_of_two = true,
     .per_file = true,
     .help = "unit in which a file is divided among I/O ranks; 0: ask the file system, 1 MiB if unknown"},
    {.id = Option::domains,
     .name = "domains",
     .kind = OptionKind::choice,
     .default_value = "cyclic",
     .unit = "",
     .choices = "cyclic|contiguous",
     .help = "how the blocks of a file are dealt to the I/O ranks"},
    {.id = Option::nodes,
     .name = "nodes",
     .kind = OptionKind::integer,
     .default_value = "0",
     .unit = "nodes",
     .maximum = k_max_ranks,
     .help = "pretend that the job spans this many nodes; 0: the real ones"},
    {.id = Option::exchange,
     .name = "exchange",
     .kind = OptionKind::choice,
     .default_value = "auto",
     .unit = "",
     .choices = "auto|shared|messages",
     .help = "how data reach the I/O ranks: node-shared memory, messages, or the best that works"},
    {.id = Option::file_name,
     .name = "file_name",
     .kind = OptionKind::choice,
     .default_value = "sync",
     .unit = "",
     .choices = "sync|close",
     .per_file = true,
     .help = "when a new file gets its final name: at its first sync (or close), or only at close"},
    {.id = Option::replace,
     .name = "replace",
     .kind = OptionKind::boolean,
     .default_value = "true",
     .unit = "",
     .per_file = true,
     .help = "a new file takes the place of one that has its name; false: that is an error"},
    {.id = Option::eager,
     .name = "eager",
     .kind = OptionKind::boolean,
     .default_value = "false",
     .unit = "",
     .per_file = true,
     .help = "make each object in the file when it is defined, and keep a live HDF5 id"},
    {.id = Option::combine,
     .name = "combine",
     .kind = OptionKind::boolean,
     .default_value = "true",
     .unit = "",
     .per_file = true,
     .help = "all requests of a wait in one operation; false: one by one"},
    {.id = Option::gather_writes,
     .name = "gather_writes",
     .kind = OptionKind::boolean,
     .default_value = "false",
     .unit = "",
     .help = "I/O ranks write when staging is full or at a sync point, neighbours with one call"},
    {.id = Option::durable,
     .name = "durable",
     .kind = OptionKind::boolean,
     .default_value = "false",
     .unit = "",
     .per_file = true,
     .help = "sync and close return when the data survive a power failure"},
    {.id = Option::journal,
     .name = "journal",
     .kind = OptionKind::boolean,
     .default_value = "true",
     .unit = "",
     .per_file = true,
     .help = "undo journal for files opened for writing"},
    {.id = Option::strict,
     .name = "strict",
     .kind = OptionKind::boolean,
     .default_value = "false",
     .unit = "",
     .per_file = true,
     .help = "a classic file that lacks data of which its header tells is an error, not zeros"},
    {.id = Option::format,
     .name = "format",
     .kind = OptionKind::choice,
     .default_value = "hdf5",
     .unit = "",
     .choices_by = format_names,
     .per_file = true,
     .help = "format of new files: HDF5, or netCDF classic, with 64-bit offsets, with 64-bit data"},
    {.id = Option::text_padding,
     .name = "text_padding",
     .kind = OptionKind::choice,
     .default_value = "nullpad",
     .unit = "",
     .choices = "nullpad|nullterm",
     .per_file = true,
     .help = "hdf5: how new variables of text end: padded with NUL, or terminated by it as texts in C"},
    {.id = Option::header_free,
     .name = "header_free",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .unit = "bytes",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "cdf: room behind the header, so that later definitions move no data (nc__enddef h_minfree)"},
    {.id = Option::data_align,
     .name = "data_align",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .unit = "bytes",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "cdf: data begin at a multiple of it (nc_header_align_size); 0: as PnetCDF, 512"},
    {.id = Option::variable_align,
     .name = "variable_align",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .unit = "bytes",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "cdf: variables without records begin at multiples of it (nc_var_align_size); 0: 4"},
    {.id = Option::variable_free,
     .name = "variable_free",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .unit = "bytes",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "cdf: room behind the variables without records (nc__enddef v_minfree)"},
    {.id = Option::record_align,
     .name = "record_align",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .unit = "bytes",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "cdf: record 0 begins at a multiple of it (nc_record_align_size); 0: 4"},
    {.id = Option::report,
     .name = "report",
     .kind = OptionKind::text,
     .default_value = "",
     .unit = "",
     .help = "file that gets a report (JSON) at the end of the I/O system; -: as text on standard output"},
    {.id = Option::store,
     .name = "store",
     .kind = OptionKind::choice,
     .default_value = "posix",
     .unit = "",
     .choices = "posix|null",
     .help = "where bytes go; null: nowhere, for counting only"},
    {.id = Option::store_faults,
     .name = "store_faults",
     .kind = OptionKind::text,
     .default_value = "",
     .unit = "",
     .help = "for tests: system calls that fail, as \"write:3=ENOSPC;write:*5=EINTR\""},
});

}  // namespace

std::span<const OptionSpec> known_options() { return k_options; }

const OptionSpec& spec_of(Option option) { return k_options[static_cast<size_t>(option)]; }

Result<Option> find_option(std::string_view name) {
  for (const OptionSpec& spec : k_options) {
    if (name == spec.name) return spec.id;
  }
  const auto nearest =
      std::min_element(k_options.begin(), k_options.end(), [name](const auto& a, const auto& b) {
        return edit_distance(name, a.name) < edit_distance(name, b.name);
      });
  return failure(Code::name, "no option is named \"{}\"; the nearest is \"{}\" (docs/options.md lists all)",
                 name, nearest->name);
}

std::vector<std::string_view> choices_of(const OptionSpec& spec) {
  std::vector<std::string_view> choices;
  std::string_view rest = spec.choices_by == nullptr ? spec.choices : spec.choices_by();
  while (!rest.empty()) {
    const size_t bar = rest.find('|');
    choices.push_back(rest.substr(0, bar));
    rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
  }
  return choices;
}

std::string allowed_values(const OptionSpec& spec) {
  switch (spec.kind) {
    case OptionKind::boolean:
      return "true or false";
    case OptionKind::choice:
      return fmt::format("{}", fmt::join(choices_of(spec), " or "));
    case OptionKind::text:
      return "any text";
    case OptionKind::ranks:
      return "different ranks separated by commas, as 0,4,8";
    case OptionKind::integer:
    case OptionKind::bytes:
      break;
  }
  const bool bytes = spec.kind == OptionKind::bytes;
  const auto show = [bytes](int64_t value) { return bytes ? format_bytes(value) : fmt::format("{}", value); };
  std::string text = spec.zero_is_automatic ? "0, or " : "";
  if (spec.power_of_two) text += "a power of two ";
  text += spec.maximum == k_any ? fmt::format("{} or more", show(spec.minimum))
                                : fmt::format("{} to {}", show(spec.minimum), show(spec.maximum));
  return text;
}

}  // namespace scorpio
