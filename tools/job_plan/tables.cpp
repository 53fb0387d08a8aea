#include "tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace job_plan {

namespace {

using Json = nlohmann::ordered_json;

uint64_t count(const Json& of, const char* name) { return of.at(name).get<uint64_t>(); }

// In the largest unit of which there is at least one.
std::string bytes(uint64_t n) {
  constexpr std::array<const char*, 5> k_units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(n);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < k_units.size(); ++unit) value /= 1024;
  return fmt::format("{:.{}f} {}", value, unit == 0 || value >= 100 ? 0 : 1, k_units[unit]);
}

// As the library writes them.
std::string nanoseconds(uint64_t ns) {
  constexpr std::array<const char*, 3> k_units{"us", "ms", "s"};
  if (ns < 1000) return fmt::format("{} ns", ns);
  auto value = static_cast<double>(ns) / 1000;
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < k_units.size(); ++unit) value /= 1000;
  return fmt::format("{:.3g} {}", value, k_units[unit]);
}

std::string spread(const Json& of) {
  return fmt::format("{} / {} / {}", of.at("least").get<int64_t>(), of.at("median").get<int64_t>(),
                     of.at("most").get<int64_t>());
}

std::string head(const Json& plan, const std::string& file, const std::string& form) {
  const std::string type = plan.at("type");
  std::string text = fmt::format("{}: {}\n", file, form);
  text += fmt::format("array: {} elements of {}, {} for each of {} variable(s)\n",
                      fmt::join(plan.at("dims").get<std::vector<int64_t>>(), " x "), type,
                      bytes(count(plan, "variable_bytes")), count(plan, "variables"));
  text += fmt::format("job: {} ranks on {} node(s)\n", count(plan, "ranks"), count(plan, "nodes"));
  text +=
      fmt::format("elements of a rank, least / median / most: {}\n", spread(plan.at("elements_of_a_rank")));
  text +=
      fmt::format("runs of a rank, least / median / most: {}; in memory: {} at most\n",
                  spread(plan.at("runs_of_a_rank")), bytes(count(plan.at("run_bytes_of_a_rank"), "most")));
  text += fmt::format("gaps (elements of the array that no rank holds): {}\n", count(plan, "gaps"));
  text += fmt::format("holes (elements of buffers that are not in the array): {}\n", count(plan, "holes"));
  text += fmt::format("elements that a higher rank holds too: {}\n\n", count(plan, "shared_elements"));
  return text;
}

using Row = std::vector<std::string>;

Row row_of(const Json& choice) {
  const std::string name = choice.at("choice");
  if (choice.contains("impossible")) return {name};
  const Json& memory = choice.at("memory");
  return {name,
          std::to_string(count(choice, "io_ranks")),
          std::to_string(count(choice, "messages")),
          bytes(count(choice, "message_data_bytes")),
          std::to_string(count(choice, "rounds")),
          std::to_string(count(choice, "collective_operations")),
          std::to_string(count(choice, "writes")),
          std::to_string(count(choice, "unaligned_writes")),
          std::to_string(count(choice, "shared_blocks")),
          std::to_string(count(choice, "opens")),
          bytes(count(choice, "most_bytes_of_an_io_rank")),
          bytes(count(memory, "io_rank_staging_bytes")),
          bytes(count(memory, "node_staging_bytes")),
          bytes(count(memory, "transfer_bytes_of_a_rank")),
          nanoseconds(count(choice, "cost_ns"))};
}

std::string table(const std::vector<Row>& rows) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{:<{}}", row.front(), row.size() > 1 ? widths.front() : 0);
    for (size_t i = 1; i < row.size(); ++i) text += fmt::format("  {:>{}}", row[i], widths[i]);
    text += '\n';
  }
  return text;
}

std::string in_force(const Json& plan) {
  const Json& choice = plan.at("choices").front();
  const Json& ranges = plan.at("range_bytes_of_a_rank");
  std::string text = fmt::format(
      "\ncheapest by estimated cost: {}\nranges that each rank receives in a wait for requests, at least: {} "
      "B "
      "with ranges = allreduce, {} B with allgather\n\nin force: {} I/O ranks, {} domains, units of {} in "
      "blocks of {}; all messages of a node: {} at "
      "most, of an I/O rank: {} at most\nbecause:\n",
      plan.at("cheapest").get<std::string>(), count(ranges, "allreduce"), count(ranges, "allgather"),
      count(choice, "io_ranks"), choice.at("domains").get<std::string>(), bytes(count(choice, "unit_bytes")),
      bytes(count(choice, "block_bytes")), count(choice, "most_sent_by_a_node"),
      count(choice, "most_received_by_an_io_rank"));
  for (const Json& option : plan.at("options")) text += fmt::format("  {}\n", option.get<std::string>());
  return text;
}

}  // namespace

std::string tables_of(const Json& plan, const std::string& file, const std::string& form) {
  std::vector<Row> rows{{"choice", "I/O ranks", "messages", "between nodes", "rounds", "collectives",
                         "writes", "unaligned", "shared blocks", "opens", "I/O rank writes",
                         "I/O rank memory", "node memory", "lengths", "cost"}};
  std::string impossible;
  for (const Json& choice : plan.at("choices")) {
    rows.push_back(row_of(choice));
    if (choice.contains("impossible"))
      impossible += fmt::format("{}: {}\n", choice.at("choice").get<std::string>(),
                                choice.at("impossible").get<std::string>());
  }
  return head(plan, file, form) + table(rows) + impossible + in_force(plan);
}

}  // namespace job_plan
