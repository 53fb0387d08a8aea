// The plan of a job as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "session/explain/job_plan.h"

namespace scorpio::session {

namespace {

using Json = nlohmann::ordered_json;

constexpr int k_plan_schema = 1;
// More I/O ranks than that are not listed.
constexpr size_t k_most_listed = 64;

Json json_spread(const Spread& spread) {
  return {{"least", spread.least}, {"median", spread.median}, {"most", spread.most}};
}

uint64_t most_of(const std::vector<uint64_t>& values) { return *std::ranges::max_element(values); }

Json json_choice(const PlannedChoice& choice) {
  Json json{{"choice", choice.name}};
  if (!choice.possible.ok()) {
    json["impossible"] = choice.possible.text();
    return json;
  }
  const exchange::PutCounts& puts = choice.puts;
  json["io_ranks"] = choice.io_ranks.size();
  if (choice.io_ranks.size() <= k_most_listed) json["io_rank_list"] = choice.io_ranks;
  json["writers"] = choice.writers;
  json["domains"] = choice.balanced ? "balanced" : choice.contiguous ? "contiguous" : "cyclic";
  json["exchange"] = choice.messages_alone ? "messages" : "shared";
  json["block_bytes"] = choice.block_bytes;
  json["unit_bytes"] = choice.unit_bytes;
  json["slots"] = choice.slots;
  json["messages"] = puts.messages;
  json["message_data_bytes"] = choice.message_bytes;
  json["transfer"] = choice.transfer_name;
  json["rounds"] = puts.rounds_by(choice.transfer);
  json["collective_operations"] = puts.operations_by(choice.transfer);
  json["most_sent_by_a_node"] = most_of(puts.sent_of);
  json["most_received_by_an_io_rank"] = most_of(puts.received_of);
  json["writes"] = puts.writes;
  json["aligned_writes"] = puts.aligned_writes;
  json["unaligned_writes"] = puts.writes - puts.aligned_writes;
  json["bytes_written"] = puts.bytes;
  json["most_writes_of_an_io_rank"] = most_of(puts.writes_of);
  json["most_bytes_of_an_io_rank"] = most_of(puts.bytes_of);
  json["least_bytes_of_an_io_rank"] = *std::ranges::min_element(puts.bytes_of);
  json["shared_blocks"] = puts.shared_blocks;
  json["cost_ns"] = choice.cost_ns;
  json["opens"] = choice.opens;
  json["memory"] = {{"io_rank_staging_bytes", choice.io_rank_memory},
                    {"node_staging_bytes", choice.node_memory},
                    {"rank_coverage_bytes", choice.coverage_memory},
                    {"transfer_bytes_of_a_rank", puts.group.length_bytes(choice.transfer)}};
  return json;
}

// The first of those that cost least.
std::string cheapest_of(const JobPlan& plan) {
  const PlannedChoice* cheapest = &plan.choices.front();
  for (const PlannedChoice& one : plan.choices) {
    if (one.possible.ok() && one.cost_ns < cheapest->cost_ns) cheapest = &one;
  }
  return cheapest->name;
}

}  // namespace

std::string json_of(const JobPlan& plan) {
  const Json head{
      {"schema", k_plan_schema},
      {"ranks", plan.ranks},
      {"nodes", plan.nodes},
      {"variables", plan.variables},
      {"type", plan.type},
      {"dims", plan.dims},
      {"variable_bytes", plan.variable_bytes},
      {"elements_of_a_rank", json_spread(plan.elements)},
      {"runs_of_a_rank", json_spread(plan.runs)},
      {"run_bytes_of_a_rank", json_spread(plan.run_memory)},
      {"gaps", plan.gaps},
      {"shared_elements", plan.shared},
      {"holes", plan.holes},
      {"range_bytes_of_a_rank", {{"allreduce", plan.reduced_bytes}, {"allgather", plan.gathered_bytes}}},
      {"cheapest", cheapest_of(plan)},
      {"options", plan.reasons}};
  std::string text = head.dump();
  text.back() = ',';
  text += "\"choices\":[\n";
  for (const PlannedChoice& choice : plan.choices)
    text += json_choice(choice).dump() + (&choice == &plan.choices.back() ? "\n" : ",\n");
  return text + "]}\n";
}

}  // namespace scorpio::session
