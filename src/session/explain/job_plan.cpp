#include "session/explain/job_plan.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/option_value.h"
#include "comm/node_map.h"
#include "exchange/memory/leases.h"
#include "format/registry.h"
#include "plan/io_rank_options.h"
#include "plan/whole_survey.h"
#include "session/definitions/add_variable.h"
#include "session/elements/request_agreement.h"
#include "session/explain/alternatives.h"
#include "session/iosystem/arrangement.h"
#include "session/state/domain_choice.h"
#include "transfer/slab_flow.h"

namespace scorpio::session {

namespace {

using exchange::StagingSizes;

comm::NodeMap nodes_of(size_t ranks, int nodes) {
  std::vector<int64_t> keys;
  for (size_t rank = 0; rank < ranks; ++rank)
    keys.push_back(comm::simulated_node(static_cast<int>(rank), static_cast<int>(ranks), nodes));
  return comm::node_map(keys, 0);
}

Spread spread_of(std::vector<int64_t> values) {
  std::ranges::sort(values);
  return {values.front(), values[values.size() / 2], values.back()};
}

// A new file with the variables of the job, of which only the locations are made.
class PlannedFile {
 public:
  // `io_ranks`: all of them.
  PlannedFile(const Options& options, plan::DomainRule rule, int64_t io_ranks)
      : format_(format::format_named(options.choice(Option::format))), rule_(rule) {
    if (format_.capabilities().records_in_turns) rule_.contiguous = rule_.balanced = false;
    layout_ = format_.layout({.options = options,
                              .block_bytes = rule.block_bytes,
                              .unit_bytes = rule.unit_bytes,
                              .end_of_allocation = 1,  // the metadata begin in the first block
                              .eager = false,
                              .chunks = format::ChunkWishes::of(options, io_ranks)});
    rule_ = plan::undivided(rule_, layout_->undivided_bytes());
  }

  Status define(const Job& job) {
    for (int i = 0; i < job.variables; ++i) {
      model::Variable variable;
      variable.path = fmt::format("/v{}", i);
      variable.type = job.type;
      variable.dims = job.parts.front().dims;
      SCORPIO_ASSIGN(const int index, add_variable(schema_, *layout_, std::move(variable)));
      SCORPIO_TRY(layout_->place(schema_, index));
    }
    if (layout_->traits().define_mode) SCORPIO_TRY(layout_->end_definitions(schema_).status());
    if (format::ChunkLayout* const chunks = layout_->chunks(); chunks != nullptr)
      chunks->before_data(schema_, [this](const model::Variable& v) { return format_.default_fill(v.type); });
    return {};
  }

  transfer::Slab slab(int variable) const {
    return transfer::Slab::of(schema_.variables()[variable], layout_->placement(variable), 0);
  }
  const plan::DomainRule& rule() const { return rule_; }
  void make_contiguous() { rule_.contiguous = true; }
  bool divisible() const { return !format_.capabilities().records_in_turns; }

 private:
  const format::Format& format_;
  plan::DomainRule rule_;
  model::Schema schema_;
  std::unique_ptr<format::Layout> layout_;
};

class Planner {
 public:
  Planner(const Job& job, comm::NodeMap nodes, plan::WholeSurvey survey)
      : job_(job), nodes_(std::move(nodes)), survey_(std::move(survey)) {}

  const plan::WholeSurvey& survey() const { return survey_; }
  const comm::NodeMap& nodes() const { return nodes_; }

  // Sets the values in force in `options`.
  PlannedChoice choose(std::string name, Options& options) {
    PlannedChoice choice;
    choice.name = std::move(name);
    choice.possible = compute(options, choice);
    return choice;
  }

 private:
  Status compute(Options& options, PlannedChoice& choice) {
    SCORPIO_ASSIGN(plan::IoRankChoice chosen, plan::choose_io_ranks(nodes_.placement, options));
    choice.io_ranks = std::move(chosen.ranks);
    choice.messages_alone = options.choice(Option::exchange) == "messages";
    choice.transfer = transfer_of(options);
    choice.transfer_name = options.choice(Option::transfer);
    const int ranks = static_cast<int>(job_.parts.size());
    const comm::NodeMap nodes = nodes_of(job_.parts.size(), choice.messages_alone ? ranks : job_.nodes);
    SCORPIO_ASSIGN(const StagingSizes sizes, staging_sizes(options, nodes, choice.io_ranks,
                                                           staging_budget(options, choice.messages_alone)));
    const uint64_t block = options.bytes(Option::block_bytes);
    plan::DomainRule rule = domain_rule(options, nodes.nodes(), choice.io_ranks.size(), sizes.unit_bytes,
                                        block == 0 ? k_unknown_block : block);
    const Writers chosen_writers = writers(options, rule.io_ranks, 0);
    limit_writers(rule, chosen_writers.number);
    options.set_in_force(Option::writers, chosen_writers.in_force);
    choice.writers = rule.io_ranks;
    PlannedFile file(options, rule, static_cast<int64_t>(choice.io_ranks.size()));
    SCORPIO_TRY(file.define(job_));
    choice.block_bytes = file.rule().block_bytes;
    choice.unit_bytes = sizes.unit_bytes;
    choice.slots = sizes.slots;
    options.set_in_force(Option::block_bytes, format_bytes(static_cast<int64_t>(choice.block_bytes)));
    const exchange::Lease lease = exchange::Leases(sizes).lend(
        static_cast<int>(options.integer(Option::staging_files)), options.boolean(Option::asynchronous));
    SCORPIO_ASSIGN(const plan::WholeSurvey* survey, survey_on(nodes));
    choose_file_domains(options, {choice.io_ranks, lease, file.rule(), choice.transfer}, *survey, nodes,
                        file);
    choice.contiguous = file.rule().contiguous;
    choice.balanced = file.rule().balanced;
    rehearse(file, *survey, nodes, lease, choice);
    choice.cost_ns = choice.puts.cost_ns(cost_model(options), choice.transfer);
    choice.opens = choice.puts.opens() + (choice.puts.writes_of.front() == 0 ? 1 : 0);
    measure_memory(nodes, sizes, choice);
    return {};
  }

  // As the first put that needs the choice.
  void choose_file_domains(Options& options, const Ground& ground, const plan::WholeSurvey& survey,
                           const comm::NodeMap& nodes, PlannedFile& file) const {
    if (!chooses_domains(options)) return;
    if (!file.divisible())
      return options.set_in_force(Option::domains, "cyclic, the only ones of this format");
    DomainChoice choice;
    for (int i = 0; i < job_.variables && !choice.needed; ++i)
      choice = choose_domains(cost_model(options), nodes, ground,
                              {{file.slab(i), transfer::Cover::of(survey.common)}});
    if (choice.contiguous()) file.make_contiguous();
    options.set_in_force(Option::domains, choice.needed ? choice.text() : "no put divides a variable");
  }

  // What the ranks would agree on, which depends on the nodes: those of the job, or one for each rank.
  Result<const plan::WholeSurvey*> survey_on(const comm::NodeMap& nodes) {
    if (nodes.nodes() == nodes_.nodes()) return &survey_;
    if (!apart_) {
      SCORPIO_ASSIGN(apart_, plan::whole_survey(job_.parts, nodes));
    }
    return &*apart_;
  }

  void rehearse(const PlannedFile& file, const plan::WholeSurvey& survey, const comm::NodeMap& nodes,
                const exchange::Lease& lease, PlannedChoice& choice) const {
    const transfer::Cover cover = transfer::Cover::of(survey.common);
    exchange::Rehearsal rehearsal(nodes, choice.io_ranks, lease);
    for (int i = 0; i < job_.variables; ++i) {
      const transfer::Slab slab = file.slab(i);
      const transfer::SlabFlow flow({slab}, cover, file.rule(), {});
      rehearsal.put(flow.flow(), held_in(survey, slab));
      for (size_t rank = 0; nodes.nodes() > 1 && rank < survey.write_runs.size(); ++rank) {
        exchange::Part part;
        part.begin = slab.begin;
        part.element_bytes = slab.element_bytes;
        part.runs = &survey.write_runs[rank];
        choice.message_bytes += rehearsal.crossing(part, nodes.node_of(static_cast<int>(rank)));
      }
    }
    choice.puts = rehearsal.finish();
    choice.coverage_memory = survey.common.coverage.size() * sizeof(decomp::Interval) +
                             survey.common.nodes.kept_bytes() + survey.common.cells.kept_bytes();
  }

  static std::vector<ByteRange> held_in(const plan::WholeSurvey& survey, const transfer::Slab& slab) {
    std::vector<ByteRange> held;
    if (survey.common.exact) return held;
    for (const decomp::Interval& interval : survey.held)
      held.push_back({slab.begin + static_cast<uint64_t>(interval.begin) * slab.element_bytes,
                      slab.begin + static_cast<uint64_t>(interval.end) * slab.element_bytes});
    return held;
  }

  // Of the nodes of the job, also if each rank has staging memory of its own.
  void measure_memory(const comm::NodeMap& nodes, const StagingSizes& sizes, PlannedChoice& choice) const {
    const StagingUse use = staging_use(nodes, choice.io_ranks, sizes);
    std::vector<uint64_t> of_nodes(static_cast<size_t>(nodes_.nodes()));
    for (int node = 0; node < nodes.nodes(); ++node)
      of_nodes[static_cast<size_t>(nodes_.node_of(nodes.leader(node)))] +=
          use.of_nodes[static_cast<size_t>(node)];
    choice.io_rank_memory = use.most_of_io_rank;
    choice.node_memory = *std::ranges::max_element(of_nodes);
  }

  const Job& job_;
  comm::NodeMap nodes_;
  plan::WholeSurvey survey_;                // on these nodes
  std::optional<plan::WholeSurvey> apart_;  // with a node for each rank
};

Status check_job(const Job& job, const Options& options) {
  const auto ranks = static_cast<int64_t>(job.parts.size());
  if (ranks < 1) return failure(Code::argument, "a job needs at least one rank");
  if (job.nodes < 1 || job.nodes > ranks) {
    return failure(Code::argument, "nodes = {}: a job of {} ranks has 1 to {} nodes", job.nodes, ranks,
                   ranks);
  }
  if (job.io_ranks < 0 || job.io_ranks > ranks) {
    return failure(Code::argument,
                   "io_ranks = {}: a job of {} ranks has at most {} I/O ranks; 0 leaves this choice out",
                   job.io_ranks, ranks, ranks);
  }
  if (job.variables < 1) return failure(Code::argument, "variables = {}: at least one is put", job.variables);
  if (options.text(Option::filters).empty()) return {};
  return failure(Code::unsupported,
                 "option {} stores variables in chunks, whose encoded sizes no plan knows; leave it out",
                 options.describe(Option::filters));
}

void describe_parts(const Job& job, const plan::WholeSurvey& survey, JobPlan& plan) {
  std::vector<int64_t> elements, runs, memory;
  for (const decomp::LocalPart& part : job.parts) {
    elements.push_back(part.runs.elements());
    runs.push_back(part.runs.run_count());
    memory.push_back(static_cast<int64_t>(part.runs.segments().kept_bytes()));
    plan.holes += part.local_elements - part.runs.elements();
  }
  plan.elements = spread_of(std::move(elements));
  plan.runs = spread_of(std::move(runs));
  plan.run_memory = spread_of(std::move(memory));
  plan.gaps = survey.common.total;
  for (const decomp::Interval& held : survey.held) plan.gaps -= held.end - held.begin;
  plan.shared = survey.shared;
}

}  // namespace

Result<JobPlan> plan_job(const Job& job, const Options& options) {
  SCORPIO_TRY(check_job(job, options));
  JobPlan plan;
  plan.ranks = static_cast<int>(job.parts.size());
  plan.nodes = job.nodes;
  plan.variables = job.variables;
  plan.type = model::to_string(job.type);
  plan.dims = job.parts.front().dims;
  comm::NodeMap nodes = nodes_of(job.parts.size(), job.nodes);
  SCORPIO_ASSIGN(plan::WholeSurvey survey, plan::whole_survey(job.parts, nodes));
  Planner planner(job, std::move(nodes), std::move(survey));
  describe_parts(job, planner.survey(), plan);
  plan.variable_bytes = static_cast<uint64_t>(planner.survey().common.total) * job.type.size_bytes;
  Options told = options;
  plan.choices.push_back(planner.choose("in force", told));
  SCORPIO_TRY(plan.choices.front().possible);
  for (const Option option :
       {Option::io_ranks, Option::writers, Option::domains, Option::cost_model, Option::block_bytes,
        Option::staging_bytes, Option::exchange, Option::transfer, Option::ranges, Option::format})
    plan.reasons.push_back(reason(told, option));
  const bool divisible =
      !format::format_named(options.choice(Option::format)).capabilities().records_in_turns;
  plan.reduced_bytes = range_bytes_of_a_wait(job.parts.size(), static_cast<uint64_t>(job.nodes), false);
  plan.gathered_bytes = range_bytes_of_a_wait(job.parts.size(), static_cast<uint64_t>(job.nodes), true);
  const char* domains = plan.choices.front().contiguous ? "cyclic" : "contiguous";
  std::vector<Alternative> others =
      alternatives(options, planner.nodes(), plan.choices.front().io_ranks, job.io_ranks,
                   divisible ? domains : "", plan.choices.front().writers);
  if (options.choice(Option::exchange) != "messages")
    others.push_back(alternative(options, Option::exchange, "messages"));
  for (Alternative& other : others)
    plan.choices.push_back(planner.choose(std::move(other.name), other.options));
  return plan;
}

}  // namespace scorpio::session
