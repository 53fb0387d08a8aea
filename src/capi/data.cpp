// Data calls.
#include <vector>

#include "capi/convert.h"
#include "capi/guard.h"
#include "scorpio/scorpio.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::guarded;
using scorpio::session::File;
using scorpio::session::Move;

namespace {

using Moves = Result<std::vector<Move>>;

const scorpio::session::Decomposition* decomposition_of(const scorpio_decomp* decomp) {
  return decomp == nullptr ? nullptr : decomp->decomposition.get();
}

// Arguments that a rank cannot even read go on in the moves' place: it must not stay away from the others.
Status check_arrays(int n, const int* variables, const void* data) {
  if (n < 0) return failure(Code::argument, "{} variables; give 0 or more", n);
  if (n > 0 && variables == nullptr) return scorpio::capi::null_argument("variables");
  if (n > 0 && data == nullptr) return scorpio::capi::null_argument("data");
  return {};
}

// `set` says what is done with each. Where there is no memory for them that goes on in their place.
template <typename Set>
Moves moves_of(int n, const int* variables, const int64_t* records, const void* data, Set&& set) {
  SCORPIO_TRY(check_arrays(n, variables, data));
  std::vector<Move> moves;
  SCORPIO_TRY(scorpio::guarded([&] {
    moves.reserve(static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) {
      moves.push_back({.variable = variables[i], .record = records == nullptr ? 0 : records[i]});
      set(i, moves.back());
    }
    return Status();
  }));
  return moves;
}

// `data` may be NULL where this rank has no elements.
template <typename Set>
Moves one_move(int variable, int64_t record, Set&& set) {
  return moves_of(1, &variable, &record, &variable, [&](int, Move& move) { set(move); });
}

Moves one_put(int variable, int64_t record, const void* data) {
  return one_move(variable, record, [&](Move& move) { move.from = data; });
}

Moves one_get(int variable, int64_t record, void* data) {
  return one_move(variable, record, [&](Move& move) { move.to = data; });
}

// A decomposition that is none any more is told in the moves' place, too.
Status check_decomposition(const scorpio_decomp* decomp) {
  return scorpio::capi::check_optional(decomp, "decomp");
}

// Text and opaque elements in memory are as long as those of the first variable.
Result<scorpio::model::ElementType> type_of(File& file, const Moves& moves, scorpio_type type) {
  const int first = moves.ok() && !moves->empty() ? moves->front().variable : -1;
  return scorpio::capi::memory_type(file, first, type);
}

int put(scorpio_file* file, const scorpio_decomp* decomp, scorpio_type type, const Moves& moves,
        const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const Status gone = check_decomposition(decomp);
    if (!gone.ok()) return file->file->data().put(gone, nullptr, type_of(*file->file, moves, type));
    return file->file->data().put(moves, decomposition_of(decomp), type_of(*file->file, moves, type));
  };
  return guarded(body, call);
}

int get(scorpio_file* file, const scorpio_decomp* decomp, scorpio_type type, const Moves& moves,
        const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const Status gone = check_decomposition(decomp);
    if (!gone.ok()) return file->file->data().get(gone, nullptr, type_of(*file->file, moves, type));
    return file->file->data().get(moves, decomposition_of(decomp), type_of(*file->file, moves, type));
  };
  return guarded(body, call);
}

}  // namespace

extern "C" {

int scorpio_put_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                       scorpio_type type, const void* data) {
  return put(file, decomp, type, one_put(variable, record, data));
}

int scorpio_get_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                       scorpio_type type, void* data) {
  return get(file, decomp, type, one_get(variable, record, data));
}

int scorpio_put_variables(scorpio_file* file, int n, const int* variables, scorpio_decomp* decomp,
                          const int64_t* records, scorpio_type type, const void* const* data,
                          const void* const* fill) {
  const auto set = [&](int i, Move& move) {
    move.from = data[i];
    if (fill != nullptr) move.fill = fill[i];
  };
  return put(file, decomp, type, moves_of(n, variables, records, data, set));
}

int scorpio_get_variables(scorpio_file* file, int n, const int* variables, scorpio_decomp* decomp,
                          const int64_t* records, scorpio_type type, void* const* data) {
  const auto set = [&](int i, Move& move) { move.to = data[i]; };
  return get(file, decomp, type, moves_of(n, variables, records, data, set));
}

}  // extern "C"
