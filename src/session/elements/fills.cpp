#include "session/elements/fills.h"

#include <algorithm>
#include <array>
#include <utility>

#include "codec/conversion.h"
#include "format/default_fill.h"
#include "model/growth.h"
#include "plan/shares.h"
#include "session/elements/carry_out.h"
#include "session/iosystem/decomposition.h"
#include "session/state/variable_access.h"

namespace scorpio::session {

namespace {

// The largest number of records that one operation fills.
constexpr int64_t k_records_at_once = 1024;

}  // namespace

// Each rank writes a share of the fill values anywhere in the range, so every node has the whole range.
plan::NodeSets Fills::same_for_nodes(const decomp::Interval& elements) const {
  const decomp::CoarseSet all{{{elements.begin, elements.end - elements.begin}}, false};
  return plan::NodeSets::alike(static_cast<size_t>(core_.setting.system().nodes().nodes()), all);
}

std::vector<std::byte> Fills::fill_value(const model::Variable& variable) const {
  return format::fill_value(variable, core_.contents.format().default_fill(variable.type));
}

// All ranks write equal shares of the records [first_record, end_record), or of a variable without records.
// `value`: one element, as it is stored.
Status Fills::fill_slabs(int index, int64_t first_record, int64_t end_record,
                         const std::vector<std::byte>& value) {
  const model::Variable& variable = core_.contents.schema().variables()[index];
  const auto conversion = codec::Conversion::repeat(variable.type);
  const std::array<decomp::Interval, 1> all{{{0, variable.slab_elements()}}};
  if (variable.slab_elements() == 0) return {};
  if (core_.contents.layout().placement(index).chunks() == nullptr) core_.transfer.domains().fix();
  const decomp::RunList mine = plan::share_of(all, core_.setting.comm().rank(), core_.setting.comm().size());
  const plan::NodeSets nodes = same_for_nodes(all[0]);
  Status status;
  for (int64_t from = first_record; from < end_record; from += k_records_at_once) {
    std::vector<transfer::Slab> slabs;
    std::vector<exchange::Part> parts;
    for (int64_t r = from; r < std::min(end_record, from + k_records_at_once); ++r) {
      slabs.push_back(transfer::Slab::of(variable, core_.contents.layout().placement(index), r));
      exchange::Part part{.begin = slabs.back().begin, .element_bytes = slabs.back().element_bytes};
      part.runs = &mine;
      part.conversion = &conversion;
      part.from = value.data();
      parts.push_back(part);
    }
    core_.calls.state().data_were_put();
    const transfer::SlabFlow flow(std::move(slabs), {all, true, nodes}, core_.transfer.domains().rule(),
                                  std::move(parts));
    status = first_failure(status, core_.transfer.channel().put(flow.flow()).status());
  }
  return status;
}

void Fills::fill_new_variables() {
  Status status;
  for (const int index : std::exchange(unfilled_, {})) {
    if (!core_.contents.schema().variables().alive(index)) continue;
    const model::Variable& variable = core_.contents.schema().variables()[index];
    const format::Placement& placement = core_.contents.layout().placement(index);
    if (!variable.filled || !placement.has_address()) continue;
    if (placement.chunks() != nullptr) continue;  // chunks that no rank writes read as the fill value
    const int64_t records = variable.records ? core_.contents.schema().dimensions().records() : 1;
    status = first_failure(status, fill_slabs(index, 0, records, fill_value(variable)));
  }
  (void)core_.calls.note(status);
}

Status Fills::grow(const model::Lengths& lengths) {
  model::Lengths before, longer;
  for (const auto& [dimension, length] : lengths) {
    const int64_t extent = model::length_of(core_.contents.schema().dimensions(),
                                            core_.contents.schema().variables(), dimension);
    if (length <= extent) continue;
    before[dimension] = extent;
    longer[dimension] = length;
  }
  if (longer.empty()) return {};
  core_.contents.schema().grow(longer);
  Status status;
  for (int i = 0; i < core_.contents.schema().variables().count(); ++i) {
    const model::Variable& variable = core_.contents.schema().variables()[i];
    const int dimension = variable.record_dimension();
    if (!longer.contains(dimension)) continue;
    const format::Placement& placement = core_.contents.layout().placement(i);
    // Chunks, and variables that the library reads, have the fill value until they are written.
    const bool stored = placement.has_address() && placement.chunks() == nullptr;
    if (core_.contents.schema().variables().alive(i) && variable.records && variable.filled && stored) {
      status =
          first_failure(status, fill_slabs(i, before[dimension], longer[dimension], fill_value(variable)));
    }
  }
  return status;
}

// The part of this rank, also with a value that was clipped: its elements count as put.
Status Fills::add_part(DataCall& call, size_t i, const decomp::RunList& runs,
                       std::vector<exchange::Part>& parts) const {
  const Move& move = call.moves[i];
  const model::Variable& variable = *call.targets[i].variable;
  auto& value = call.fill_values.emplace_back(variable.type.size_bytes);
  call.fill_conversions.push_back(codec::Conversion::repeat(variable.type));
  SCORPIO_ASSIGN(const codec::Conversion conversion,
                 conversion_of(core_.contents.format(), variable, move.memory, false));
  const bool clipped = conversion.apply(static_cast<const std::byte*>(move.fill), value.data(), 1) > 0;
  exchange::Part part{.begin = call.slabs[i].begin, .element_bytes = call.slabs[i].element_bytes};
  part.runs = &runs;
  part.conversion = &call.fill_conversions.back();
  part.from = value.data();
  parts.push_back(part);
  if (!clipped) return {};
  return failure(Code::range, "the fill value of {} does not fit its type and was clipped", variable.path);
}

Status Fills::add_to(DataCall& call) {
  const plan::Survey& survey = call.decomposition->survey();
  const std::vector<decomp::Interval> all{{0, survey.total}};
  const int ranks = core_.setting.comm().size();
  if (survey.exact && !call.decomposition->holes(ranks).any) return {};
  if (!survey.exact) call.share = plan::share_of(all, core_.setting.comm().rank(), ranks);
  const decomp::RunList& share = survey.exact ? call.decomposition->holes(ranks).share : call.share;
  call.nodes = same_for_nodes(all[0]);
  call.whole = survey.exact && call.all_filled;
  if (call.whole) call.everything = all;
  Status status;
  DataCall before;
  before.in_chunks = call.in_chunks;
  for (size_t i = 0; i < call.moves.size(); ++i) {
    if (call.moves[i].fill == nullptr) continue;
    DataCall::Target& target = call.targets[i];
    const ChunkView* view = target.view.get();
    const auto* in_chunks = view != nullptr ? &call.decomposition->filled_in_chunks(*view, ranks) : nullptr;
    const bool together = view != nullptr ? survey.exact : call.whole;
    target.whole = together;
    if (!together) {
      before.slabs.push_back(call.slabs[i]);
      before.targets.push_back(target);
      before.targets.back().whole = true;
    }
    status = first_failure(status, add_part(call, i, in_chunks != nullptr ? in_chunks->share : share,
                                            (together ? call : before).parts));
  }
  if (before.slabs.empty()) return status;
  const auto holes = survey.exact ? plan::holes(survey.coverage, survey.total) : all;
  return first_failure(status, put_parts(core_.transfer, before, {holes, true, call.nodes}));
}

}  // namespace scorpio::session
