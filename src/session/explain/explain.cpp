#include "session/explain/explain.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/option_value.h"
#include "comm/agree.h"
#include "exchange/copies/forecast.h"
#include "exchange/memory/leases.h"
#include "exchange/rehearsal.h"
#include "plan/io_rank_options.h"
#include "session/definitions/define_mode.h"
#include "session/elements/call_checks.h"
#include "session/elements/encoders.h"
#include "session/elements/request_agreement.h"
#include "session/explain/alternatives.h"
#include "session/iosystem/arrangement.h"
#include "session/state/domain_choice.h"

namespace scorpio::session {

namespace {

using exchange::Forecast;

std::string bytes_text(uint64_t bytes) { return format_bytes(static_cast<int64_t>(bytes)); }

// The file domains that are in force, or that the put would choose.
struct Domains {
  bool contiguous = false;
  std::string reason;
};

std::string choices_text(const Core& core, const Domains& domains) {
  const System& system = core.setting.system();
  const plan::DomainRule& rule = core.transfer.domains().rule();
  std::string text =
      fmt::format("ranks: {} on {} node{}; {}\n", core.setting.comm().size(), system.nodes().nodes(),
                  system.nodes().nodes() == 1 ? "" : "s", reason(core.setting.options(), Option::nodes));
  text += fmt::format("I/O ranks: {} ({}); {}\n", system.io_ranks().size(),
                      fmt::join(system.io_ranks(), ", "), reason(core.setting.options(), Option::io_ranks));
  text += fmt::format("writers: {} of them; {}\n", rule.io_ranks,
                      reason(core.setting.options(), Option::writers));
  text += fmt::format("exchange: {}; {}\n",
                      system.nodes().nodes() == 1 ? "in shared memory, without messages"
                                                  : "in shared memory on a node, by messages between nodes",
                      reason(core.setting.options(), Option::exchange));
  text += fmt::format("between nodes: {}\n", reason(core.setting.options(), Option::transfer));
  text += fmt::format("file domains: {}, {} with one owner; {}, {}\n",
                      rule.balanced        ? "balanced"
                      : domains.contiguous ? "contiguous"
                                           : "cyclic",
                      bytes_text(rule.owned_bytes()), domains.reason,
                      reason(core.setting.options(), Option::block_bytes));
  const exchange::Lease& lease = core.transfer.channel().lease();
  text += fmt::format(
      "staging memory: {} slots of {} on each I/O rank for this file{}; {}\n", lease.slots.size(),
      bytes_text(rule.unit_bytes),
      lease.common == 0 ? "" : fmt::format(", and up to {} in common with other files", lease.common),
      reason(core.setting.options(), Option::staging_bytes));
  return text;
}

// What a put costs with one choice of options.
struct Costs {
  uint64_t ns = 0;
  Status possible;
  std::string choice;  // empty: the one in force
  size_t io_ranks = 0;
  Forecast forecast;
  exchange::PutCounts puts;
  exchange::Transfer transfer = exchange::Transfer::messages;
  uint64_t node_memory = 0;  // staging memory of the node with the most
  uint64_t crossing = 0;     // of all ranks
  bool about = false;        // `crossing` was not summed over the ranks
};

std::string crossing_text(const Costs& costs) {
  return fmt::format("{}{} bytes of elements", costs.about && costs.crossing > 0 ? "about " : "",
                     costs.crossing);
}

// How the messages of a put cross, and what that needs beside staging memory.
std::string rounds_text(const Costs& costs) {
  std::string text = fmt::format(" in {} rounds", costs.puts.rounds_by(costs.transfer));
  if (costs.transfer == exchange::Transfer::messages) return text;
  return text + fmt::format(" of {} collective operations with {} of lengths on a rank",
                            costs.puts.operations_by(costs.transfer),
                            bytes_text(costs.puts.group.length_bytes(costs.transfer)));
}

std::string costs_text(const Costs& costs, bool overlaps) {
  const Forecast& forecast = costs.forecast;
  const uint64_t most = *std::max_element(forecast.units_of.begin(), forecast.units_of.end());
  const auto busy = std::ranges::count_if(forecast.units_of, [](uint64_t units) { return units > 0; });
  std::string text = fmt::format(
      "file: {} bytes in {} units, {} of them on one I/O rank at most; {} I/O rank{} with units\n",
      forecast.bytes, forecast.units, most, busy, busy == 1 ? "" : "s");
  text += fmt::format("put: {} messages between nodes with {}{}\n", forecast.messages, crossing_text(costs),
                      rounds_text(costs));
  text += fmt::format("get: {} messages between nodes with {}{}\n", 2 * forecast.messages,
                      overlaps ? "at least " : "", crossing_text(costs));
  return text;
}

// The writes of data that is not stored in chunks.
std::string writes_text(const Costs& costs, bool exact) {
  const exchange::PutCounts& puts = costs.puts;
  return fmt::format(
      "writes: {}{} of a put, {} of them unaligned, {} by one I/O rank at most\nestimated cost of a put: "
      "{}\n",
      exact ? "" : "about ", puts.writes, puts.writes - puts.aligned_writes,
      *std::ranges::max_element(puts.writes_of), format_ns(costs.ns));
}

std::string other_text(const Costs& costs, bool exact) {
  if (!costs.possible.ok())
    return fmt::format("  {}: not possible: {}\n", costs.choice, costs.possible.text());
  return fmt::format(
      "  {}: {} I/O ranks, {} messages with {}{}, {}{} writes, {} bytes by one I/O rank at most, {} of "
      "staging memory on a node at most; estimated cost {}\n",
      costs.choice, costs.io_ranks, costs.puts.messages, crossing_text(costs), rounds_text(costs),
      exact ? "" : "about ", costs.puts.writes, *std::ranges::max_element(costs.puts.bytes_of),
      bytes_text(costs.node_memory), format_ns(costs.ns));
}

// Of the possible choices the first of those that cost least.
std::string cheapest_text(const std::vector<Costs>& costs) {
  const Costs* cheapest = &costs.front();
  for (const Costs& one : costs) {
    if (one.possible.ok() && one.ns < cheapest->ns) cheapest = &one;
  }
  const std::string choice = cheapest->choice.empty() ? "what is in force" : cheapest->choice;
  return fmt::format("cheapest of these by estimated cost: {}\n", choice);
}

// What requests add to a put of the same elements.
std::string ranges_text(const Core& core) {
  const auto ranks = static_cast<uint64_t>(core.setting.comm().size());
  const auto nodes = static_cast<uint64_t>(core.setting.system().nodes().nodes());
  return fmt::format(
      "requests: in a wait each rank receives at least {} bytes of ranges with ranges = allreduce, {} with "
      "allgather; {}\n",
      range_bytes_of_a_wait(ranks, nodes, false), range_bytes_of_a_wait(ranks, nodes, true),
      reason(core.setting.options(), Option::ranges));
}

// A put is checked where it is possible: it may add records.
bool is_read(const Core& core, int variable) {
  return core.calls.check(FileState::Event::put).code() == Code::read_only ||
         core.contents.layout().placement(variable).is_by_library();
}

// What is explained. A decomposition of all records of a variable moves them one after the other.
struct Explained {
  const Decomposition* by = nullptr;
  int64_t records = 0;                    // 0: it does not
  std::unique_ptr<Decomposition> record;  // in place of the decomposition then: that of the first one

  std::string text() const {
    if (records == 0) return "";
    return fmt::format("records: {}, one after the other; what follows is of record 0\n", records);
  }
};

Result<Explained> explained(const Core& core, const Result<Move>& move, const Decomposition* decomposition) {
  Explained what;
  what.by = decomposition;
  if (!move.ok() || decomposition == nullptr || !decomposition->belongs_to(core.setting.system()))
    return what;
  SCORPIO_ASSIGN(const model::Variable* found, core.contents.variable(move->variable));
  if (move->record != 0) return what;
  what.records = records_one_by_one(*found, *decomposition, is_read(core, move->variable));
  if (what.records == 0) return what;
  what.record = decomposition->at_index(core.setting.system(), 0);
  what.by = what.record.get();
  return what;
}

Result<DataCall> check(const Core& core, const Result<Move>& move, const Decomposition* decomposition) {
  SCORPIO_TRY(move.status());
  SCORPIO_TRY(core.contents.variable(move->variable).status());
  const bool reading = is_read(core, move->variable);
  return check_call(core, {&*move, 1}, decomposition, reading);
}

// The shape of the chunks of a variable, and why it has this shape.
std::string chunks_text(const Core& core, const model::Variable& variable) {
  if (variable.storage.form != model::Storage::Form::chunked) return "";
  const std::vector<int64_t>& shape = variable.storage.chunk;
  const format::ChunkPlan plan = core.contents.plan_chunk(variable);
  return fmt::format("chunks: ({}); {}; {}, {}\n", fmt::join(shape, ", "),
                     shape == plan.shape ? plan.why : "the shape was given, by the program or by the file",
                     reason(core.setting.options(), Option::chunk_goal),
                     reason(core.setting.options(), Option::expected_records));
}

// Who encodes the chunks of a variable.
std::string encoders_text(const Core& core, const std::optional<Encoders>& encoders) {
  if (!encoders) return "";
  return fmt::format("encoding: {}; {}, {}\n", encoders->text(),
                     reason(core.setting.options(), Option::shared_encoding),
                     reason(core.setting.options(), Option::staging_bytes));
}

// What a put by this call would choose where the domains are open.
Domains domains_for(const Core& core, const DataCall& call) {
  const Options& options = core.setting.options();
  const FileDomains& domains = core.transfer.domains();
  if (!domains.are_open()) return {domains.rule().contiguous, reason(options, Option::domains)};
  const DomainChoice choice =
      domains.choice_for(covered_slabs(call), core.setting.system().nodes(), core.setting.system().io_ranks(),
                         core.transfer.channel().lease());
  if (!choice.needed) return {false, reason(options, Option::domains)};
  return {choice.contiguous(),
          options.describe(Option::domains) + "; a put by this call chooses: " + choice.text()};
}

// What the file would have of staging memory with other sizes, if as many files were opened before it.
exchange::Lease lease_after(const exchange::Lease& own, const exchange::StagingSizes& sizes,
                            const Options& options) {
  const int files = static_cast<int>(options.integer(Option::staging_files));
  const bool background = options.boolean(Option::asynchronous);
  exchange::Leases leases(sizes);
  for (int before = 1; leases.has_room() && (own.shared || before < own.channel); ++before)
    (void)leases.lend(files, background);
  return leases.lend(files, background);
}

Result<Ground> ground_of(const Core& core, Options options, const DataCall& call) {
  const comm::NodeMap& nodes = core.setting.system().nodes();
  Ground ground;
  ground.transfer = transfer_of(options);
  SCORPIO_ASSIGN(plan::IoRankChoice chosen, plan::choose_io_ranks(nodes.placement, options));
  ground.io_ranks = std::move(chosen.ranks);
  SCORPIO_ASSIGN(const exchange::StagingSizes sizes,
                 staging_sizes(options, nodes, ground.io_ranks, staging_budget(options, false)));
  ground.lease = lease_after(core.transfer.channel().lease(), sizes, options);
  ground.rule = domain_rule(options, nodes.nodes(), ground.io_ranks.size(), sizes.unit_bytes,
                            core.transfer.domains().rule().block_bytes);
  limit_writers(ground.rule,
                writers(options, ground.rule.io_ranks, core.transfer.domains().stripes()).number);
  ground.node_memory = staging_use(nodes, ground.io_ranks, sizes).most_of_node();
  if (core.contents.format().capabilities().records_in_turns) {
    ground.rule.contiguous = false;
  } else if (chooses_domains(options)) {
    ground.rule.contiguous =
        choose_domains(cost_model(options), nodes, ground, covered_slabs(call)).contiguous();
  }
  return ground;
}

// The elements of this rank in the first variable of the call.
exchange::Part part_of(const DataCall& call) {
  const ChunkView* view = call.targets.front().view.get();
  exchange::Part part{.begin = call.slabs.front().begin, .element_bytes = call.slabs.front().element_bytes};
  part.runs = view != nullptr ? &view->survey.write_runs : &call.decomposition->survey().write_runs;
  return part;
}

// The costs of the first variable of the call; `crossing` is that of this rank alone, whose part is `mine`.
void compute(const Core& core, const DataCall& call, const Ground& ground,
             const std::vector<exchange::Part>& mine, Costs& costs) {
  const transfer::Cover cover = call.cover(0, transfer::Cover::of(call.decomposition->survey()));
  const transfer::SlabFlow flow({call.slabs.front()}, cover, ground.rule, mine);
  const comm::NodeMap& nodes = core.setting.system().nodes();
  costs.io_ranks = ground.io_ranks.size();
  costs.transfer = ground.transfer;
  costs.node_memory = ground.node_memory;
  costs.forecast = Forecast::of(flow.flow(), nodes, ground.io_ranks);
  costs.crossing = costs.forecast.crossing;
  exchange::Rehearsal rehearsal(nodes, ground.io_ranks, ground.lease);
  rehearsal.put(flow.flow(), {});
  costs.puts = rehearsal.finish();
  costs.ns = costs.puts.cost_ns(cost_model(core.setting.options()), costs.transfer);
}

// Their number and order are the same on all ranks.
std::vector<Alternative> others_of(const Core& core, bool contiguous) {
  const System& system = core.setting.system();
  if (core.setting.options().in_force(Option::exchange) == "messages" ||
      core.contents.layout().undivided_bytes() > 1)
    return {};
  const bool divisible = !core.contents.format().capabilities().records_in_turns;
  return alternatives(core.setting.options(), system.nodes(), system.io_ranks(), 0,
                      !divisible   ? ""
                      : contiguous ? "cyclic"
                                   : "contiguous",
                      core.transfer.domains().rule().io_ranks);
}

void compute_all(const Core& core, const DataCall& call, const Domains& domains,
                 const std::vector<exchange::Part>& mine, std::vector<Costs>& costs) {
  Ground in_force{core.setting.system().io_ranks(), core.transfer.channel().lease(),
                  core.transfer.domains().rule(), transfer_of(core.setting.options())};
  in_force.rule.contiguous = domains.contiguous;
  compute(core, call, in_force, mine, costs.front());
  const std::vector<Alternative> others = others_of(core, domains.contiguous);
  for (size_t i = 0; i < others.size(); ++i) {
    Costs& other = costs[i + 1];
    other.choice = others[i].name;
    const Result<Ground> ground = ground_of(core, others[i].options, call);
    other.possible = ground.status();
    if (ground.ok()) compute(core, call, *ground, mine, other);
  }
}

// What is in force or would be chosen; the same on all ranks.
struct Choices {
  Domains domains;
  std::optional<Encoders> encoders{};
};

std::string text_of(const Core& core, const model::Variable& variable, const plan::Survey& survey,
                    const Choices& choices, const std::vector<Costs>& costs) {
  std::string text = choices_text(core, choices.domains) + chunks_text(core, variable) +
                     encoders_text(core, choices.encoders);
  text += ranges_text(core) + costs_text(costs.front(), survey.overlaps);
  if (variable.storage.form == model::Storage::Form::chunked) return text;
  text += writes_text(costs.front(), survey.exact);
  if (costs.size() > 1) text += "a put with another choice, all else as it is:\n";
  for (size_t i = 1; i < costs.size(); ++i) text += other_text(costs[i], survey.exact);
  if (costs.size() > 1) text += cheapest_text(costs);
  return text;
}

}  // namespace

std::string explain_here(const Core& core, const DataCall& call) {
  std::vector<Costs> costs(1 + others_of(core, false).size());
  const Domains domains = domains_for(core, call);
  compute_all(core, call, domains, {}, costs);
  for (Costs& one : costs) {
    one.crossing = one.puts.bytes_between_nodes();
    one.about = true;
  }
  const model::Variable& variable = *call.targets.front().variable;
  return text_of(core, variable, call.decomposition->survey(),
                 {domains, encoders_of(core.setting, core.transfer.domains().rule().unit_bytes, variable)},
                 costs);
}

Result<std::string> explain(Core& core, DefineMode& define_mode, const Result<Move>& move,
                            const Decomposition* decomposition) {
  SCORPIO_TRY(core.calls.check(FileState::Event::get));
  core.calls.enter("scorpio_explain_darray");
  SCORPIO_TRY(define_mode.ready_for_data());
  std::vector<Costs> costs(1 + others_of(core, false).size());
  Choices choices;
  Explained what;
  uint64_t hash = 0;
  const Status mine = guarded([&]() -> Status {
    SCORPIO_ASSIGN(what, explained(core, move, decomposition));
    SCORPIO_ASSIGN(const DataCall call, check(core, move, what.by));
    hash = hash_of(call, true);
    choices = {domains_for(core, call), encoders_of(core.setting, core.transfer.domains().rule().unit_bytes,
                                                    *call.targets.front().variable)};
    compute_all(core, call, choices.domains, {part_of(call)}, costs);
    return {};
  });
  std::array<uint64_t, 4> same{hash, ~hash};
  if (choices.encoders) {
    same[2] = choices.encoders->ranks;
    same[3] = choices.encoders->left_out;
  }
  std::vector<uint64_t> crossing;
  for (const Costs& one : costs) crossing.push_back(one.crossing);
  SCORPIO_TRY(comm::agree(core.setting.comm(), mine, same, crossing));
  if (same[0] != ~same[1]) {
    return failure(Code::mismatch,
                   "the ranks passed different variables, records or decompositions to "
                   "scorpio_explain_darray");
  }
  for (size_t i = 0; i < costs.size(); ++i) costs[i].crossing = crossing[i];
  if (choices.encoders) {  // those of the node with the most
    choices.encoders->ranks = static_cast<uint32_t>(same[2]);
    choices.encoders->left_out = static_cast<uint32_t>(same[3]);
  }
  return what.text() +
         text_of(core, core.contents.schema().variables()[move->variable], what.by->survey(), choices, costs);
}

}  // namespace scorpio::session
