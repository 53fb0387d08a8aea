// Fill values: of variables that are filled, of new records, and of elements that no rank holds.
#include <algorithm>
#include <array>
#include <cstring>

#include "codec/convert.h"
#include "plan/shares.h"
#include "session/file.h"

namespace scorpio::session {

namespace {

// Records that one operation fills.
constexpr int64_t k_most_records = 1024;

}  // namespace

// Every rank has a share of what is filled, wherever it is.
std::vector<decomp::Interval> File::same_for_nodes(const decomp::Interval& elements) const {
  return std::vector<decomp::Interval>(static_cast<size_t>(system_.nodes().nodes()), elements);
}

Status File::no_eager_fill() const {
  return failure(Code::unsupported, "{} is eager: its variables are made at once, and cannot be filled",
                 path_);
}

Status File::set_fill_mode(bool filled) {
  SCORPIO_TRY(check(FileState::Event::change));
  SCORPIO_TRY(compare("fill mode {}", filled));
  if (filled && eager_) return no_eager_fill();
  fill_mode_ = filled;
  return {};
}

Status File::define_fill(int index, bool filled, const void* value) {
  SCORPIO_TRY(check(FileState::Event::change));
  SCORPIO_TRY(compare("fill of variable {} {}", index, filled));
  SCORPIO_ASSIGN(const model::Variable* found, variable(index));
  if (filled && eager_) return no_eager_fill();
  if (filled || filled != found->filled || value != nullptr) {
    Status late = check(FileState::Event::add);
    if (late.ok() && (!schema_.pending().is_new_variable(index) || index < moved_from_)) {
      late = failure(Code::state, "{} may have data already; fill is chosen when it is defined", found->path);
    }
    if (!late.ok()) return defined(late);
  }
  if (value != nullptr) {
    model::Attribute attribute;
    attribute.type = model::native(found->type.kind, found->type.size_bytes);
    const auto* bytes = static_cast<const std::byte*>(value);
    attribute.value.assign(bytes, bytes + found->type.size_bytes);
    SCORPIO_TRY(put_attribute(found->path, model::k_fill_value, std::move(attribute)));
  }
  if (std::find(unfilled_.begin(), unfilled_.end(), index) == unfilled_.end()) unfilled_.push_back(index);
  return defined(schema_.set_filled(index, filled));
}

// The attribute counts if it is of the variable's type.
std::vector<std::byte> File::fill_value(const model::Variable& variable) const {
  const auto attribute = variable.attributes.find(model::k_fill_value);
  if (attribute != variable.attributes.end() && attribute->second.type.kind == variable.type.kind &&
      attribute->second.value.size() >= variable.type.size_bytes) {
    const auto conversion = codec::Conversion::make(attribute->second.type, variable.type);
    if (conversion.ok()) {
      std::vector<std::byte> element(variable.type.size_bytes);
      (void)conversion->apply(attribute->second.value.data(), element.data(), 1);
      return element;
    }
  }
  return format_->default_fill(variable.type);
}

// All ranks take equal shares of every record [first_record, end_record), or of a variable without records.
Status File::fill_slabs(int index, int64_t first_record, int64_t end_record) {
  const model::Variable& variable = schema_.variable(index);
  const std::vector<std::byte> value = fill_value(variable);
  const auto conversion = codec::Conversion::repeat(variable.type);
  const std::array<decomp::Interval, 1> all{{{0, variable.slab_elements()}}};
  if (variable.slab_elements() == 0) return {};
  const decomp::RunList mine = plan::share_of(all, system_.comm().rank(), system_.comm().size());
  const auto nodes = same_for_nodes(all[0]);
  Status status;
  for (int64_t from = first_record; from < end_record; from += k_most_records) {
    std::vector<transfer::Slab> slabs;
    std::vector<exchange::Part> parts;
    for (int64_t r = from; r < std::min(end_record, from + k_most_records); ++r) {
      slabs.push_back(transfer::Slab::of(variable, layout_->placement(index), r));
      exchange::Part part{.begin = slabs.back().begin, .element_bytes = slabs.back().element_bytes};
      part.runs = &mine;
      part.conversion = &conversion;
      part.from = value.data();
      parts.push_back(part);
    }
    state_.data_were_put();
    const transfer::SlabFlow flow(std::move(slabs), {all, true, nodes}, rule_, std::move(parts));
    status = first_failure(status, channel_->put(flow.flow()).status());
  }
  return status;
}

// Variables that were defined since data were moved last, or in the define mode that has just ended. A
// failure of this rank is for the next sync point: the others have not seen it.
void File::fill_new_variables() {
  if (unfilled_.empty()) return;
  Status status;
  for (const int index : std::exchange(unfilled_, {})) {
    if (!schema_.alive(index)) continue;
    const model::Variable& variable = schema_.variable(index);
    if (!variable.filled || !layout_->placement(index).has_address()) continue;
    status = first_failure(status, fill_slabs(index, 0, variable.records ? schema_.records() : 1));
  }
  (void)note(status);
}

// There are that many records: new ones of filled variables are filled before anything else is put there.
Status File::grow(int64_t records) {
  const int64_t before = schema_.records();
  if (records <= before) return {};
  schema_.grow(records);
  Status status;
  for (int i = 0; i < schema_.variable_count(); ++i) {
    const model::Variable& variable = schema_.variable(i);
    if (schema_.alive(i) && variable.records && variable.filled) {
      status = first_failure(status, fill_slabs(i, before, records));
    }
  }
  return status;
}

// What no rank holds gets the fill of its move: in the same operation if that is known exactly and asked for
// everywhere, else before it. A rank whose own part failed takes part in this.
Status File::add_fills(DataCall& call, const std::vector<Move>& moves,
                       const Result<model::ElementType>& memory_type) {
  const plan::Survey& survey = call.decomposition->survey();
  const std::vector<decomp::Interval> all{{0, survey.total}};
  const std::vector<decomp::Interval> holes = survey.exact ? plan::holes(survey.coverage, survey.total) : all;
  if (holes.empty()) return {};
  call.share = plan::share_of(holes, system_.comm().rank(), system_.comm().size());
  call.node_hulls = same_for_nodes(all[0]);
  Status status;
  std::vector<exchange::Part> parts;
  std::vector<transfer::Slab> slabs;
  for (size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].fill == nullptr) continue;
    const model::Variable& variable = *call.variables[i];
    slabs.push_back(call.slabs[i]);
    auto& value = call.fill_values.emplace_back(variable.type.size_bytes);
    call.fill_conversions.push_back(codec::Conversion::repeat(variable.type));
    const auto conversion = conversion_of(variable, memory_type, false);
    status = first_failure(status, conversion.status());
    if (!conversion.ok()) continue;
    if (conversion->apply(static_cast<const std::byte*>(moves[i].fill), value.data(), 1) > 0) {
      status = first_failure(
          status, failure(Code::range, "the fill value of {} does not fit its type", variable.path));
    }
    exchange::Part part{.begin = call.slabs[i].begin, .element_bytes = call.slabs[i].element_bytes};
    part.runs = &call.share;
    part.conversion = &call.fill_conversions.back();
    part.from = value.data();
    parts.push_back(part);
  }
  if (survey.exact && call.all_filled) {
    call.whole = true;
    call.everything = all;
    call.parts.insert(call.parts.end(), parts.begin(), parts.end());
    return status;
  }
  DataCall fills;
  fills.slabs = std::move(slabs);
  fills.parts = std::move(parts);
  return first_failure(status, put_parts(fills, {holes, true, call.node_hulls}));
}

}  // namespace scorpio::session
