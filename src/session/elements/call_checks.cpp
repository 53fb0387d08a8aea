#include "session/elements/call_checks.h"

#include <algorithm>
#include <span>

#include "base/hash.h"
#include "session/elements/free_dims.h"
#include "session/iosystem/decomposition.h"
#include "session/state/variable_access.h"

namespace scorpio::session {

namespace {

// Outer dimensions of extent 1 are ignored.
bool same_extents(std::span<const int64_t> a, std::span<const int64_t> b) {
  if (std::ranges::equal(a, b)) return true;
  const auto essential = [](std::span<const int64_t> dims) {
    while (!dims.empty() && dims.front() == 1) dims = dims.subspan(1);
    return dims;
  };
  return std::ranges::equal(essential(a), essential(b));
}

// Whether the decomposition covers all dimensions of the variable but the first, which is not unlimited.
bool takes_frames(const model::Variable& variable, const std::vector<int64_t>& dims) {
  return !variable.records && !variable.dims.empty() && !same_extents(variable.dims, dims) &&
         same_extents(std::span(variable.dims).subspan(1), dims);
}

// The decomposition is of all dimensions of a variable with records.
bool takes_records(const model::Variable& variable, const std::vector<int64_t>& dims) {
  return reads_records_at_once(variable) && same_extents(variable.dims, dims) &&
         !same_extents(variable.slab_dims(), dims);
}

Status shape_mismatch(const model::Variable& variable, const Decomposition& decomposition) {
  return failure(
      Code::shape,
      "{} {} has extents ({}), the decomposition is of an array ({}); make a decomposition of these extents",
      variable.records ? "a record of variable" : "variable", variable.path,
      fmt::join(variable.slab_dims(), ", "), fmt::join(decomposition.part().dims, ", "));
}

Status misfit(const model::Variable& variable, uint64_t count) {
  return failure(Code::range, "{} values of {} do not fit the type they were converted to; they were clipped",
                 count, variable.path);
}

// `framed`: the record counts along a first dimension of fixed length.
Status check_record(const model::Variable& variable, int64_t record, bool framed, bool reading) {
  if (!variable.records && !framed) {
    if (record == 0) return {};
    return failure(Code::argument, "record {} of {}: the variable has no records; give 0", record,
                   variable.path);
  }
  if (record < 0)
    return failure(Code::argument, "record {} of {} is negative; the first one is 0", record, variable.path);
  if ((!reading && !framed) || record < variable.dims[0]) return {};
  return failure(Code::shape, "record {} of {} is after the last one: there are {}", record, variable.path,
                 variable.dims[0]);
}

}  // namespace

Status check_last_record(const FileContents& contents, int index, int64_t record) {
  const model::Variable& variable = contents.schema().variables()[index];
  if (record < 0 || !variable.records) return {};
  const uint64_t records = static_cast<uint64_t>(record) + 1;
  SCORPIO_TRY(contents.layout().check_records(variable.path, records));
  return contents.layout().placement(index).check_records(variable.path, records);
}

bool is_of_frames(const model::Variable& variable, const Decomposition& decomposition) {
  const std::vector<int64_t>& dims = decomposition.part().dims;
  return (variable.records && !takes_records(variable, dims)) || takes_frames(variable, dims);
}

int64_t records_one_by_one(const model::Variable& variable, const Decomposition& decomposition,
                           bool reading) {
  const std::vector<int64_t>& dims = decomposition.part().dims;
  if (!variable.records || variable.is_free() || dims.size() != variable.dims.size()) return 0;
  if (!std::ranges::equal(std::span(dims).subspan(1), std::span(variable.dims).subspan(1))) return 0;
  if (same_extents(variable.slab_dims(), dims) || (reading && takes_records(variable, dims))) return 0;
  return dims.front();
}

decomp::ChunkGrid grid_of(const model::Variable& variable, const format::ChunkForm& chunks, bool frame) {
  return frame || !chunks.grid.grows() ? chunks.grid : chunks.grid.with_frames(variable.dims[0]);
}

Result<const model::Variable*> check_move(const Core& core, const Move& move,
                                          const Decomposition* decomposition, bool reading) {
  SCORPIO_ASSIGN(const model::Variable* found, core.contents.variable(move.variable));
  const format::Placement& placement = core.contents.layout().placement(move.variable);
  SCORPIO_TRY(reading ? check_readable(*found) : check_overwritable(*found, placement));
  if (decomposition == nullptr) return failure(Code::handle, "the decomposition is NULL");
  if (!decomposition->belongs_to(core.setting.system())) {
    return failure(Code::handle,
                   "the decomposition belongs to another I/O system than file {}; make one with the I/O "
                   "system of the file",
                   core.contents.path());
  }
  const std::vector<int64_t>& dims = decomposition->part().dims;
  if (found->is_free() && placement.chunks() != nullptr) {
    SCORPIO_ASSIGN(const decomp::Region region, region_of(*found, dims, move.record, reading));
    if (!reading) SCORPIO_TRY(check_growth(core.contents, move.variable, region));
    return found;
  }
  const bool slab = same_extents(found->slab_dims(), dims), framed = !slab && takes_frames(*found, dims);
  SCORPIO_TRY(check_record(*found, move.record, framed, reading));
  if (reading && move.record == 0 && takes_records(*found, dims)) return found;
  if (!slab && !framed) return shape_mismatch(*found, *decomposition);
  if (!reading && found->records) SCORPIO_TRY(check_last_record(core.contents, move.variable, move.record));
  return found;
}

namespace {

// What the call has of a variable with inner dimensions that are unlimited.
Status add_free(DataCall& call, const model::Variable& variable, const format::ChunkForm& chunks,
                int64_t record, bool reading) {
  const std::vector<int64_t>& dims = call.decomposition->part().dims;
  SCORPIO_ASSIGN(const decomp::Region region, region_of(variable, dims, record, reading));
  call.targets.back().view = call.decomposition->in_chunks(chunks.grid, region);
  if (!reading) add_lengths(variable, region, call.lengths);
  return {};
}

// Code::argument if a variable's record, or a variable without records, is named twice.
Status check_distinct(const DataCall& call) {
  std::vector<size_t> order;
  for (size_t i = 0; i < call.slabs.size(); ++i) {
    if (call.slabs[i].whole.begin < call.slabs[i].whole.end && !call.by_library) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return call.slabs[a].begin < call.slabs[b].begin; });
  const auto twice = std::adjacent_find(order.begin(), order.end(), [&](size_t a, size_t b) {
    return call.slabs[a].begin == call.slabs[b].begin;
  });
  if (twice == order.end()) return {};
  return failure(Code::argument,
                 "variable {} is named twice in one call with the same record; put or get it by two calls",
                 call.targets[*twice].variable->path);
}

Status add_target(const Core& core, DataCall& call, const Move& move, bool reading) {
  SCORPIO_ASSIGN(const model::Variable* found, check_move(core, move, call.decomposition, reading));
  const format::Placement& placement = core.contents.layout().placement(move.variable);
  call.targets.push_back({move.variable, found});
  call.slabs.push_back(transfer::Slab::of(*found, placement, move.record));
  call.count_fill(move);
  if (const auto& chunks = placement.chunks(); chunks != nullptr) {
    call.in_chunks = true;
    if (found->is_free()) return add_free(call, *found, *chunks, move.record, reading);
    const bool frame = is_of_frames(*found, *call.decomposition);
    call.targets.back().view = call.decomposition->in_chunks(grid_of(*found, *chunks, frame), frame);
  }
  if (found->records && !reading) {
    int64_t& length = call.lengths[found->record_dimension()];
    length = std::max(length, move.record + 1);
  }
  call.by_library = call.by_library || !placement.has_address();
  return {};
}

Status add_targets(const Core& core, DataCall& call, bool reading) {
  call.targets.reserve(call.moves.size());
  call.slabs.reserve(call.moves.size());
  for (const Move& move : call.moves) SCORPIO_TRY(add_target(core, call, move, reading));
  return call.moves.size() > 1 ? check_distinct(call) : Status();
}

}  // namespace

// The call is made in its place, because it is large.
Result<DataCall> check_call(const Core& core, std::span<const Move> moves, const Decomposition* decomposition,
                            bool reading) {
  Result<DataCall> call{DataCall()};
  call->moves = moves;
  call->decomposition = decomposition;
  const Status status = add_targets(core, *call, reading);
  if (!status.ok()) call = status;
  return call;
}

uint64_t hash_of(const Result<DataCall>& call, bool reading) {
  uint64_t hash = reading ? 1 : 0;
  if (!call.ok()) return hash;
  hash = followed_by(hash, call->decomposition == nullptr ? 0 : call->decomposition->number());
  for (size_t i = 0; i < call->targets.size(); ++i) {
    const Move& move = call->moves[i];
    const auto* fill = static_cast<const char*>(move.fill);
    hash = followed_by(hash, fnv1a(call->targets[i].variable->path));
    hash = followed_by(hash, static_cast<uint64_t>(move.record));
    hash = followed_by(hash, fill == nullptr ? 0 : fnv1a({fill, memory_bytes(move)}));
  }
  return hash;
}

std::string describe(const DataCall& call) {
  if (call.targets.empty()) return "no variables\n";
  std::string text = name_of(call.decomposition->number(), call.decomposition->name()) + "\n";
  for (size_t i = 0; i < call.targets.size(); ++i) {
    const int64_t record = call.moves[i].record;
    text += call.targets[i].variable->path + (record != 0 ? fmt::format(" record {}\n", record) : "\n");
  }
  return text;
}

Status first_misfit(const DataCall& call) {
  for (const DataCall::Target& target : call.targets) {
    if (target.misfits > 0) return misfit(*target.variable, target.misfits);
  }
  return {};
}

}  // namespace scorpio::session
