// Data calls.
#include <algorithm>
#include <iterator>
#include <span>

#include "base/hash.h"
#include "codec/convert.h"
#include "comm/ballot.h"
#include "session/data_call.h"
#include "session/file.h"
#include "session/variable_access.h"

namespace scorpio::session {

namespace {

// Outer extents of 1 do not count.
bool same_extents(std::span<const int64_t> a, std::span<const int64_t> b) {
  const auto essential = [](std::span<const int64_t> dims) {
    while (!dims.empty() && dims.front() == 1) dims = dims.subspan(1);
    return dims;
  };
  return std::ranges::equal(essential(a), essential(b));
}

// The decomposition is of all dimensions of the variable but the first, which is not unlimited.
bool takes_frames(const model::Variable& variable, const std::vector<int64_t>& dims) {
  return !variable.records && !variable.dims.empty() && !same_extents(variable.dims, dims) &&
         same_extents(std::span(variable.dims).subspan(1), dims);
}

Status shape_mismatch(const model::Variable& variable, const Decomposition& decomposition) {
  return failure(Code::shape, "{} {} has extents ({}), the decomposition is of an array ({})",
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
    if (record == 0 || record == k_no_record) return {};
    return failure(Code::argument, "record {} of {}: the variable has no records; give 0", record,
                   variable.path);
  }
  if (record == k_no_record) {
    return failure(Code::shape, "{} has {}: say which with scorpio_put_record or scorpio_get_record",
                   variable.path, framed ? "one dimension more than the decomposition" : "records");
  }
  if (record < 0) return failure(Code::argument, "record {} of {} is negative", record, variable.path);
  if ((!reading && !framed) || record < variable.dims[0]) return {};
  return failure(Code::shape, "record {} of {} is behind the last: there are {}", record, variable.path,
                 variable.dims[0]);
}

}  // namespace

// No byte of records up to this one lies where a file cannot have one.
Status File::check_last_record(int index, int64_t record) const {
  const model::Variable& variable = schema_.variable(index);
  if (record < 0 || !variable.records) return {};
  const uint64_t records = static_cast<uint64_t>(record) + 1;
  SCORPIO_TRY(layout_->check_records(variable.path, records));
  return layout_->placement(index).check_records(variable.path, records);
}

// What a rank must know to take part at all.
Result<const model::Variable*> File::check(const Move& move, const Decomposition* decomposition,
                                           bool reading) const {
  SCORPIO_ASSIGN(const model::Variable* found, variable(move.variable));
  const format::Placement& placement = layout_->placement(move.variable);
  SCORPIO_TRY(reading ? check_readable(*found) : check_overwritable(*found, placement));
  if (decomposition == nullptr) return failure(Code::handle, "the decomposition is NULL");
  if (!decomposition->belongs_to(system_)) {
    return failure(Code::handle, "the decomposition belongs to another I/O system than file {}", path_);
  }
  const std::vector<int64_t>& dims = decomposition->part().dims;
  const bool framed = takes_frames(*found, dims);
  SCORPIO_TRY(check_record(*found, move.record, framed, reading));
  if (!framed && !same_extents(found->slab_dims(), dims)) return shape_mismatch(*found, *decomposition);
  if (!reading) SCORPIO_TRY(check_last_record(move.variable, move.record));
  return found;
}

Result<DataCall> File::check(const Result<std::vector<Move>>& moves, const Decomposition* decomposition,
                             bool reading) const {
  SCORPIO_TRY(moves.status());
  DataCall call;
  call.decomposition = decomposition;
  for (const Move& move : *moves) {
    SCORPIO_ASSIGN(const model::Variable* found, check(move, decomposition, reading));
    const format::Placement& placement = layout_->placement(move.variable);
    call.variables.push_back(found);
    call.indices.push_back(move.variable);
    call.slabs.push_back(transfer::Slab::of(*found, placement, move.record));
    if (found->records && !reading) call.records = std::max(call.records, move.record + 1);
    call.by_library = call.by_library || !placement.has_address();
    call.filled = call.filled || move.fill != nullptr;
    call.all_filled = call.all_filled && move.fill != nullptr;
  }
  SCORPIO_TRY(check_distinct(call));
  return call;
}

model::ElementType File::memory_type_for(const model::ElementType& stored, model::ElementType memory) const {
  if (format_->capabilities().bytes_lack_sign && stored.kind == model::Kind::int8 &&
      memory.kind == model::Kind::uint8) {
    memory.kind = model::Kind::int8;
  }
  return memory;
}

Result<codec::Conversion> File::conversion_of(const model::Variable& variable,
                                              const Result<model::ElementType>& memory_type,
                                              bool reading) const {
  SCORPIO_TRY(memory_type.status());
  const model::ElementType memory = memory_type_for(variable.type, *memory_type);
  auto made = reading ? codec::Conversion::make(variable.type, memory)
                      : codec::Conversion::make(memory, variable.type);
  if (!made.ok()) return made.status().with_context(variable.path);
  return made;
}

// This rank's parts. After a failure it takes part with nothing: it passes on what others hold.
Status File::take_part(DataCall& call, const std::vector<Move>& moves,
                       const Result<model::ElementType>& memory_type, bool reading) const {
  const plan::Survey& survey = call.decomposition->survey();
  const decomp::RunList& all = call.decomposition->part().runs;
  for (size_t i = 0; i < moves.size(); ++i) {
    const void* data = reading ? moves[i].to : moves[i].from;
    if (data == nullptr && all.elements() > 0) {
      return failure(Code::argument, "the buffer for {} is NULL, but this rank holds {} of its elements",
                     call.variables[i]->path, all.elements());
    }
    SCORPIO_ASSIGN(const codec::Conversion conversion,
                   conversion_of(*call.variables[i], memory_type, reading));
    call.conversions.push_back(conversion);
  }
  call.misfits.resize(moves.size(), 0);
  for (size_t i = 0; i < moves.size(); ++i) {
    exchange::Part part{.begin = call.slabs[i].begin, .element_bytes = call.slabs[i].element_bytes};
    part.runs = reading ? &all : &survey.write_runs;
    part.conversion = &call.conversions[i];
    part.from = static_cast<const std::byte*>(moves[i].from);
    part.to = static_cast<std::byte*>(moves[i].to);
    part.misfits = &call.misfits[i];
    call.parts.push_back(part);
  }
  return {};
}

namespace {

// Of what must be the same on all ranks; 0 in a call that this rank could not even understand.
uint64_t hash_of(const Result<DataCall>& call, const Result<std::vector<Move>>& moves,
                 const Result<model::ElementType>& memory_type, bool reading) {
  const size_t element_bytes = memory_type.ok() ? memory_type->size_bytes : 0;
  std::vector<uint64_t> facts{reading ? 1u : 0u};
  if (call.ok()) {
    facts.push_back(call->decomposition == nullptr ? 0 : call->decomposition->number());
    for (size_t i = 0; i < call->variables.size(); ++i) {
      facts.push_back(fnv1a(call->variables[i]->path));
      const int64_t record = (*moves)[i].record;
      facts.push_back(record == k_no_record ? 0 : static_cast<uint64_t>(record));
      const auto* fill = static_cast<const char*>((*moves)[i].fill);
      facts.push_back(fill == nullptr ? 0 : fnv1a({fill, element_bytes}));
    }
  }
  return fnv1a(std::as_bytes(std::span(facts)));
}

}  // namespace

// What a variable cannot do is known on all ranks: where all of them named it the file lacks nothing, and no
// sync point has anything to tell.
Status File::refuse(Status status) {
  channel_->skip();
  const bool lasts = status.code() != Code::unsupported || channel_->failed();
  if (lasts) outcomes_.refuse(status);
  return status;
}

namespace {

Status first_misfit(const DataCall& call) {
  for (size_t i = 0; i < call.misfits.size(); ++i) {
    if (call.misfits[i] > 0) return misfit(*call.variables[i], call.misfits[i]);
  }
  return {};
}

}  // namespace

Status File::put(const Result<std::vector<Move>>& moves, const Decomposition* decomposition,
                 const Result<model::ElementType>& memory_type) {
  const auto scope = counted(observe::FileCall::put);
  SCORPIO_TRY(check(FileState::Event::put));
  enter("scorpio_put");
  SCORPIO_TRY(ready_for_data());
  Result<DataCall> checked = check(moves, decomposition, false);
  // On several nodes a rank that leaves out a put ends the channel; here all leave it out. One agreement.
  const uint64_t hash = hash_of(checked, moves, memory_type, false);
  if (system_.nodes().nodes() > 1 && layout_->placements().any_by_library()) {
    SCORPIO_TRY(agree_on_call(checked, moves, hash));
  }
  puts_.add(hash, checked.ok() ? &*checked : nullptr, checked.ok() ? *moves : std::vector<Move>(),
            memory_type.ok() ? memory_type->size_bytes : 0);
  if (!checked.ok()) return refuse(checked.status());
  DataCall& call = *checked;
  if (call.variables.empty()) return {};
  state_.data_were_put();
  const Status grown = grow(call.records);
  Status status = take_part(call, *moves, memory_type, false);
  if (!status.ok()) call.parts.clear();
  status = first_failure(status, grown);
  const plan::Survey& survey = decomposition->survey();
  if (call.filled) status = first_failure(status, add_fills(call, *moves, memory_type));
  status = first_failure(status, put_parts(call, call.cover(survey)));
  return note(first_failure(status, first_misfit(call)));
}

// One operation; but with contiguous domains one for each variable, so that a byte has the same owner in all.
Status File::put_parts(const DataCall& call, const transfer::Cover& cover) {
  if (!rule_.contiguous) {
    const transfer::SlabFlow flow(call.slabs, cover, rule_, call.parts);
    return channel_->put(flow.flow()).status();
  }
  Status status;
  for (const transfer::Slab& slab : call.slabs) {
    std::vector<exchange::Part> parts;
    std::copy_if(call.parts.begin(), call.parts.end(), std::back_inserter(parts),
                 [&](const exchange::Part& part) { return part.begin == slab.begin; });
    const transfer::SlabFlow flow({slab}, cover, rule_, std::move(parts));
    status = first_failure(status, channel_->put(flow.flow()).status());
  }
  return status;
}

// One operation, but one for each variable where the format's library has to read, or domains are contiguous.
Status File::get_parts(DataCall& call) {
  const transfer::Cover cover = transfer::Cover::of(call.decomposition->survey());
  if (!call.by_library && !rule_.contiguous) {
    const transfer::SlabFlow flow(call.slabs, cover, rule_, call.parts);
    return channel_->get(flow.flow(), *data_).status();
  }
  Status status;
  for (size_t i = 0; i < call.variables.size(); ++i) {
    storage::Source& source = source_of(call.indices[i]);
    std::vector<exchange::Part> part;
    if (!call.parts.empty()) part.push_back(call.parts[i]);
    const transfer::SlabFlow flow({call.slabs[i]}, cover, rule_, std::move(part));
    status = first_failure(status, channel_->get(flow.flow(), source).status());
  }
  return status;
}

namespace {

constexpr const char* k_of_a_call = "variables, records or decompositions to a put or get";

// A line for each thing that must be the same on all ranks.
std::string describe(const DataCall& call, const std::vector<Move>& moves) {
  if (call.variables.empty()) return "no variables\n";
  std::string text = fmt::format("decomposition {}\n", call.decomposition->number());
  for (size_t i = 0; i < call.variables.size(); ++i) {
    const int64_t record = moves[i].record;
    const bool counts = record != k_no_record && record != 0;
    text += call.variables[i]->path + (counts ? fmt::format(" record {}\n", record) : "\n");
  }
  return text;
}

}  // namespace

// What the ranks compare at the end of a get.
struct File::Get {
  uint64_t hash = 0;
  bool flushed = false;  // what was put before it is written, as far as it can be
  comm::Describe describe;
};

Status File::get(const Result<std::vector<Move>>& moves, const Decomposition* decomposition,
                 const Result<model::ElementType>& memory_type) {
  const auto scope = counted(observe::FileCall::get);
  SCORPIO_TRY(check(FileState::Event::get));
  enter("scorpio_get");
  SCORPIO_TRY(ready_for_data());
  Result<DataCall> checked = check(moves, decomposition, true);
  if (eager_) SCORPIO_TRY(fetch_from_client(checked));  // fails on all ranks or on none
  const bool several_nodes = system_.nodes().nodes() > 1;
  Get get{hash_of(checked, moves, memory_type, true), false,
          [&] { return checked.ok() ? describe(*checked, *moves) : std::string(); }};
  if (several_nodes) SCORPIO_TRY(agree_on_call(checked, moves, get.hash));
  // A write that failed is told here, and again at the next sync point: the file lacks it for good.
  const Status written = channel_->flush();
  get.flushed = !channel_->failed();
  if (get.flushed) (void)note(written);
  if (!checked.ok()) {
    channel_->skip();
    return agree_on_move(checked.status(), &get);
  }
  DataCall& call = *checked;
  if (call.variables.empty()) {
    if (!several_nodes) channel_->skip();  // where there are several, it is so on all ranks
    return agree_on_move({}, &get);
  }
  Status status = take_part(call, *moves, memory_type, true);
  if (!status.ok()) call.parts.clear();
  status = first_failure(first_failure(status, written), get_parts(call));
  return agree_on_move(first_failure(status, first_misfit(call)), &get);
}

// On several nodes a rank that leaves out a data call, or makes another one, ends the channel; here all leave
// it out. One agreement.
Status File::agree_on_call(const Result<DataCall>& call, const Result<std::vector<Move>>& moves,
                           uint64_t hash) {
  return comm::agree_equal(system_.comm(), call.status(), hash, k_of_a_call, {},
                           [&] { return describe(*call, *moves); });
}

namespace {

// What ranks agree on at the end of a call that moved data and is a sync point.
struct Moved {
  comm::Any channel_failed;
  comm::Any unflushed;  // what was put before may not all be written
  comm::Same puts;
  comm::Same get;
  auto fields() { return std::tie(channel_failed, unflushed, puts, get); }
};

}  // namespace

// The same on all ranks. Where one of them could not take part, no later data call on the file can work
// either; but where that was in a call on another file that shares the channel, later ones can. What was put
// before a get is in the file, so a get in which ranks could not take part, or that was another one on each,
// costs nothing but a new channel. Clipped values, and puts in which no rank took part, have been told then;
// what the file lacks is told again.
Status File::agree_on_move(const Status& status, const Get* get) {
  Moved all{.channel_failed = {channel_->failed()},
            .unflushed = {get == nullptr || !get->flushed},
            .puts = {puts_.hash()},
            .get = {get == nullptr ? 0 : get->hash}};
  Status agreed = comm::agree(system_.comm(), outcomes_.with_earlier(status), all);
  outcomes_.told();
  if ((all.puts.differs || all.get.differs) && is_explained(agreed.code()))
    agreed = explain_move(agreed, all.puts.differs, get);
  if (!all.puts.differs) puts_.start_again();
  const bool whole = !all.unflushed && !all.puts.differs;
  if (whole && (all.channel_failed || all.get.differs))
    return first_failure(agreed, system_.recover(*channel_, exchange::Loss::nothing));
  if (!all.channel_failed) return agreed;
  const bool shared = channel_->lease().shared;
  if (!shared || agreed.code() != Code::aborted) state_.lose(agreed);
  return shared ? first_failure(agreed, system_.recover(*channel_, exchange::Loss::some)) : agreed;
}

Status File::explain_move(const Status& agreed, bool other_puts, const Get* get) {
  if (!other_puts && get != nullptr)
    return comm::agree_equal(system_.comm(), Status(), get->hash, k_of_a_call, {}, get->describe);
  if (!other_puts) return agreed;
  const Status differ = puts_.explain(system_.comm(), schema_);
  state_.lose(differ);
  return differ;
}

}  // namespace scorpio::session
