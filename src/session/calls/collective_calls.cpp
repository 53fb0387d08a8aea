#include "session/calls/collective_calls.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/attempt.h"
#include "base/current_call.h"
#include "base/guarded.h"
#include "session/elements/call_checks.h"
#include "session/state/variable_access.h"

namespace scorpio::session {

namespace {

using Given = Accesses::Given;
using Sharing = Accesses::Sharing;

// Adds the status of the next part of a call: the first failure counts; clipped values do not hide the
// failure of a later part.
void join(Status& status, Status next) {
  if (next.ok()) return;
  if (status.ok() || status.code() == Code::range) status = std::move(next);
}

// All ranks have the failure.
bool ends_get(const Status& status, bool reading) {
  return reading && !status.ok() && status.code() != Code::range;
}

bool all_ranks_know(const Given& access) {
  return access.by != nullptr || access.sharing == Sharing::all_ranks;
}

}  // namespace

Status CollectiveCalls::move(const Accesses& accesses) {
  bool known = accesses.size() > 0;
  for (size_t i = 0; known && i < accesses.size(); ++i) known = all_ranks_know(accesses.given(i));
  return known ? move_in_order(accesses) : move_as_requests(accesses);
}

Status CollectiveCalls::move_in_order(const Accesses& accesses) {
  Status status;
  for (size_t begin = 0, end = 0; begin < accesses.size(); begin = end) {
    const void* const by = accesses.given(begin).by;
    end = begin + 1;
    if (by != nullptr) {
      while (end < accesses.size() && accesses.given(end).by == by) ++end;
      join(status, move_parts(accesses, begin, end));
    } else {
      join(status, move_known(accesses, begin, {}));
    }
  }
  return status;
}

// ---- by decompositions ----

namespace {

const Decomposition* valid_or_null(const Result<const Decomposition*>& by) { return by.ok() ? *by : nullptr; }

// Those of accesses [begin, end).
Status add_moves(const Accesses& accesses, size_t begin, size_t end, std::vector<Move>& moves) {
  return guarded([&]() -> Status {
    moves.reserve(end - begin);
    for (size_t i = begin; i < end; ++i) {
      SCORPIO_ASSIGN(Move move, accesses.move(i));
      moves.push_back(std::move(move));
    }
    return {};
  });
}

}  // namespace

// The number of records if they are put or got one by one, else 0: also if the decomposition is invalid
// (null). The same on all ranks that pass the same variable and decomposition.
int64_t CollectiveCalls::records_of(int variable, int64_t record, const Decomposition* decomposition,
                                    bool reading) const {
  if (decomposition == nullptr || record != 0) return 0;
  const Result<const model::Variable*> found = core_.contents.variable(variable);
  const bool records = found.ok() && (*found)->records;
  return records ? records_one_by_one(**found, *decomposition, reading) : 0;
}

Status CollectiveCalls::move_part(const Move& move, const Result<const Decomposition*>& by, bool reading) {
  const Decomposition* const valid = valid_or_null(by);
  const int64_t records = records_of(move.variable, move.record, valid, reading);
  if (records > 0) return move_records(move, *valid, records, reading);
  return carry_out({&move, 1}, valid, reading, by.status());
}

Status CollectiveCalls::move_parts(const Accesses& accesses, size_t begin, size_t end) {
  const bool reading = accesses.reading();
  const Result<const Decomposition*> by = accesses.decomposition(begin);
  const Decomposition* const valid = valid_or_null(by);
  const auto records_at = [&](size_t i) {
    const Given access = accesses.given(i);
    return records_of(access.variable, access.record, valid, reading);
  };
  Status status;
  for (size_t next = begin; begin < end; begin = next) {
    const int64_t records = records_at(begin);
    for (++next; records == 0 && next < end && records_at(next) == 0;) ++next;
    std::vector<Move> moves;
    Status arguments = by.status();
    if (arguments.ok()) arguments = add_moves(accesses, begin, next, moves);
    if (records == 0) {
      join(status, carry_out(moves, valid, reading, arguments));
    } else {
      const Result<Move> move = arguments.ok() ? moves.front() : Result<Move>(arguments);
      join(status, move_records(move, *valid, records, reading));
    }
  }
  return status;
}

// The move of all records, one by one.
Status CollectiveCalls::move_records(const Result<Move>& move, const Decomposition& decomposition,
                                     int64_t records, bool reading) {
  Move one = move.ok() ? *move : Move();
  Status status;
  for (one.record = 0; one.record < records; ++one.record) {
    std::unique_ptr<Decomposition> part;
    Status arguments = move.status();
    attempt(arguments, [&] { part = decomposition.at_index(core_.setting.system(), one.record); });
    join(status, carry_out({&one, 1}, part.get(), reading, arguments));
    if (ends_get(status, reading)) return status;
  }
  return status;
}

// ---- by hyperslabs that all ranks know ----

Status CollectiveCalls::move_known(const Accesses& accesses, size_t i, const Status& wrong) {
  const bool reading = accesses.reading();
  std::vector<KnownBox> boxes;
  Status status = wrong;
  if (status.ok()) status = guarded([&] { return add_boxes(accesses, i, boxes); });
  if (!status.ok() || boxes.empty()) return carry_out({}, nullptr, reading, status);
  for (KnownBox& box : boxes) {
    join(status, move_box(box, reading));
    if (ends_get(status, reading)) return status;
  }
  return status;
}

// All ranks pass the same variable and type, and fail in the same way.
Status CollectiveCalls::add_boxes(const Accesses& accesses, size_t i, std::vector<KnownBox>& known) const {
  const Given access = accesses.given(i);
  const bool reading = accesses.reading();
  SCORPIO_TRY(check_sharing(access));
  SCORPIO_ASSIGN(const auto boxes, accesses.boxes(i));
  SCORPIO_ASSIGN(const auto* variable, core_.contents.variable(access.variable));
  const std::optional<int> root = reading ? std::nullopt : std::optional(access.root);
  SCORPIO_ASSIGN(const Move move, accesses.move(i));
  SCORPIO_TRY(reading ? check_readable(*variable)
                      : check_overwritable(*variable, core_.contents.layout().placement(access.variable)));
  SCORPIO_TRY(conversion_of(core_.contents.format(), *variable, move.memory, reading).status());
  int64_t place = 0;  // position in the buffer, in elements
  for (const Box& box : boxes) {
    const Move at = shifted(move, box.offset.value_or(place));
    Result<KnownBox> next = KnownBox::make(core_.setting.system(), *variable, box, root, at);
    if (!next.ok()) return next.status();
    place += next->elements();
    known.push_back(std::move(next).value());
  }
  return {};
}

// All records of the box.
Status CollectiveCalls::move_box(KnownBox& box, bool reading) {
  Status status;
  while (box.more()) {
    std::vector<Move> moves;
    Status arguments;
    attempt(arguments, [&] { moves = box.next(); });
    join(status, carry_out(moves, &box.decomposition(), reading, arguments));
    if (ends_get(status, reading)) return status;
  }
  return status;
}

// ---- as requests ----

namespace {

// The name of the call, and the ranks whose data it moves if they are the same on all ranks.
std::string call_of(const Accesses& accesses) {
  std::string text = current_call();
  const char* between = " of ";
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Given access = accesses.given(i);
    if (access.sharing == Sharing::each_rank) continue;
    text += between;
    text += access.sharing == Sharing::one_rank ? "rank " + std::to_string(access.root) : "all ranks";
    between = ", ";
  }
  return text;
}

}  // namespace

Status CollectiveCalls::check_sharing(const Given& access) const {
  const int ranks = core_.setting.comm().size();
  if (access.sharing < Sharing::each_rank || access.sharing > Sharing::one_rank) {
    return failure(Code::argument,
                   "sharing = {}; use SCORPIO_EACH_RANK, SCORPIO_ALL_RANKS or SCORPIO_ONE_RANK",
                   static_cast<int>(access.sharing));
  }
  if (access.sharing == Sharing::each_rank || (access.root >= 0 && access.root < ranks)) return {};
  return failure(Code::argument, "root rank {} does not exist (ranks are 0 to {})", access.root, ranks - 1);
}

// All ranks check the accesses that are equal on all ranks. Memory is reserved first: if the id could not be
// stored, its request would stay pending.
Status CollectiveCalls::post(const Accesses& accesses, size_t i, Posted& posted) const {
  const Given access = accesses.given(i);
  SCORPIO_TRY(check_sharing(access));
  const int rank = core_.setting.comm().rank();
  if (access.sharing == Sharing::one_rank && access.root != rank) return {};
  const bool one_copy = access.sharing == Sharing::all_ranks && !accesses.reading();
  std::vector<int64_t>& ids = one_copy && access.root != rank ? posted.others : posted.own;
  ids.reserve(accesses.size());
  SCORPIO_ASSIGN(const int64_t id, accesses.post(i));
  ids.push_back(id);
  return {};
}

Status CollectiveCalls::post_all(const Accesses& accesses, Posted& posted) const {
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Status added = guarded([&] { return post(accesses, i, posted); });
    if (!added.ok()) return accesses.size() == 1 ? added : added.with_context("access " + std::to_string(i));
  }
  return {};
}

Status CollectiveCalls::carry_out(Posted& posted, const Status& wrong, const std::string& call) {
  if (!posted.others.empty()) (void)requests_.cancel(&posted.others);
  std::map<int64_t, Code> outcomes;
  const Status status = requests_.wait(&posted.own, outcomes, wrong, call);
  if (outcomes.empty()) (void)requests_.cancel(&posted.own);  // no request of this call stays pending
  return status;
}

Status CollectiveCalls::move_as_requests(const Accesses& accesses) {
  SCORPIO_TRY(define_mode_.ready_for_requests());
  Posted posted;
  const Status wrong = post_all(accesses, posted);
  return carry_out(posted, wrong, call_of(accesses));
}

Status CollectiveCalls::move_nothing(const Status& arguments) {
  SCORPIO_TRY(define_mode_.ready_for_requests());
  Posted posted;
  return carry_out(posted, arguments, current_call());
}

}  // namespace scorpio::session
