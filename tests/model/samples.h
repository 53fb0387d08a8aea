// Small pieces of models for the tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "model/schema.h"

namespace scorpio::model {

inline Variable variable(std::string path, std::vector<int64_t> dims, Kind kind = Kind::float64) {
  Variable out;
  out.path = std::move(path);
  out.type = native(kind);
  out.dims = std::move(dims);
  return out;
}

inline Attribute number(double value) {
  Attribute out;
  out.type = native(Kind::float64);
  out.value.resize(sizeof value);
  std::memcpy(out.value.data(), &value, sizeof value);
  return out;
}

inline Attribute numbers(size_t count) {
  Attribute out;
  out.type = native(Kind::int16);
  out.scalar = false;
  out.dims = {static_cast<int64_t>(count)};
  out.value.resize(2 * count, std::byte{7});
  return out;
}

// The definitions since clear_pending() without removals.
inline Pending additions(const Schema& schema) {
  Pending pending = schema.pending();
  pending.removed.clear();
  return pending;
}

// "object" or "object@attribute".
inline std::vector<std::string> graves(const Schema& schema) {
  std::vector<std::string> out;
  for (const auto& removed : schema.pending().removed) {
    out.push_back(removed.attribute.empty() ? removed.object : removed.object + "@" + removed.attribute);
  }
  return out;
}

}  // namespace scorpio::model
