#include "session/calls/request_calls.h"

#include <algorithm>
#include <list>
#include <set>
#include <utility>

#include "base/guarded.h"
#include "comm/agree.h"
#include "decomp/chunk_order.h"
#include "session/elements/call_checks.h"
#include "session/elements/carry_out.h"
#include "session/elements/free_dims.h"
#include "session/state/variable_access.h"
#include "transfer/combined_flow.h"
#include "transfer/stored_ranges.h"

namespace scorpio::session {

namespace {

// The part of the request that moves one piece of the variable.
exchange::Part part_of(const transfer::Slab& slab, const Piece& piece, Request& request) {
  exchange::Part part{.begin = slab.begin, .element_bytes = slab.element_bytes, .runs = piece.runs};
  part.conversion = &request.conversion;
  part.misfits = &request.misfits;
  const size_t memory_bytes = request.reading ? request.conversion.to_size : request.conversion.from_size;
  const auto place = piece.place * static_cast<int64_t>(memory_bytes);
  const std::byte* from = request.copy.empty() ? request.data : request.copy.data();
  part.from = from == nullptr ? nullptr : from + place;
  part.to = request.data == nullptr ? nullptr : request.data + place;
  return part;
}

}  // namespace

// The checks that every request makes of the file and the variable.
Result<const model::Variable*> RequestCalls::check_post(Kind kind, int index) {
  const bool reading = kind == Kind::get;
  SCORPIO_TRY(core_.calls.check(reading ? FileState::Event::post_get : FileState::Event::post_put));
  SCORPIO_ASSIGN(const model::Variable* found, core_.contents.variable(index));
  SCORPIO_TRY(reading ? check_readable(*found)
                      : check_overwritable(*found, core_.contents.layout().placement(index)));
  return found;
}

// Whether the address of the variable becomes final in the next call that moves data, because the way in
// which it is stored can still be chosen, or because chunks were put before it was defined. A request must
// not make it final: other ranks may make none.
bool RequestCalls::awaits_place(int index) const {
  const format::ChunkLayout* const chunks = core_.contents.layout().chunks();
  if (chunks == nullptr) return false;
  const bool waits = chunks->waits_for_arena() && !core_.contents.layout().placement(index).has_address();
  return waits || chunks->is_movable(index);
}

// The pieces' runs in the order of the chunks, if the variable is stored in chunks. Nothing changes if an
// allocation fails.
void RequestCalls::order_by_chunks(int index, Pieces& pieces) const {
  const format::Placement& placement = core_.contents.layout().placement(index);
  if (placement.chunks() == nullptr || pieces.in_chunk_order) return;
  const model::Variable& variable = core_.contents.schema().variables()[index];
  const decomp::ChunkGrid grid =
      variable.is_free() ? placement.chunks()->grid : grid_of(variable, *placement.chunks(), pieces.frames);
  const decomp::ChunkOrder order =
      variable.is_free() ? decomp::ChunkOrder(grid, pieces.region) : decomp::ChunkOrder(grid, pieces.frames);
  const decomp::RunList* last = nullptr;
  std::vector<SharedRuns> ordered;
  std::vector<Piece> all = pieces.pieces;
  for (Piece& piece : all) {
    if (piece.runs != last) {
      last = piece.runs;
      ordered.push_back(std::make_shared<decomp::RunList>(order.runs(*last)));
    }
    piece.runs = ordered.back().get();
  }
  pieces.runs = std::move(ordered);
  pieces.pieces = std::move(all);
  pieces.in_chunk_order = true;
}

Result<int64_t> RequestCalls::add_request(Kind kind, int index, Result<Pieces> pieces,
                                          const Result<model::ElementType>& memory_type, void* data) {
  const auto scope = core_.setting.counted(observe::FileCall::post);
  const model::Variable& variable = core_.contents.schema().variables()[index];
  const bool reading = kind == Kind::get;
  if (!pieces.ok()) return pieces.status().with_context(variable.path);
  const int64_t elements = pieces->elements;
  if (data == nullptr && elements > 0) {
    return failure(Code::argument, "the buffer for {} elements of {} is NULL", elements, variable.path);
  }
  SCORPIO_ASSIGN(const codec::Conversion conversion,
                 conversion_of(core_.contents.format(), variable, memory_type, reading));
  const bool free = variable.is_free() && core_.contents.layout().placement(index).chunks() != nullptr;
  if (free && !reading && elements > 0) SCORPIO_TRY(check_growth(core_.contents, index, pieces->region));
  if (!free) SCORPIO_TRY(check_last_record(core_.contents, index, pieces->records - 1));
  core_.calls.forget_kept_definitions();
  std::list<Request> one(1);  // nothing remains of it if an allocation fails
  Request& request = one.front();
  request.variable = index;
  request.reading = reading;
  request.data = static_cast<std::byte*>(data);
  request.memory_type = *memory_type;
  request.conversion = conversion;
  const bool unallocated = core_.contents.layout().placement(index).is_unallocated();
  if (kind == Kind::buffered_put) {
    const size_t element_bytes = memory_type->size_bytes;
    const uint64_t bytes = static_cast<uint64_t>(elements) * element_bytes;
    SCORPIO_TRY(pending_.check_room(bytes));
    const auto* user = static_cast<const std::byte*>(data);
    request.copy =
        pieces->packed ? std::vector<std::byte>(user, user + bytes) : pack(*pieces, user, element_bytes);
  }
  request.pieces = std::move(pieces).value();
  request.records = reading ? 0 : request.pieces.records;
  const bool later = core_.calls.state().defining() || awaits_place(index) || (unallocated && !reading);
  if (!later) place(request);
  return pending_.add(std::move(one));
}

// Computes the location in the file of each piece. The variable has its location.
void RequestCalls::place(Request& request) const {
  const model::Variable& variable = core_.contents.schema().variables()[request.variable];
  const format::Placement& placement = core_.contents.layout().placement(request.variable);
  request.by_library = placement.is_by_library();
  order_by_chunks(request.variable, request.pieces);
  request.parts.clear();  // remains of an attempt that failed for lack of memory
  for (const Piece& piece : request.pieces.pieces) {
    request.parts.push_back(part_of(transfer::Slab::of(variable, placement, piece.record), piece, request));
  }
  request.placed = true;
}

// Places a request that was made before the address of its variable was final. The variable may have been
// removed since, or stored with another byte order, and its records may exceed the end that a file can have.
Status RequestCalls::place_late(Request& request) const {
  const Result<const model::Variable*> there = core_.contents.variable(request.variable);
  if (!there.ok()) return there.status().with_context(fmt::format("request {}", request.id));
  SCORPIO_TRY(check_last_record(core_.contents, request.variable, request.pieces.records - 1));
  SCORPIO_ASSIGN(request.conversion,
                 conversion_of(core_.contents.format(), **there, request.memory_type, request.reading));
  place(request);
  return {};
}

// All boxes as parts of the smallest region that contains them and the variable.
Result<Pieces> RequestCalls::free_pieces(const model::Variable& variable, std::span<const Box> boxes,
                                         bool growing) {
  decomp::Region region{variable.dims};
  if (growing) {
    SCORPIO_ASSIGN(region, region_of(variable, boxes));
  }
  SCORPIO_ASSIGN(Pieces pieces, pieces_in(region.extents, boxes, recent_runs_));
  pieces.region = std::move(region);
  return pieces;
}

Result<int64_t> RequestCalls::post(Kind kind, int index, std::span<const Box> boxes,
                                   const Result<model::ElementType>& memory_type, void* data) {
  SCORPIO_ASSIGN(const model::Variable* found, check_post(kind, index));
  const bool growing = kind != Kind::get;
  // In define mode the distance between records is not known yet.
  const format::Placement unknown;
  const format::Placement& placement =
      core_.calls.state().defining() ? unknown : core_.contents.layout().placement(index);
  if (found->is_free() && placement.chunks() != nullptr) {
    return add_request(kind, index, free_pieces(*found, boxes, growing), memory_type, data);
  }
  return add_request(kind, index, pieces_of(*found, placement, boxes, growing, recent_runs_), memory_type,
                     data);
}

// The part of this rank in each of the first `records` records, by a decomposition of all dimensions.
Result<Pieces> RequestCalls::pieces_of_records(int index, const Decomposition& decomposition, int64_t records,
                                               bool reading) const {
  Pieces pieces;
  pieces.frames = true;
  pieces.packed = false;
  pieces.records = records;
  for (int64_t record = 0; record < records; ++record) {
    const auto part = decomposition.at_index(core_.setting.system(), record);
    SCORPIO_TRY(check_move(core_, {.variable = index, .record = record}, part.get(), reading).status());
    pieces.runs.push_back(std::make_shared<decomp::RunList>(reading ? part->part().runs : part->own_runs()));
    pieces.elements += pieces.runs.back()->elements();
    pieces.pieces.push_back({pieces.runs.back().get(), record, 0});
  }
  return pieces;
}

// Uses all runs of the decomposition that this rank holds: ranks that hold the same elements need not all
// make requests for them.
Result<int64_t> RequestCalls::post_part(Kind kind, int index, const Decomposition* decomposition,
                                        int64_t record, const Result<model::ElementType>& memory_type,
                                        void* data) {
  SCORPIO_ASSIGN(const model::Variable* found, check_post(kind, index));
  const bool reading = kind == Kind::get;
  if (record == 0 && decomposition != nullptr && decomposition->belongs_to(core_.setting.system())) {
    const int64_t records = records_one_by_one(*found, *decomposition, reading);
    if (records > 0)
      return add_request(kind, index, pieces_of_records(index, *decomposition, records, reading), memory_type,
                         data);
  }
  SCORPIO_TRY(check_move(core_, {.variable = index, .record = record}, decomposition, reading).status());
  const decomp::RunList& runs = reading ? decomposition->part().runs : decomposition->own_runs();
  Pieces pieces;
  if (found->is_free() && core_.contents.layout().placement(index).chunks() != nullptr) {
    SCORPIO_ASSIGN(pieces.region, region_of(*found, decomposition->part().dims, record, reading));
  } else {
    pieces.frames = is_of_frames(*found, *decomposition);
  }
  pieces.packed = false;  // the rank's buffer may have holes, or elements that it holds more than once
  pieces.elements = runs.elements();
  pieces.records = found->records ? record + 1 : 0;
  pieces.pieces.push_back({&runs, record, 0});
  return add_request(kind, index, std::move(pieces), memory_type, data);
}

// Gets of variables that the format's library reads. Each variable has a byte space of its own, in row-major
// order from byte 0. The variables are read one after the other, each with the parts of all ranks. One
// agreement determines the variables, and one for each variable the range; an eager file needs one more.
// Collective.
Status RequestCalls::get_by_library(const RequestParts& parts) {
  if (core_.setting.eager()) SCORPIO_TRY(parts_.library_client.fetch());
  // All that the file has, removed ones too: the same on all ranks.
  const std::set<int>& by_library = core_.contents.layout().placements().by_library();
  const std::vector<int> variables(by_library.begin(), by_library.end());
  std::vector<uint64_t> wanted;  // [variables] 1: by some rank
  for (const int index : variables) wanted.push_back(parts.library.contains(index) ? 1 : 0);
  SCORPIO_TRY(comm::agree(core_.setting.comm(), Status(), wanted));
  Status status;
  for (size_t i = 0; i < variables.size(); ++i) {
    if (wanted[i] == 0) continue;
    const auto mine = parts.library.find(variables[i]);
    RequestParts own;
    if (mine != parts.library.end()) own.gets = mine->second;
    SCORPIO_ASSIGN(const AgreedRequests agreed,
                   agree_on_requests(core_.setting, core_.contents, Status(), own, Operations(), {}));
    status = first_failure(status, get_by_library(variables[i], agreed, own));
  }
  return status;
}

Status RequestCalls::get_by_library(int index, const AgreedRequests& agreed, const RequestParts& own) {
  transfer::Stored stored{
      .slabs = std::vector<ByteRange>{{0, core_.contents.schema().variables()[index].bytes()}}};
  if (agreed.gets.interleaved) stored.units_at_once = core_.transfer.channel().now().units_in_a_pass(true);
  transfer::CombinedFlow reading(core_.transfer.domains().rule(), agreed.gets.all, agreed.gets.nodes, stored,
                                 own.gets, agreed.gets.mine_interleaved);
  storage::Source& source = parts_.library_reads.source_of(index);
  Status status;
  for (;;) {
    SCORPIO_ASSIGN(const bool more, reading.next_window(core_.setting.ranges()));
    if (!more) return status;
    status = first_failure(status, core_.transfer.channel().get(reading.flow(), source).status());
  }
}

// A rank whose part fails continues, because the exchange for each window is collective.
Status RequestCalls::move_parts(const AgreedRequests& agreed, const RequestParts& parts, bool flushed) {
  const auto flow_of = [&](const AgreedRequests::Direction& direction, bool reading,
                           const std::vector<exchange::Part>& own) {
    transfer::Stored stored;
    const transfer::Reach& all = direction.all;
    if (agreed.same_definitions)
      stored.slabs = transfer::stored_slabs(core_.contents.schema().variables(),
                                            core_.contents.layout().placements(), {all.begin, all.end});
    if (direction.interleaved) stored.units_at_once = core_.transfer.channel().now().units_in_a_pass(reading);
    return transfer::CombinedFlow(core_.transfer.domains().rule(), all, direction.nodes, stored, own,
                                  direction.mine_interleaved);
  };
  transfer::CombinedFlow writing = flow_of(agreed.puts, false, parts.puts);
  transfer::CombinedFlow reading = flow_of(agreed.gets, true, parts.gets);
  Status status = parts_.fills.grow(agreed.lengths);
  for (;;) {
    SCORPIO_ASSIGN(const bool more, writing.next_window(core_.setting.ranges()));
    if (!more) break;
    core_.calls.state().data_were_put();
    status = first_failure(status, core_.transfer.expect_writes(writing.flow().variable));
    status = first_failure(status, core_.transfer.channel().put(writing.flow()).status());
  }
  if (!flushed) return core_.calls.note(status);
  // Data that could not be written are lost: the next synchronisation point of the file must fail as well.
  status = core_.calls.note(first_failure(status, core_.transfer.channel().flush()));
  for (;;) {
    SCORPIO_ASSIGN(const bool more, reading.next_window(core_.setting.ranges()));
    if (!more) break;
    status =
        first_failure(status, core_.transfer.channel().get(reading.flow(), core_.transfer.data()).status());
  }
  return agreed.by_library ? first_failure(status, get_by_library(parts)) : status;
}

// One request at a time, puts before gets. A rank that has no more requests contributes no elements.
Status RequestCalls::move_each(const Operations& operations, const std::list<Request>& requests,
                               bool flushed) {
  Status status;
  const auto move_all = [&](bool reading, uint64_t number) -> Status {
    auto at = requests.begin();
    for (uint64_t i = 0; i < number; ++i) {
      RequestParts one;
      at = std::find_if(at, requests.end(),
                        [&](const Request& request) { return request.reading == reading; });
      if (at != requests.end()) one.add(*at++, core_.contents.schema().variables());
      SCORPIO_ASSIGN(const AgreedRequests now,
                     agree_on_requests(core_.setting, core_.contents, {}, one, {}, {}));
      status = first_failure(status, move_parts(now, one, flushed));
    }
    return {};
  };
  SCORPIO_TRY(move_all(false, operations.puts));
  SCORPIO_TRY(move_all(true, operations.gets));
  return status;
}

namespace {

Code outcome(const Status& moved, const Request& request) {
  if (!moved.ok()) return moved.code();
  return request.misfits > 0 ? Code::range : Code::ok;
}

}  // namespace

// If the arguments of any rank are invalid, the wait fails before data are moved, and the requests stay
// pending.
Status RequestCalls::wait(const std::vector<int64_t>* ids, std::map<int64_t, Code>& outcomes,
                          const Status& arguments, const std::string& call) {
  const auto scope = core_.setting.counted(observe::FileCall::wait);
  SCORPIO_TRY(first_failure(core_.setting.comm().parted(), core_.calls.state().lost()));
  core_.calls.enter(k_wait);
  SCORPIO_TRY(parts_.define_mode.ready_for_data());
  core_.transfer.domains().fix();
  if (flush_between() && !core_.transfer.channel().failed())
    (void)core_.calls.note(core_.transfer.channel().flush());  // earlier puts come first
  Status own = first_failure(core_.calls.state().finished(), arguments);
  std::list<Request> requests;
  // All memory that the outcomes need is taken before the ranks agree.
  own = first_failure(own, guarded([&]() -> Status {
                        if (own.ok()) SCORPIO_TRY(pending_.take(ids, requests));
                        for (const Request& request : requests) outcomes[request.id] = Code::ok;
                        return {};
                      }));
  own = first_failure(own, parts_.first_puts.place(requests));
  RequestParts all;
  for (Request& request : requests) {
    const bool moved =
        request.by_library && core_.contents.layout().placement(request.variable).has_address();
    own = first_failure(own, guarded([&]() -> Status {
                          const Status placed = !request.placed || moved ? place_late(request) : Status();
                          all.add(request, core_.contents.schema().variables());
                          return placed;
                        }));
  }
  const bool combine = core_.setting.options().boolean(Option::combine);
  const Result<AgreedRequests> agreed = agree_on_requests(
      core_.setting, core_.contents, own, combine ? all : RequestParts(), Operations::of(requests), call);
  if (!agreed.ok()) {
    pending_.put_back(std::move(requests));
    outcomes.clear();
    return agreed.status();
  }
  const bool agrees = !call.empty() || agreed->reading, flushed = agrees || flush_between();
  own = guarded([&] {
    return combine ? move_parts(*agreed, all, flushed) : move_each(agreed->operations, requests, flushed);
  });
  const bool puts = std::ranges::any_of(requests, [](const Request& request) { return !request.reading; });
  if (own.code() == Code::memory && puts) (void)core_.calls.note(own);
  uint64_t misfits = 0;
  for (const Request& request : requests) {
    misfits += request.misfits;
    pending_.release(request.copy.size());
    outcomes[request.id] = outcome(own, request);
  }
  if (own.ok() && misfits > 0) {
    own = failure(Code::range, "{} values do not fit the types they were converted to; they were clipped",
                  misfits);
  }
  return agrees ? parts_.agreement.conclude(own) : core_.calls.note(own);
}

// If requests use other slots than other calls do, one must be written before the other begins.
bool RequestCalls::flush_between() const { return core_.transfer.domains().rule().contiguous; }

Result<bool> RequestCalls::carried_out(const std::vector<int64_t>* ids) {
  return ids == nullptr ? Result<bool>(pending_.empty()) : pending_.gone(*ids);
}

Status RequestCalls::cancel(const std::vector<int64_t>* ids) {
  std::list<Request> dropped;
  SCORPIO_TRY(pending_.take(ids, dropped));
  for (const Request& request : dropped) pending_.release(request.copy.size());
  return {};
}

}  // namespace scorpio::session
