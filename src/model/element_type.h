// The type of one element, in memory or in a file.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace scorpio::model {

enum class Kind : uint8_t {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  text,
  opaque
};

enum class ByteOrder : uint8_t { little, big };

// `text`: a fixed-length string of `size_bytes` characters, padded with NUL. `opaque`: bytes without meaning.
struct ElementType {
  Kind kind = Kind::int32;
  uint32_t size_bytes = 4;
  ByteOrder order = ByteOrder::little;

  friend bool operator==(const ElementType&, const ElementType&) = default;
};

bool is_signed(Kind kind);
bool is_numeric(Kind kind);
// The type of `kind` in this machine's byte order; `size_bytes` is only needed for text and opaque.
ElementType native(Kind kind, uint32_t size_bytes = 1);
// Code::type for an unknown kind, or a size that the kind cannot have.
Status check(const ElementType& type);
// "int32", "float64 (big-endian)", "text[12]", "opaque[4]"
std::string to_string(const ElementType& type);

}  // namespace scorpio::model
