#include "session/explain/alternatives.h"

#include <algorithm>

#include "base/option_value.h"
#include "plan/io_rank_options.h"
#include "plan/io_ranks.h"

namespace scorpio::session {

namespace {

// Only this option selects the I/O ranks.
Alternative with_io_ranks(const Options& options, Option option, int number) {
  const Options defaults;
  Options changed = options;
  for (const Option other : plan::k_io_rank_options)
    changed.set(other, defaults.value(other), Source::library, defaults.origin(other));
  return alternative(changed, option, std::to_string(number));
}

// Nothing but the library's own rule selects the I/O ranks.
bool is_automatic(const Options& options) {
  const Options defaults;
  return std::ranges::all_of(plan::k_io_rank_options,
                             [&](Option option) { return options.value(option) == defaults.value(option); });
}

}  // namespace

std::string reason(const Options& options, Option option) {
  const std::string& in_force = options.in_force(option);
  std::string text = options.describe(option) + (in_force.empty() ? "" : "; in force: " + in_force);
  if (option == Option::io_ranks && is_automatic(options))
    text +=
        fmt::format(", by the rule: 1 on each node, 2 on nodes with {} ranks or more", plan::k_many_ranks);
  return text;
}

Alternative alternative(const Options& options, Option option, const std::string& value) {
  const OptionSpec& spec = spec_of(option);
  Alternative changed{fmt::format("{} = {}", spec.name, value), options};
  if (const Result<OptionValue> parsed = parse_value(spec, value); parsed.ok())
    changed.options.set(option, *parsed, Source::program, "alternative");
  return changed;
}

std::vector<Alternative> alternatives(const Options& options, const comm::NodeMap& nodes,
                                      const std::vector<int>& in_force, int io_ranks,
                                      const std::string& domains, int writers) {
  std::vector<Alternative> all{with_io_ranks(options, Option::io_ranks_per_node, 1),
                               with_io_ranks(options, Option::io_ranks_per_node, 2)};
  if (io_ranks > 0) all.push_back(with_io_ranks(options, Option::io_ranks, io_ranks));
  std::vector<std::vector<int>> seen{in_force};
  std::erase_if(all, [&](const Alternative& one) {
    Options tried = one.options;
    const auto chosen = plan::choose_io_ranks(nodes.placement, tried);
    if (!chosen.ok()) return false;
    const bool again = std::ranges::find(seen, chosen->ranks) != seen.end();
    seen.push_back(chosen->ranks);
    return again;
  });
  if (!domains.empty()) all.push_back(alternative(options, Option::domains, domains));
  if (nodes.nodes() > 1) {
    for (const char* transfer : {"messages", "alltoall", "neighbor"}) {
      if (options.choice(Option::transfer) != transfer)
        all.push_back(alternative(options, Option::transfer, transfer));
    }
  }
  if (writers > 1) all.push_back(alternative(options, Option::writers, std::to_string(writers / 2)));
  return all;
}

}  // namespace scorpio::session
