// The kinds, sizes and names of element types. Local; thread-safe (pure functions).
#include "model/element_type.h"

#include <fmt/format.h>

#include <array>
#include <bit>

namespace scorpio::model {
namespace {

struct KindFacts {
  const char* name;
  uint32_t size_bytes;  // 0: chosen when the type is used
  bool has_sign;
};

// [Kind]
constexpr std::array<KindFacts, 12> k_kinds{{{"int8", 1, true},
                                             {"uint8", 1, false},
                                             {"int16", 2, true},
                                             {"uint16", 2, false},
                                             {"int32", 4, true},
                                             {"uint32", 4, false},
                                             {"int64", 8, true},
                                             {"uint64", 8, false},
                                             {"float32", 4, true},
                                             {"float64", 8, true},
                                             {"text", 0, false},
                                             {"opaque", 0, false}}};

const KindFacts& facts(Kind kind) { return k_kinds[static_cast<size_t>(kind)]; }

}  // namespace

bool is_signed(Kind kind) { return facts(kind).has_sign; }
bool is_numeric(Kind kind) { return facts(kind).size_bytes > 0; }

ElementType native(Kind kind, uint32_t size_bytes) {
  const uint32_t fixed = facts(kind).size_bytes;
  const ByteOrder order = std::endian::native == std::endian::big ? ByteOrder::big : ByteOrder::little;
  return {kind, fixed > 0 ? fixed : size_bytes, order};
}

Status check(const ElementType& type) {
  if (static_cast<size_t>(type.kind) >= k_kinds.size()) {
    return failure(Code::type, "kind {} is not an element type; the highest is {}",
                   static_cast<int>(type.kind), k_kinds.size() - 1);
  }
  const KindFacts& kind = facts(type.kind);
  if (kind.size_bytes > 0 && type.size_bytes != kind.size_bytes) {
    return failure(Code::type, "an element of type {} has {} bytes, not {}", kind.name, kind.size_bytes,
                   type.size_bytes);
  }
  if (type.size_bytes == 0) {
    return failure(Code::type, "an element of type {} needs a length of at least 1 byte, not 0", kind.name);
  }
  return {};
}

std::string to_string(const ElementType& type) {
  if (!is_numeric(type.kind)) return fmt::format("{}[{}]", facts(type.kind).name, type.size_bytes);
  const bool foreign_order = type.order == ByteOrder::big && type.size_bytes > 1;
  return fmt::format("{}{}", facts(type.kind).name, foreign_order ? " (big-endian)" : "");
}

}  // namespace scorpio::model
