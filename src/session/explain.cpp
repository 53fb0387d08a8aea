#include "session/explain.h"

#include <algorithm>
#include <array>

#include "base/guarded.h"
#include "base/option_value.h"
#include "comm/agree.h"
#include "exchange/forecast.h"
#include "session/call_checks.h"
#include "session/define_mode.h"

namespace scorpio::session {

namespace {

using exchange::Forecast;

std::string bytes_text(uint64_t bytes) { return format_bytes(static_cast<int64_t>(bytes)); }

// The value of an option, where it comes from, and what it means here.
std::string reason(const Core& core, Option option) {
  const Options& options = core.options();
  const std::string& in_force = options.in_force(option);
  return options.describe(option) + (in_force.empty() ? "" : "; in force: " + in_force);
}

std::string choices_text(const Core& core) {
  const System& system = core.system();
  const plan::DomainRule& rule = core.rule();
  std::string text = fmt::format("ranks: {} on {} node{}; {}\n", core.comm().size(), system.nodes().nodes(),
                                 system.nodes().nodes() == 1 ? "" : "s", reason(core, Option::nodes));
  text += fmt::format("I/O ranks: {} ({}); {}\n", system.io_ranks().size(),
                      fmt::join(system.io_ranks(), ", "), reason(core, Option::io_ranks));
  text += fmt::format("exchange: {}; {}\n",
                      system.nodes().nodes() == 1 ? "in shared memory, without messages"
                                                  : "in shared memory on a node, by messages between nodes",
                      reason(core, Option::exchange));
  text += fmt::format("file domains: {}, {} with one owner; {}, {}\n",
                      rule.contiguous ? "contiguous" : "cyclic", bytes_text(rule.owned_bytes()),
                      reason(core, Option::domains), reason(core, Option::block_bytes));
  const exchange::Lease& lease = core.channel().lease();
  text += fmt::format(
      "staging memory: {} slots of {} on each I/O rank for this file{}; {}\n", lease.slots.size(),
      bytes_text(rule.unit_bytes),
      lease.common == 0 ? "" : fmt::format(", and up to {} in common with other files", lease.common),
      reason(core, Option::staging_bytes));
  return text;
}

std::string costs_text(const Forecast& forecast, bool overlaps, uint64_t crossing) {
  const uint64_t most = *std::max_element(forecast.units_of.begin(), forecast.units_of.end());
  const auto busy = std::ranges::count_if(forecast.units_of, [](uint64_t units) { return units > 0; });
  std::string text = fmt::format(
      "file: {} bytes in {} units, {} of them on one I/O rank at most; {} I/O rank{} with units\n",
      forecast.bytes, forecast.units, most, busy, busy == 1 ? "" : "s");
  text +=
      fmt::format("put: {} messages between nodes with {} bytes of elements\n", forecast.messages, crossing);
  text += fmt::format("get: {} messages between nodes with {}{} bytes of elements\n", 2 * forecast.messages,
                      overlaps ? "at least " : "", crossing);
  return text;
}

// A put is checked where it is possible: it may add records.
Result<DataCall> check(const Core& core, const Result<Move>& move, const Decomposition* decomposition) {
  SCORPIO_TRY(move.status());
  SCORPIO_TRY(core.variable(move->variable).status());
  const bool reading = core.check(FileState::Event::put).code() == Code::read_only ||
                       core.placement(move->variable).is_by_library();
  return check_call(core, std::vector<Move>{*move}, decomposition, reading);
}

// The shape of the chunks of a variable, and why it has this shape.
std::string chunks_text(const Core& core, const model::Variable& variable) {
  if (variable.storage.form != model::Storage::Form::chunked) return "";
  const std::vector<int64_t>& shape = variable.storage.chunk;
  const format::ChunkPlan plan = core.plan_chunk(variable);
  return fmt::format("chunks: ({}); {}; {}, {}\n", fmt::join(shape, ", "),
                     shape == plan.shape ? plan.why : "the shape was given, by the program or by the file",
                     reason(core, Option::chunk_goal), reason(core, Option::expected_records));
}

Forecast forecast_of(const Core& core, const DataCall& call) {
  const plan::Survey& survey = call.decomposition->survey();
  const ChunkView* view = call.targets.front().view.get();
  exchange::Part part{.begin = call.slabs.front().begin, .element_bytes = call.slabs.front().element_bytes};
  part.runs = view != nullptr ? &view->survey.write_runs : &survey.write_runs;
  const transfer::SlabFlow flow(call.slabs, call.cover(0, transfer::Cover::of(survey)), core.rule(), {part});
  return Forecast::of(flow.flow(), core.system().nodes(), core.system().io_ranks());
}

}  // namespace

Result<std::string> explain(Core& core, DefineMode& define_mode, const Result<Move>& move,
                            const Decomposition* decomposition) {
  SCORPIO_TRY(core.check(FileState::Event::get));
  core.enter("scorpio_explain_darray");
  SCORPIO_TRY(define_mode.ready_for_data());
  Forecast forecast;
  uint64_t hash = 0;
  const Status mine = guarded([&]() -> Status {
    SCORPIO_ASSIGN(const DataCall call, check(core, move, decomposition));
    hash = hash_of(call, std::vector<Move>{*move}, true);
    forecast = forecast_of(core, call);
    return {};
  });
  std::array<uint64_t, 2> same{hash, ~hash};
  std::array<uint64_t, 1> crossing{forecast.crossing};
  SCORPIO_TRY(comm::agree(core.comm(), mine, same, crossing));
  if (same[0] != ~same[1]) {
    return failure(Code::mismatch,
                   "the ranks passed different variables, records or decompositions to "
                   "scorpio_explain_darray");
  }
  return choices_text(core) + chunks_text(core, core.schema().variable(move->variable)) +
         costs_text(forecast, decomposition->survey().overlaps, crossing[0]);
}

}  // namespace scorpio::session
