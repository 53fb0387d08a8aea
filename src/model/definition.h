// The encoding of definitions as bytes, from which the hash of a model is computed.
#pragma once

#include <string>

#include "model/byte_stream.h"

namespace scorpio::model {

// First byte of an encoded definition, so that different calls with equal arguments differ.
enum class Definition : uint8_t {
  group = 1,
  variable,
  link,
  attribute,
  remove_attribute,
  remove,
  dimension,
  rename_dimension,
  rename_variable,
  rename_attribute,
  fill,
  storage,
  byte_order
};

inline ByteWriter definition(Definition kind, const std::string& path) {
  ByteWriter out;
  out.u8(static_cast<uint8_t>(kind));
  out.text(path);
  return out;
}

}  // namespace scorpio::model
