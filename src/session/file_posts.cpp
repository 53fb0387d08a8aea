// Posts: requests of one rank, carried out together at a wait or another sync point.
#include <algorithm>
#include <array>

#include "comm/agree.h"
#include "decomp/decomposition.h"
#include "session/file.h"
#include "transfer/combined_flow.h"

namespace scorpio::session {

namespace {

// Boxes one behind the other in the buffer.
Result<decomp::RunList> runs_of(const model::Variable& variable, std::span<const File::Box> boxes,
                                int64_t& elements) {
  std::vector<decomp::Run> runs;
  elements = 0;
  for (const File::Box& box : boxes) {
    SCORPIO_ASSIGN(decomp::LocalPart part,
                   decomp::strided(variable.dims, box.start, box.stride, box.count, {}));
    if (boxes.size() == 1) {
      elements = part.local_elements;
      return std::move(part.runs);
    }
    part.runs.for_each([&](const decomp::Run& run) {
      runs.push_back({run.global, run.local + elements, run.length});
    });
    elements += part.local_elements;
  }
  return decomp::RunList(std::move(runs));
}

}  // namespace

Result<int64_t> File::post(PostKind kind, int index, std::span<const File::Box> boxes,
                           const Result<model::ElementType>& memory_type, void* data) {
  const bool reading = kind == PostKind::get;
  SCORPIO_TRY(reading ? check_usable() : check_writable());
  SCORPIO_ASSIGN(const model::Variable* found, variable(index));
  SCORPIO_TRY(memory_type.status());
  if (found->storage != model::Storage::contiguous) {
    return failure(Code::unsupported,
                   "{} is stored in a form that only the format's library reaches; use scorpio_get",
                   found->path);
  }
  int64_t elements = 0;
  auto runs = runs_of(*found, boxes, elements);
  if (!runs.ok()) return runs.status().with_context(found->path);
  if (data == nullptr && elements > 0) {
    return failure(Code::argument, "the buffer for {} elements of {} is NULL", elements, found->path);
  }
  const auto conversion = reading ? codec::Conversion::make(found->type, *memory_type)
                                  : codec::Conversion::make(*memory_type, found->type);
  SCORPIO_TRY(conversion.status());
  std::vector<std::byte> copy;
  if (kind == PostKind::buffered_put) {
    const uint64_t bytes = static_cast<uint64_t>(elements) * memory_type->size_bytes;
    SCORPIO_ASSIGN(copy, requests_.copy(static_cast<const std::byte*>(data), bytes));
  }
  Request& request = requests_.add(reading, std::move(runs).value(), *conversion);
  request.copy = std::move(copy);
  request.part.begin = found->address.value_or(0);
  request.part.element_bytes = found->type.size_bytes;
  request.part.from =
      kind == PostKind::buffered_put ? request.copy.data() : static_cast<const std::byte*>(data);
  request.part.to = static_cast<std::byte*>(data);
  return request.id;
}

struct File::Parts {
  std::vector<exchange::Part> puts, gets;
  void add(const Request& request) { (request.reading ? gets : puts).push_back(request.part); }
};

// What all ranks learn in the one reduction of a wait.
struct File::Turnout {
  transfer::Reach puts, gets;
  std::vector<transfer::Reach> node_puts, node_gets;  // [nodes]
  uint64_t operations = 0;                            // most of any rank, where they are not combined
};

Result<File::Turnout> File::turn_out(const Status& own, const Parts& parts, uint64_t operations) {
  const auto nodes = static_cast<size_t>(system_.nodes().nodes());
  const auto my_node = static_cast<size_t>(system_.nodes().my_node);
  // [0] operations, then (earliness of begin, end) of puts and of gets, of all ranks and of each node
  std::vector<uint64_t> bounds(5 + 4 * nodes, 0);
  bounds[0] = operations;
  const auto set = [&bounds](size_t at, const transfer::Reach& reach) {
    bounds[at] = transfer::earliness(reach.begin);
    bounds[at + 1] = reach.end;
  };
  const transfer::Reach puts = transfer::reach_of(parts.puts);
  const transfer::Reach gets = transfer::reach_of(parts.gets);
  const auto get = [&bounds](size_t at) {
    return transfer::Reach{transfer::k_far - bounds[at], bounds[at + 1]};
  };
  set(1, puts);
  set(3, gets);
  set(5 + 4 * my_node, puts);
  set(7 + 4 * my_node, gets);
  ++system_.counters().agreements;
  SCORPIO_TRY(comm::agree(system_.comm(), own, bounds));
  Turnout turnout{get(1), get(3), {}, {}, bounds[0]};
  for (size_t n = 0; n < nodes; ++n) {
    turnout.node_puts.push_back(get(5 + 4 * n));
    turnout.node_gets.push_back(get(7 + 4 * n));
  }
  return turnout;
}

// A rank whose part fails goes on taking part: what ranks tell each other for a window is collective.
Status File::move_parts(const Turnout& turnout, const Parts& parts) {
  transfer::CombinedFlow writing(rule_, turnout.puts, turnout.node_puts, parts.puts);
  transfer::CombinedFlow reading(rule_, turnout.gets, turnout.node_gets, parts.gets);
  Status status;
  for (;;) {
    SCORPIO_ASSIGN(const bool more, writing.next_window(system_.comm()));
    if (!more) break;
    unsettled_ = true;
    status = first_failure(status, channel_->put(writing.flow()).status());
  }
  status = first_failure(status, channel_->flush());
  for (;;) {
    SCORPIO_ASSIGN(const bool more, reading.next_window(system_.comm()));
    if (!more) return status;
    status = first_failure(status, channel_->get(reading.flow(), data_file_).status());
  }
}

// One by one: what a rank has no more of, it takes part in with nothing.
Status File::move_each(uint64_t operations, const std::list<Request>& requests) {
  Status status;
  auto at = requests.begin();
  for (uint64_t i = 0; i < operations; ++i) {
    Parts one;
    if (at != requests.end()) one.add(*at++);
    SCORPIO_ASSIGN(const Turnout now, turn_out({}, one, 1));
    status = first_failure(status, move_parts(now, one));
  }
  return status;
}

namespace {

Code outcome(const Status& moved, const Request& request) {
  if (!moved.ok()) return moved.code();
  return request.misfits > 0 ? Code::range : Code::ok;
}

}  // namespace

// Failures of the arguments of any rank fail the wait before anything moves: the requests stay posted.
Status File::wait(const std::vector<int64_t>* ids, std::map<int64_t, Code>& outcomes,
                  const Status& arguments) {
  SCORPIO_TRY(broken_);
  if (!channel_->failed()) (void)note(channel_->flush());  // earlier puts come first
  system_.select_writer(*channel_, data_file_);
  Status own = first_failure(finished_, arguments);
  std::list<Request> requests;
  if (own.ok()) own = requests_.take(ids, requests);
  Parts all;
  for (const Request& request : requests) all.add(request);
  const bool combine = options_.boolean(Option::combine);
  const Result<Turnout> turnout = combine ? turn_out(own, all, 1) : turn_out(own, Parts(), requests.size());
  if (!turnout.ok()) {
    requests_.put_back(std::move(requests));
    return turnout.status();
  }
  own = combine ? move_parts(*turnout, all) : move_each(turnout->operations, requests);
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
  return agree_on_move(own);
}

Status File::cancel(const std::vector<int64_t>* ids) {
  std::list<Request> dropped;
  SCORPIO_TRY(requests_.take(ids, dropped));
  for (const Request& request : dropped) requests_.release(request.copy.size());
  return {};
}

}  // namespace scorpio::session
