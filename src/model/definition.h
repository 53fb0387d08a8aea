// The hash of a model: that of its definitions one after the other, each with its arguments. Only the ranks
// of one program compare it. Local; pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "model/attribute.h"
#include "model/variable.h"

namespace scorpio::model {

// First value of a definition, so that different calls with equal arguments differ.
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

// Continues the hash of the definitions before with one more. The order of values matters; lists of any
// length are preceded by it.
class DefinitionHash {
 public:
  DefinitionHash(Definition kind, const std::string& path, uint64_t before) : hash_(before) {
    u64(static_cast<uint64_t>(kind));
    text(path);
  }

  void u64(uint64_t value) {
    constexpr uint64_t k_golden_ratio = 0x9e3779b97f4a7c15u;
    constexpr int k_half = 32;
    hash_ = (hash_ ^ value) * k_golden_ratio;
    hash_ ^= hash_ >> k_half;
  }
  void flag(bool value) { u64(value ? 1 : 0); }
  void raw(const void* data, size_t size) {
    u64(size);
    const auto* const bytes = static_cast<const char*>(data);
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, bytes + at, std::min(size - at, sizeof word));
      u64(word);
    }
  }
  void text(const std::string& value) { raw(value.data(), value.size()); }
  template <typename Integer>
  void list(const std::vector<Integer>& values) {
    u64(values.size());
    for (const Integer value : values) u64(static_cast<uint64_t>(value));
  }
  uint64_t hash() const { return hash_; }

 private:
  uint64_t hash_;
};

// But for the path of the variable, which is that of the definition.
void encode(DefinitionHash& out, const Variable& variable);
void encode(DefinitionHash& out, const std::string& name, const Attribute& attribute);

}  // namespace scorpio::model
