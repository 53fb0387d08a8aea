#include "session/calls/data_calls.h"

#include "base/guarded.h"
#include "session/elements/call_checks.h"
#include "session/elements/carry_out.h"
#include "session/explain/explain.h"
#include "session/iosystem/decomposition.h"
#include "session/iosystem/explanations.h"
#include "session/state/domain_choice.h"
#include "session/state/variable_access.h"

namespace scorpio::session {

// The parts of this rank. After a failure it contributes no elements, and still serves the other ranks.
Status DataCalls::take_part(DataCall& call, bool reading) const {
  const decomp::RunList& all = call.decomposition->part().runs;
  call.parts.reserve(call.moves.size());
  for (size_t i = 0; i < call.moves.size(); ++i) {
    const Move& move = call.moves[i];
    DataCall::Target& target = call.targets[i];
    const void* data = reading ? move.to : move.from;
    if (data == nullptr && all.elements() > 0) {
      return failure(Code::argument, "the buffer for {} is NULL, but this rank holds {} of its elements",
                     target.variable->path, all.elements());
    }
    SCORPIO_ASSIGN(target.conversion,
                   conversion_of(core_.contents.format(), *target.variable, move.memory, reading));
    exchange::Part& part =
        call.parts.emplace_back(exchange::Part{call.slabs[i].begin, call.slabs[i].element_bytes});
    const ChunkView* view = target.view.get();
    const plan::Survey& survey = view != nullptr ? view->survey : call.decomposition->survey();
    part.runs = !reading ? &survey.write_runs : view != nullptr ? &view->runs : &all;
    part.conversion = &target.conversion;
    part.from = static_cast<const std::byte*>(move.from);
    part.to = static_cast<std::byte*>(move.to);
    part.misfits = &target.misfits;
  }
  return {};
}

Result<DataCall> DataCalls::check(std::span<const Move> moves, const Decomposition* decomposition,
                                  const Status& arguments, bool reading, uint64_t& hash) const {
  Result<DataCall> call = out_of_memory();
  const Status checked = guarded([&] {
    call = arguments.ok() ? check_call(core_, moves, decomposition, reading) : arguments;
    hash = hash_of(call, reading);
    return Status();
  });
  if (checked.ok()) return call;
  hash = 0;
  return checked;
}

// All ranks know which variables cannot be written. If all of them named such a variable, the file lacks no
// data, and the next synchronisation point has no failure to return.
Status DataCalls::refuse(Status status) {
  core_.transfer.channel().skip();
  const bool lasts = status.code() != Code::unsupported || core_.transfer.channel().failed();
  if (lasts) core_.calls.outcomes().refuse(status);
  return status;
}

// All ranks whose arguments are valid choose alike, without a message. If those of some rank are not, or it
// fails here, it skips the call, and the file is lost at the next synchronisation point.
void DataCalls::choose_domains(const DataCall& call) {
  FileDomains& domains = core_.transfer.domains();
  if (!domains.chooses_for(call.slabs)) return;
  const System& system = core_.setting.system();
  const DomainChoice choice = domains.choice_for(covered_slabs(call), system.nodes(), system.io_ranks(),
                                                 core_.transfer.channel().lease());
  if (choice.needed) domains.fix(choice.contiguous(), choice.text());
}

// A put does not fail because it cannot be explained.
void DataCalls::explain_first(const DataCall& call) {
  (void)guarded([&]() -> Status {
    const DataCall::Target& first = call.targets.front();
    const Decomposition& by = *call.decomposition;
    if (!explained_.emplace(by.number(), call.slabs.front().element_bytes, first.view != nullptr).second)
      return {};
    const std::string put = fmt::format("{}: variable {} by {}", core_.contents.path(), first.variable->path,
                                        name_of(by.number(), by.name()));
    return core_.setting.system().explanations()->tell(put, explain_here(core_, call));
  });
}

// Variables that get space in the file at this put.
Status DataCalls::place_first(Result<DataCall>& checked) {
  if (!checked.ok() || !parts_.first_puts.include(*checked)) return {};
  SCORPIO_TRY(parts_.first_puts.place(*checked));
  checked = check_call(core_, checked->moves, checked->decomposition, false);
  return {};
}

// On several nodes the channel fails if one rank leaves out a put; with an agreement on the call all ranks
// leave it out.
Status DataCalls::put(std::span<const Move> moves, const Decomposition* decomposition,
                      const Status& arguments) {
  const auto scope = core_.setting.counted(observe::FileCall::put);
  SCORPIO_TRY(core_.calls.check(FileState::Event::put));
  core_.calls.enter("scorpio_put");
  SCORPIO_TRY(parts_.define_mode.ready_for_data());
  uint64_t hash = 0;
  Result<DataCall> checked = check(moves, decomposition, arguments, false, hash);
  const bool first = parts_.first_puts.awaited();
  if (first ||
      (core_.setting.system().nodes().nodes() > 1 && core_.contents.layout().placements().any_by_library()))
    SCORPIO_TRY(parts_.agreement.agree_on_call(checked, hash));
  if (first) SCORPIO_TRY(place_first(checked));
  bool took_part = false;
  const Status status = guarded([&] { return put_checked(checked, hash, took_part); });
  pass_on_other_files();
  return took_part ? core_.calls.note(status) : refuse(status);
}

// On one node workers and the ranks that wait do it.
void DataCalls::pass_on_other_files() const {
  if (core_.setting.system().nodes().nodes() > 1) core_.setting.system().channels().pass_on();
}

Status DataCalls::put_checked(Result<DataCall>& checked, uint64_t hash, bool& took_part) {
  core_.calls.puts().add(hash, checked.ok() ? &*checked : nullptr);
  if (!checked.ok()) {
    core_.transfer.domains().fix();
    return checked.status();
  }
  DataCall& call = *checked;
  took_part = call.targets.empty();
  if (took_part) return {};
  choose_domains(call);
  if (core_.setting.system().explanations() != nullptr) explain_first(call);
  core_.calls.state().data_were_put();
  const Status grown = call.lengths.empty() ? Status() : parts_.fills.grow(call.lengths);
  Status status = guarded([&] { return take_part(call, false); });
  if (!status.ok()) call.parts.clear();
  status = first_failure(status, grown);
  const plan::Survey& survey = call.decomposition->survey();
  const Status filled = call.filled ? parts_.fills.add_to(call) : Status();  // or clipped
  status = first_failure(status, put_parts(core_.transfer, call, call.cover(survey)));
  took_part = true;
  return first_failure(first_failure(status, filled), first_misfit(call));
}

Status DataCalls::get(std::span<const Move> moves, const Decomposition* decomposition,
                      const Status& arguments) {
  const auto scope = core_.setting.counted(observe::FileCall::get);
  SCORPIO_TRY(core_.calls.check(FileState::Event::get));
  core_.calls.enter("scorpio_get");
  SCORPIO_TRY(parts_.define_mode.ready_for_data());
  uint64_t hash = 0;
  Result<DataCall> checked = check(moves, decomposition, arguments, true, hash);
  if (core_.setting.eager())
    SCORPIO_TRY(parts_.library_client.fetch(checked));  // fails on all ranks or on none
  const bool several_nodes = core_.setting.system().nodes().nodes() > 1;
  // On a single node the ranks agree on the call at its end.
  if (!several_nodes) core_.transfer.domains().fix();
  MoveAgreement::Get get{hash, false, [&] { return checked.ok() ? describe(*checked) : std::string(); }};
  if (several_nodes) SCORPIO_TRY(parts_.agreement.agree_on_call(checked, get.hash));
  bool took_part = false;
  const Status status = guarded([&] { return get_checked(checked, get, took_part); });
  if (!took_part) core_.transfer.channel().skip();
  pass_on_other_files();
  return parts_.agreement.conclude(status, &get);
}

Status DataCalls::get_checked(Result<DataCall>& checked, MoveAgreement::Get& get, bool& took_part) {
  // A write that failed is returned here and at the next synchronisation point, because the file lacks the
  // data permanently.
  const Status written = core_.transfer.channel().flush();
  // A rank that makes another call may have ended the channel before this one flushed it: then earlier puts
  // are lost, if there were any.
  const bool flushed = !core_.transfer.channel().failed();
  get.flushed = flushed || !core_.transfer.channel().put_since_sync();
  if (flushed) (void)core_.calls.note(written);
  SCORPIO_TRY(checked.status());
  DataCall& call = *checked;
  choose_domains(call);
  if (call.targets.empty()) {
    took_part = core_.setting.system().nodes().nodes() > 1;  // all ranks leave the call out there
    return {};
  }
  Status status = guarded([&] { return take_part(call, true); });
  if (!status.ok()) call.parts.clear();
  status = first_failure(first_failure(status, written),
                         core_.contents.naming(get_parts(core_.transfer, parts_.library_reads, call)));
  took_part = true;
  return first_failure(status, first_misfit(call));
}

Result<std::string> DataCalls::explain(const Result<Move>& move, const Decomposition* decomposition) {
  return session::explain(core_, parts_.define_mode, move, decomposition);
}

}  // namespace scorpio::session
