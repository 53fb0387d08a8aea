// Collective data calls: by decompositions, or as requests that the call makes and carries out itself.
#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "capi/access.h"
#include "capi/convert.h"
#include "capi/guard.h"
#include "capi/joined.h"
#include "capi/known_access.h"
#include "capi/record_access.h"
#include "scorpio/scorpio.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::guarded;
using scorpio::capi::joined;
using scorpio::session::Decomposition;
using scorpio::session::File;
using scorpio::session::Move;
using scorpio::session::Posts;

namespace {

using Accesses = std::span<const scorpio_access>;
using Moves = Result<std::vector<Move>>;

// ---- by decompositions ----

// The decomposition of a call, which the caller may have released. Null: there is none.
using Decomposed = Result<const Decomposition*>;

Decomposed decomposition_of(const scorpio_access& access) {
  if (access.decomp == nullptr) return static_cast<const Decomposition*>(nullptr);
  SCORPIO_TRY(scorpio::capi::check_argument(access.decomp, "decomp"));
  return access.decomp->decomposition.get();
}

// If they cannot be allocated, or if one of them or their decomposition is invalid, the failure takes their
// place: the rank must still make the collective call.
Moves moves_of(File& file, Accesses accesses, const Decomposed& by, bool reading) {
  SCORPIO_TRY(by.status());
  std::vector<Move> moves;
  const auto add_all = [&]() -> Status {
    moves.reserve(accesses.size());
    for (const scorpio_access& access : accesses) {
      if (access.decomp != nullptr) SCORPIO_TRY(scorpio::capi::check_access(access));
      moves.push_back(scorpio::capi::move_of(file, access, reading));
    }
    return {};
  };
  SCORPIO_TRY(scorpio::guarded(add_all));
  return moves;
}

// Accesses by one decomposition.
Status move_together(File& file, Accesses accesses, const Decomposed& by, bool reading) {
  const Moves moves = moves_of(file, accesses, by, reading);
  const Decomposition* decomposition = moves.ok() ? *by : nullptr;
  return reading ? file.data().get(moves, decomposition) : file.data().put(moves, decomposition);
}

// The same, of which some are of all records of their variable.
Status move_by_decomposition(File& file, Accesses accesses, bool reading) {
  const Decomposed by = decomposition_of(accesses.front());
  const Decomposition* const valid = by.ok() ? *by : nullptr;
  Status status;
  while (!accesses.empty()) {
    size_t n = 0;
    int64_t records = 0;
    while (n < accesses.size() &&
           (records = scorpio::capi::records_of(file, accesses[n], valid, reading)) == 0)
      ++n;
    if (n > 0) status = joined(status, move_together(file, accesses.first(n), by, reading));
    accesses = accesses.subspan(n);
    if (accesses.empty()) break;
    const Moves move = moves_of(file, accesses.first(1), by, reading);
    status = joined(status, scorpio::capi::move_records(file, move, *valid, records, reading));
    accesses = accesses.subspan(1);
  }
  return status;
}

// ---- by hyperslabs that all ranks know ----

bool all_ranks_know(const scorpio_access& access) {
  return access.decomp != nullptr || access.sharing == SCORPIO_ALL_RANKS;
}

Status move_in_order(File& file, Accesses accesses, bool reading) {
  Status status;
  while (!accesses.empty()) {
    const scorpio_access& first = accesses.front();
    size_t n = 1;
    if (first.decomp != nullptr) {
      while (n < accesses.size() && accesses[n].decomp == first.decomp) ++n;
      status = joined(status, move_by_decomposition(file, accesses.first(n), reading));
    } else {
      status = joined(status, scorpio::capi::move_known(file, first, reading));
    }
    accesses = accesses.subspan(n);
  }
  return status;
}

// ---- as requests ----

// The requests that this rank makes in a call.
struct Posted {
  std::vector<int64_t> own;
  std::vector<int64_t> others;  // accesses that are checked here, and put by another rank
};

// All ranks check the accesses that are equal on all ranks.
Status add(Posted& posted, File& file, Posts::Kind kind, const scorpio_access& access) {
  const auto& system = file.system();
  SCORPIO_TRY(scorpio::capi::check_sharing(access, system.comm().size()));
  const int rank = system.comm().rank();
  if (access.sharing == SCORPIO_ONE_RANK && access.root != rank) return {};
  SCORPIO_ASSIGN(const int64_t id, scorpio::capi::post(file, kind, access));
  const bool one_copy = access.sharing == SCORPIO_ALL_RANKS && kind != Posts::Kind::get;
  (one_copy && access.root != rank ? posted.others : posted.own).push_back(id);
  return {};
}

// Reserved first: if the id could not be stored, its request would stay pending.
Status add_all(Posted& posted, File& file, Posts::Kind kind, Accesses accesses) {
  SCORPIO_TRY(scorpio::guarded([&] {
    posted.own.reserve(accesses.size());
    posted.others.reserve(accesses.size());
    return Status();
  }));
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Status added = scorpio::guarded([&] { return add(posted, file, kind, accesses[i]); });
    if (!added.ok()) return accesses.size() == 1 ? added : added.with_context("access " + std::to_string(i));
  }
  return {};
}

// The name of the call, and the ranks whose data it moves if they are the same on all ranks.
std::string call_of(Accesses accesses) {
  std::string text = scorpio::current_call();
  const char* between = " of ";
  for (const scorpio_access& access : accesses) {
    if (access.sharing == SCORPIO_EACH_RANK) continue;
    text += between;
    text += access.sharing == SCORPIO_ONE_RANK ? "rank " + std::to_string(access.root) : "all ranks";
    between = ", ";
  }
  return text;
}

Status move_requests(File& file, Accesses accesses, bool reading, const Status& arguments = {}) {
  SCORPIO_TRY(file.define_mode().ready_for_posts());
  Posted posted;
  Status wrong = arguments;
  if (wrong.ok()) wrong = add_all(posted, file, reading ? Posts::Kind::get : Posts::Kind::put, accesses);
  if (!posted.others.empty()) (void)file.posts().cancel(&posted.others);
  std::map<int64_t, Code> outcomes;
  const Status status = file.posts().wait(&posted.own, outcomes, wrong, call_of(accesses));
  if (outcomes.empty()) (void)file.posts().cancel(&posted.own);  // no request of this call stays pending
  return status;
}

// ---- both kinds ----

Status move(File& file, Accesses accesses, bool reading) {
  const bool known = !accesses.empty() && std::all_of(accesses.begin(), accesses.end(), all_ranks_know);
  return known ? move_in_order(file, accesses, reading) : move_requests(file, accesses, reading);
}

int move_one(scorpio_file* file, const scorpio_access* access, bool reading,
             const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    if (access != nullptr) return move(*file->file, {access, 1}, reading);
    return move_requests(*file->file, {}, reading, scorpio::capi::null_argument("access"));
  };
  return guarded(body, call);
}

int move_n(scorpio_file* file, int n, const scorpio_access* accesses, bool reading,
           const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const Status wrong = scorpio::capi::check_accesses(n, accesses);
    if (!wrong.ok()) return move_requests(*file->file, {}, reading, wrong);
    return move(*file->file, {accesses, static_cast<size_t>(n)}, reading);
  };
  return guarded(body, call);
}

// A decomposition that is NULL causes a failure of its own.
int move_darray(scorpio_file* file, const scorpio_access& access, bool reading,
                const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return move_by_decomposition(*file->file, {&access, 1}, reading);
  };
  return guarded(body, call);
}

Status check_scalar(File& file, int variable) {
  SCORPIO_ASSIGN(const auto* found, file.variable(variable));
  if (found->elements() == 1) return {};
  return failure(Code::shape,
                 "{} has {} elements, and the call moves a single one; use scorpio_put() or scorpio_get()",
                 found->path, found->elements());
}

int move_scalar(scorpio_file* file, int variable, scorpio_type type, const void* value, bool reading,
                const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    std::array<int64_t, scorpio::capi::k_most_dimensions> start{}, count;
    count.fill(1);
    scorpio_access access = scorpio_hyperslab(variable, start.data(), count.data(), type, value);
    access.sharing = SCORPIO_ALL_RANKS;
    return scorpio::capi::move_known(*file->file, access, reading, check_scalar(*file->file, variable));
  };
  return guarded(body, call);
}

}  // namespace

extern "C" {

int scorpio_put(scorpio_file* file, const scorpio_access* access) { return move_one(file, access, false); }

int scorpio_get(scorpio_file* file, const scorpio_access* access) { return move_one(file, access, true); }

int scorpio_put_n(scorpio_file* file, int n, const scorpio_access* accesses) {
  return move_n(file, n, accesses, false);
}

int scorpio_get_n(scorpio_file* file, int n, const scorpio_access* accesses) {
  return move_n(file, n, accesses, true);
}

int scorpio_put_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                       scorpio_type type, const void* data) {
  return move_darray(file, scorpio_darray(variable, decomp, record, type, data), false);
}

int scorpio_get_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                       scorpio_type type, void* data) {
  return move_darray(file, scorpio_darray(variable, decomp, record, type, data), true);
}

int scorpio_explain_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                           char* text, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    Result<Move> move = Move{.variable = variable, .record = record};
    const Status known = scorpio::capi::check_optional(decomp, "decomp");
    if (!known.ok()) move = known;
    const auto* decomposition = decomp == nullptr || !known.ok() ? nullptr : decomp->decomposition.get();
    SCORPIO_ASSIGN(const std::string explained, file->file->data().explain(move, decomposition));
    return scorpio::capi::copy_text(explained, text, capacity, length);
  });
}

int scorpio_put_scalar(scorpio_file* file, int variable, scorpio_type type, const void* value) {
  return move_scalar(file, variable, type, value, false);
}

int scorpio_get_scalar(scorpio_file* file, int variable, scorpio_type type, void* value) {
  return move_scalar(file, variable, type, value, true);
}

}  // extern "C"
