// A value, or the status that says why there is none.
#pragma once

#include <cassert>
#include <optional>
#include <utility>

#include "base/status.h"

namespace scorpio {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor): `return value;`
  Result(Status status)
      : status_(std::move(status)) {  // NOLINT(google-explicit-constructor): `return status;`
    assert(!status_.ok());
  }

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Status& status() const { return status_; }

  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return *std::move(value_); }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace scorpio

#define SCORPIO_CONCAT_(a, b) a##b
#define SCORPIO_CONCAT(a, b) SCORPIO_CONCAT_(a, b)
// `SCORPIO_ASSIGN(auto x, make_x());` declares x, or returns make_x()'s failure from the enclosing function.
#define SCORPIO_ASSIGN(declaration, expression) \
  SCORPIO_ASSIGN_(SCORPIO_CONCAT(result_, __LINE__), declaration, expression)
#define SCORPIO_ASSIGN_(result, declaration, expression) \
  auto result = (expression);                            \
  if (!result.ok()) return result.status();              \
  declaration = std::move(result).value()
