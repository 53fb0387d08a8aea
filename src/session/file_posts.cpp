// Posts: requests of one rank, carried out together at a wait or another sync point.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "base/current_call.h"
#include "base/hash.h"
#include "comm/ballot.h"
#include "exchange/tiles.h"
#include "session/file.h"
#include "session/variable_access.h"
#include "transfer/combined_flow.h"
#include "transfer/stored_ranges.h"

namespace scorpio::session {

namespace {

// What a request does with one piece of the variable.
exchange::Part part_of(const transfer::Slab& slab, const Piece& piece, Request& request,
                       const std::byte* from, std::byte* to) {
  exchange::Part part{.begin = slab.begin, .element_bytes = slab.element_bytes, .runs = piece.runs};
  part.conversion = &request.conversion;
  part.misfits = &request.misfits;
  const size_t memory_bytes = request.reading ? request.conversion.to_size : request.conversion.from_size;
  const auto place = piece.place * static_cast<int64_t>(memory_bytes);
  part.from = from == nullptr ? nullptr : from + place;
  part.to = to == nullptr ? nullptr : to + place;
  return part;
}

}  // namespace

// What any post needs of the file and the variable.
Result<const model::Variable*> File::check_post(PostKind kind, int index) const {
  const bool reading = kind == PostKind::get;
  SCORPIO_TRY(check(reading ? FileState::Event::get : FileState::Event::put));
  SCORPIO_ASSIGN(const model::Variable* found, variable(index));
  SCORPIO_TRY(check(reading ? FileState::Event::post_get : FileState::Event::post_put));
  SCORPIO_TRY(reading ? check_readable(*found) : check_overwritable(*found, layout_->placement(index)));
  return found;
}

Result<int64_t> File::add_request(PostKind kind, int index, Result<Pieces> pieces,
                                  const Result<model::ElementType>& memory_type, void* data) {
  const auto scope = counted(observe::FileCall::post);
  const model::Variable& variable = schema_.variable(index);
  const format::Placement& placement = layout_->placement(index);
  const bool reading = kind == PostKind::get;
  if (!pieces.ok()) return pieces.status().with_context(variable.path);
  const int64_t elements = pieces->elements;
  if (data == nullptr && elements > 0) {
    return failure(Code::argument, "the buffer for {} elements of {} is NULL", elements, variable.path);
  }
  SCORPIO_ASSIGN(const codec::Conversion conversion, conversion_of(variable, memory_type, reading));
  SCORPIO_TRY(check_last_record(index, pieces->records - 1));
  std::vector<std::byte> copy;
  if (kind == PostKind::buffered_put) {
    const size_t element_bytes = memory_type->size_bytes;
    const uint64_t bytes = static_cast<uint64_t>(elements) * element_bytes;
    SCORPIO_TRY(requests_.claim(bytes));
    const auto* user = static_cast<const std::byte*>(data);
    copy = pieces->mapped ? pack(*pieces, user, element_bytes) : std::vector<std::byte>(user, user + bytes);
  }
  Request& request = requests_.add(reading, std::move(pieces).value(), conversion);
  request.copy = std::move(copy);
  if (placement.is_by_library()) request.by_library = index;
  request.records = reading ? 0 : request.pieces.records;
  const auto* from =
      kind == PostKind::buffered_put ? request.copy.data() : static_cast<const std::byte*>(data);
  for (const Piece& piece : request.pieces.pieces) {
    const transfer::Slab slab = transfer::Slab::of(variable, placement, piece.record);
    request.parts.push_back(part_of(slab, piece, request, from, static_cast<std::byte*>(data)));
  }
  return request.id;
}

Result<int64_t> File::post(PostKind kind, int index, std::span<const Box> boxes,
                           const Result<model::ElementType>& memory_type, void* data) {
  SCORPIO_ASSIGN(const model::Variable* found, check_post(kind, index));
  const bool growing = kind != PostKind::get;
  return add_request(kind, index, pieces_of(*found, layout_->placement(index), boxes, growing, recent_runs_),
                     memory_type, data);
}

// The runs are the decomposition's own: all that this rank holds, since ranks that hold the same elements
// need not post them.
Result<int64_t> File::post_part(PostKind kind, int index, const Decomposition* decomposition, int64_t record,
                                const Result<model::ElementType>& memory_type, void* data) {
  SCORPIO_ASSIGN(const model::Variable* found, check_post(kind, index));
  const bool reading = kind == PostKind::get;
  SCORPIO_TRY(check({.variable = index, .record = record}, decomposition, reading).status());
  Pieces pieces;
  pieces.elements = decomposition->part().runs.elements();
  pieces.records = found->records ? record + 1 : 0;
  pieces.pieces.push_back({reading ? &decomposition->part().runs : &decomposition->own_runs(), record, 0});
  return add_request(kind, index, std::move(pieces), memory_type, data);
}

struct File::Parts {
  std::vector<exchange::Part> puts, gets;
  std::map<int, std::vector<exchange::Part>> library;  // by variable: gets through the format's library
  int64_t records = 0;                                 // one past the last record of the puts
  void add(const Request& request) {
    auto& all = request.by_library >= 0 ? library[request.by_library] : request.reading ? gets : puts;
    all.insert(all.end(), request.parts.begin(), request.parts.end());
    records = std::max(records, request.records);
  }
};

// Of requests that are not combined.
struct File::Operations {
  uint64_t puts = 0, gets = 0;

  static Operations of(const std::list<Request>& requests) {
    const auto gets =
        std::count_if(requests.begin(), requests.end(), [](const Request& r) { return r.reading; });
    return {requests.size() - static_cast<uint64_t>(gets), static_cast<uint64_t>(gets)};
  }
};

// What all ranks learn in the one reduction of a wait.
struct File::Turnout {
  struct Direction {
    transfer::Reach all;
    std::vector<transfer::Reach> nodes;  // [nodes]
    bool interleaved = false;            // some rank's parts, in its memory
    bool mine_interleaved = false;       // this rank's
  };
  Direction puts, gets;
  Operations operations;          // most of any rank; of what is interleaved 0
  bool reading = false;           // some rank gets, be it no elements
  int64_t records = 0;            // one past the last record that is put
  bool by_library = false;        // some rank gets by the format's library
  bool same_definitions = false;  // if not, the next sync point says whose are others
};

namespace {

// Waits may be mixed, and one of a sync point is none of the program's.
std::string posts_call(std::optional<int> source) {
  if (!source) return "scorpio_wait";
  return *source == File::k_every_rank ? current_call()
                                       : fmt::format("{} of rank {}", current_call(), *source);
}

}  // namespace

// Ranks are in different calls that carry out posts, or name different sources.
Status File::explain_posts(std::optional<int> source) const {
  const comm::Group& comm = system_.comm();
  const std::string mine = posts_call(source);
  std::vector<std::byte> bytes(mine.size());
  std::memcpy(bytes.data(), mine.data(), mine.size());
  SCORPIO_TRY(comm.broadcast(bytes, 0));
  const std::string first(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const Status differ =
      first == mine ? Status()
                    : failure(Code::mismatch,
                              "rank {} is in {}, rank 0 in {}; all ranks must make the same calls with the "
                              "same arguments in the same order",
                              comm.rank(), mine, first)
                          .completed(path_ + ": ");
  return comm::agree(comm, differ);
}

namespace {

constexpr uint64_t k_interleaved = uint64_t{1} << 63;

struct Summary {
  comm::Most puts, gets;  // their number, or k_interleaved where parts are; of gets not 0 where a rank gets,
                          // be it no elements
  comm::Most records;     // one past the last that is put
  comm::Same call;
  comm::Same definitions;
  comm::Any by_library;
  auto fields() { return std::tie(puts, gets, records, call, definitions, by_library); }
};

}  // namespace

Result<File::Turnout> File::turn_out(const Status& own, const Parts& parts, const Operations& operations,
                                     std::optional<int> source) {
  const auto nodes = static_cast<size_t>(system_.nodes().nodes());
  const auto my_node = static_cast<size_t>(system_.nodes().my_node);
  // A summary, then (earliness of begin, end) of puts and of gets, of all ranks and, where there are several,
  // of each node.
  constexpr size_t k_all = comm::k_words_of<Summary>, k_nodes = k_all + 4;
  std::vector<uint64_t> bounds(k_nodes + (nodes > 1 ? 4 * nodes : 0), 0);
  const bool mixed_puts = exchange::interleaved(parts.puts), mixed_gets = exchange::interleaved(parts.gets);
  Summary summary{.puts = {mixed_puts ? k_interleaved : operations.puts},
                  .gets = {mixed_gets ? k_interleaved : operations.gets},
                  .records = {static_cast<uint64_t>(parts.records)},
                  .call = {fnv1a(posts_call(source))},
                  .definitions = {schema_.hash()},
                  .by_library = {!parts.library.empty()}};
  comm::write_words(summary, bounds);
  const auto set = [&bounds](size_t at, const transfer::Reach& reach) {
    bounds[at] = transfer::earliness(reach.begin);
    bounds[at + 1] = reach.end;
  };
  const transfer::Reach puts = transfer::reach_of(parts.puts);
  const transfer::Reach gets = transfer::reach_of(parts.gets);
  set(k_all, puts);
  set(k_all + 2, gets);
  if (nodes > 1) {
    set(k_nodes + 4 * my_node, puts);
    set(k_nodes + 4 * my_node + 2, gets);
  }
  std::array<uint64_t, 2> edges{puts.edges, gets.edges};
  SCORPIO_TRY(comm::agree(system_.comm(), own, bounds, edges));
  comm::read_words(summary, bounds);
  if (summary.call.differs) return explain_posts(source);
  const auto get = [&](size_t at) {
    return transfer::Reach{transfer::earliness(bounds[at]), bounds[at + 1]};
  };
  Turnout turnout;
  turnout.records = static_cast<int64_t>(summary.records.value);
  turnout.by_library = summary.by_library.value;
  turnout.same_definitions = !summary.definitions.differs;
  turnout.reading = summary.gets.value > 0;
  turnout.puts = {get(k_all), {}, summary.puts.value == k_interleaved, mixed_puts};
  turnout.gets = {get(k_all + 2), {}, summary.gets.value == k_interleaved, mixed_gets};
  turnout.puts.all.edges = edges[0];
  turnout.gets.all.edges = edges[1];
  turnout.operations = {turnout.puts.interleaved ? 0 : summary.puts.value,
                        turnout.gets.interleaved ? 0 : summary.gets.value};
  for (size_t n = 0; n < nodes; ++n) {
    const size_t at = nodes > 1 ? k_nodes + 4 * n : k_all;
    turnout.puts.nodes.push_back(get(at));
    turnout.gets.nodes.push_back(get(at + 2));
  }
  return turnout;
}

// What ranks have posted of variables that the format's library reads, each in a byte space of its own, in
// which it lies row-major from byte 0: the variables one after the other, in each the parts of all ranks
// together. One agreement says which variables there are, and one for each says where; an eager file has one
// more. Collective.
Status File::get_by_library(const Parts& parts) {
  if (eager_) SCORPIO_TRY(fetch_from_client());
  std::vector<int> variables;  // all that the file has, removed ones too: the same on all ranks
  for (int i = 0; i < schema_.variable_count(); ++i) {
    if (layout_->placement(i).is_by_library()) variables.push_back(i);
  }
  std::vector<uint64_t> wanted;  // [variables] 1: by some rank
  for (const int index : variables) wanted.push_back(parts.library.contains(index) ? 1 : 0);
  SCORPIO_TRY(comm::agree(system_.comm(), Status(), wanted));
  Status status;
  for (size_t i = 0; i < variables.size(); ++i) {
    if (wanted[i] == 0) continue;
    const auto mine = parts.library.find(variables[i]);
    Parts own;
    if (mine != parts.library.end()) own.gets = mine->second;
    SCORPIO_ASSIGN(const Turnout turnout, turn_out(Status(), own, Operations(), std::nullopt));
    status = first_failure(status, get_by_library(variables[i], turnout, own));
  }
  return status;
}

Status File::get_by_library(int index, const Turnout& turnout, const Parts& own) {
  transfer::Stored stored{.slabs = std::vector<plan::ByteRange>{{0, schema_.variable(index).bytes()}}};
  if (turnout.gets.interleaved) stored.regions_at_once = channel_->regions_in_a_pass(true);
  transfer::CombinedFlow reading(rule_, turnout.gets.all, turnout.gets.nodes, stored, own.gets,
                                 turnout.gets.mine_interleaved);
  storage::Source& source = source_of(index);
  Status status;
  for (;;) {
    SCORPIO_ASSIGN(const bool more, reading.next_window(system_.comm()));
    if (!more) return status;
    status = first_failure(status, channel_->get(reading.flow(), source).status());
  }
}

// A rank whose part fails goes on taking part: what ranks tell each other for a window is collective.
Status File::move_parts(const Turnout& turnout, const Parts& parts, bool flushed) {
  const auto flow_of = [&](const Turnout::Direction& direction, bool reading,
                           const std::vector<exchange::Part>& own) {
    transfer::Stored stored;
    const transfer::Reach& all = direction.all;
    if (turnout.same_definitions)
      stored.slabs = transfer::stored_slabs(schema_, layout_->placements(), {all.begin, all.end});
    if (direction.interleaved) stored.regions_at_once = channel_->regions_in_a_pass(reading);
    return transfer::CombinedFlow(rule_, all, direction.nodes, stored, own, direction.mine_interleaved);
  };
  transfer::CombinedFlow writing = flow_of(turnout.puts, false, parts.puts);
  transfer::CombinedFlow reading = flow_of(turnout.gets, true, parts.gets);
  Status status = grow(turnout.records);
  for (;;) {
    SCORPIO_ASSIGN(const bool more, writing.next_window(system_.comm()));
    if (!more) break;
    state_.data_were_put();
    status = first_failure(status, channel_->put(writing.flow()).status());
  }
  if (!flushed) return note(status);
  // What could not be written is lost: the file's next sync point must fail as well.
  status = note(first_failure(status, channel_->flush()));
  for (;;) {
    SCORPIO_ASSIGN(const bool more, reading.next_window(system_.comm()));
    if (!more) break;
    status = first_failure(status, channel_->get(reading.flow(), *data_).status());
  }
  return turnout.by_library ? first_failure(status, get_by_library(parts)) : status;
}

// One by one, puts before gets: what a rank has no more of, it takes part in with nothing.
Status File::move_each(const Operations& operations, const std::list<Request>& requests, bool flushed) {
  Status status;
  const auto move_all = [&](bool reading, uint64_t number) -> Status {
    auto at = requests.begin();
    for (uint64_t i = 0; i < number; ++i) {
      Parts one;
      at = std::find_if(at, requests.end(),
                        [&](const Request& request) { return request.reading == reading; });
      if (at != requests.end()) one.add(*at++);
      SCORPIO_ASSIGN(const Turnout now, turn_out({}, one, {}, std::nullopt));
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

// Failures of the arguments of any rank fail the wait before anything moves: the requests stay posted.
Status File::wait(const std::vector<int64_t>* ids, std::map<int64_t, Code>& outcomes, const Status& arguments,
                  std::optional<int> source) {
  const auto scope = counted(observe::FileCall::wait);
  SCORPIO_TRY(first_failure(system_.comm().parted(), state_.lost()));
  enter(k_posts);
  SCORPIO_TRY(ready_for_data());
  if (posts_flush() && !channel_->failed()) (void)note(channel_->flush());  // earlier puts come first
  Status own = first_failure(state_.finished(), arguments);
  std::list<Request> requests;
  if (own.ok()) own = requests_.take(ids, requests);
  Parts all;
  for (const Request& request : requests) all.add(request);
  const bool combine = options_.boolean(Option::combine);
  const Result<Turnout> turnout = turn_out(own, combine ? all : Parts(), Operations::of(requests), source);
  if (!turnout.ok()) {
    requests_.put_back(std::move(requests));
    return turnout.status();
  }
  const bool settled = source || turnout->reading, flushed = settled || posts_flush();
  own = combine ? move_parts(*turnout, all, flushed) : move_each(turnout->operations, requests, flushed);
  uint64_t misfits = 0;
  for (const Request& request : requests) {
    misfits += request.misfits;
    requests_.release(request.copy.size());
    outcomes[request.id] = outcome(own, request);
  }
  if (own.ok() && misfits > 0) {
    own = failure(Code::range, "{} values do not fit the types they were converted to; they were clipped",
                  misfits);
  }
  return settled ? agree_on_move(own) : note(own);
}

// Where the slots of posts are not those of other calls, one must be written before the other begins.
bool File::posts_flush() const { return rule_.contiguous; }

Status File::cancel(const std::vector<int64_t>* ids) {
  std::list<Request> dropped;
  SCORPIO_TRY(requests_.take(ids, dropped));
  for (const Request& request : dropped) requests_.release(request.copy.size());
  return {};
}

}  // namespace scorpio::session
