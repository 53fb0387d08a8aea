// Collective data calls.
#include <array>
#include <string>

#include "capi/access.h"
#include "capi/convert.h"
#include "capi/guard.h"
#include "scorpio/scorpio.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::Accesses;
using scorpio::capi::decomposition_of;
using scorpio::capi::guarded;
using scorpio::capi::k_most_dimensions;
using scorpio::session::File;
using scorpio::session::Move;

namespace {

int move_one(scorpio_file* file, const scorpio_access* access, bool reading,
             const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    auto& calls = file->file->collective_calls();
    if (access == nullptr) return calls.move_nothing(scorpio::capi::null_argument("access"));
    return calls.move(Accesses(*file->file, {access, 1}, reading));
  };
  return guarded(body, call);
}

int move_n(scorpio_file* file, int n, const scorpio_access* accesses, bool reading,
           const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    auto& calls = file->file->collective_calls();
    const Status wrong = scorpio::capi::check_accesses(n, accesses);
    if (!wrong.ok()) return calls.move_nothing(wrong);
    return calls.move(Accesses(*file->file, {accesses, static_cast<size_t>(n)}, reading));
  };
  return guarded(body, call);
}

// `move`: without the type in memory.
int move_darray(scorpio_file* file, Move move, const scorpio_decomp* decomp, scorpio_type type, bool reading,
                const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    move.memory = scorpio::capi::memory_type(*file->file, move.variable, type);
    return file->file->collective_calls().move_part(move, decomposition_of(decomp), reading);
  };
  return guarded(body, call);
}

Status check_scalar(File& file, int variable) {
  SCORPIO_ASSIGN(const auto* found, file.variable(variable));
  if (found->dims.size() > size_t{k_most_dimensions})
    return failure(Code::shape,
                   "{} has {} dimensions, and the call moves elements of at most {}; use "
                   "scorpio_put() or scorpio_get()",
                   found->path, found->dims.size(), k_most_dimensions);
  if (found->elements() == 1) return {};
  return failure(Code::shape,
                 "{} has {} elements, and the call moves a single one; use scorpio_put() or scorpio_get()",
                 found->path, found->elements());
}

int move_scalar(scorpio_file* file, int variable, scorpio_type type, const void* value, bool reading,
                const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    std::array<int64_t, k_most_dimensions> start{}, count;
    count.fill(1);
    scorpio_access access = scorpio_hyperslab(variable, start.data(), count.data(), type, value);
    access.sharing = SCORPIO_ALL_RANKS;
    return file->file->collective_calls().move_known(Accesses(*file->file, {&access, 1}, reading), 0,
                                                     check_scalar(*file->file, variable));
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
  return move_darray(file, {.variable = variable, .record = record, .from = data}, decomp, type, false);
}

int scorpio_get_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                       scorpio_type type, void* data) {
  return move_darray(file, {.variable = variable, .record = record, .to = data}, decomp, type, true);
}

int scorpio_explain_darray(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                           char* text, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    Result<Move> move = Move{.variable = variable, .record = record};
    const auto by = decomposition_of(decomp);
    if (!by.ok()) move = by.status();
    SCORPIO_ASSIGN(const std::string explained, file->file->data().explain(move, by.ok() ? *by : nullptr));
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
