// The outcome of an operation: a code and, on failure, a text with the cause and a remedy. Local;
// thread-compatible; the OK status allocates no memory.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/byte_range.h"
#include "scorpio/codes.h"

namespace scorpio {

enum class Code : int {
  ok = SCORPIO_OK,
  argument = SCORPIO_ERR_ARGUMENT,
  handle = SCORPIO_ERR_HANDLE,
  name = SCORPIO_ERR_NAME,
  not_found = SCORPIO_ERR_NOT_FOUND,
  exists = SCORPIO_ERR_EXISTS,
  type = SCORPIO_ERR_TYPE,
  shape = SCORPIO_ERR_SHAPE,
  range = SCORPIO_ERR_RANGE,
  state = SCORPIO_ERR_STATE,
  read_only = SCORPIO_ERR_READ_ONLY,
  mismatch = SCORPIO_ERR_MISMATCH,
  limit = SCORPIO_ERR_LIMIT,
  memory = SCORPIO_ERR_MEMORY,
  no_space = SCORPIO_ERR_NO_SPACE,
  permission = SCORPIO_ERR_PERMISSION,
  io = SCORPIO_ERR_IO,
  format = SCORPIO_ERR_FORMAT,
  unsupported = SCORPIO_ERR_UNSUPPORTED,
  busy = SCORPIO_ERR_BUSY,
  mpi = SCORPIO_ERR_MPI,
  aborted = SCORPIO_ERR_ABORTED,
  internal = SCORPIO_ERR_INTERNAL,
  posted = SCORPIO_ERR_POSTED,
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string text) {
    if (code != Code::ok)
      failure_ = std::make_shared<const Failure>(Failure{code, std::move(text), -1, false, {}});
  }

  bool ok() const { return failure_ == nullptr; }
  explicit operator bool() const { return ok(); }
  Code code() const { return ok() ? Code::ok : failure_->code; }
  const std::string& text() const {
    static const std::string k_none;
    return ok() ? k_none : failure_->text;
  }
  // The rank on which the failure occurred, after the ranks have agreed on it; -1 before.
  int origin() const { return ok() ? -1 : failure_->origin; }
  // The same failure with `context` put before its text; OK stays OK.
  Status with_context(const std::string& context) const {
    return ok() ? *this : of({code(), context + ": " + text(), -1, false, bytes()});
  }
  // The status on which ranks have agreed: its text is complete.
  Status with_origin(int rank) const { return of({code(), text(), rank, true, {}}); }
  // Whether the text begins with the call in which the failure occurred (base/current_call.h).
  bool complete() const { return !ok() && failure_->complete; }
  Status completed(const std::string& call) const {
    return of({code(), call + text(), origin(), true, bytes()});
  }
  // The bytes in a file's raw space (storage/sink.h) that were not moved; none: it is no failure of data.
  std::optional<ByteRange> bytes() const { return ok() ? std::nullopt : failure_->bytes; }
  // The same failure, of these bytes unless it has some already.
  Status of_bytes(ByteRange range) const {
    return ok() || bytes() ? *this : of({code(), text(), origin(), complete(), range});
  }

 private:
  struct Failure {
    Code code;
    std::string text;
    int origin = -1;
    bool complete = false;
    std::optional<ByteRange> bytes;
  };
  static Status of(Failure failure) {
    Status status;
    if (failure.code != Code::ok) status.failure_ = std::make_shared<const Failure>(std::move(failure));
    return status;
  }
  std::shared_ptr<const Failure> failure_;
};

template <typename... Args>
Status failure(Code code, fmt::format_string<Args...> text, Args&&... args) {
  return Status(code, fmt::format(text, std::forward<Args>(args)...));
}

// Keeps the first of several failures: `first_failure(a, b)` is `a` unless that is OK.
inline Status first_failure(Status a, Status b) { return a.ok() ? std::move(b) : std::move(a); }

}  // namespace scorpio

// Returns from the enclosing function when `expression` (a Status) failed.
#define SCORPIO_TRY(expression)                                                  \
  do {                                                                           \
    if (::scorpio::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)
