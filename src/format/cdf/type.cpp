#include "format/cdf/type.h"

#include <array>

namespace scorpio::format::cdf {
namespace {

struct TypeFacts {
  const char* name;
  uint8_t size_bytes;
  model::Kind kind;
};

// [code - 1]
constexpr std::array<TypeFacts, 11> k_types{{{"NC_BYTE", 1, model::Kind::int8},
                                             {"NC_CHAR", 1, model::Kind::text},
                                             {"NC_SHORT", 2, model::Kind::int16},
                                             {"NC_INT", 4, model::Kind::int32},
                                             {"NC_FLOAT", 4, model::Kind::float32},
                                             {"NC_DOUBLE", 8, model::Kind::float64},
                                             {"NC_UBYTE", 1, model::Kind::uint8},
                                             {"NC_USHORT", 2, model::Kind::uint16},
                                             {"NC_UINT", 4, model::Kind::uint32},
                                             {"NC_INT64", 8, model::Kind::int64},
                                             {"NC_UINT64", 8, model::Kind::uint64}}};

const TypeFacts& facts(Type type) { return k_types[static_cast<size_t>(type) - 1]; }

// A kind that all versions have and that usually holds the values of `kind`.
model::Kind instead_of(model::Kind kind) {
  if (kind == model::Kind::uint8) return model::Kind::int16;
  return kind == model::Kind::uint16 ? model::Kind::int32 : model::Kind::float64;
}

}  // namespace

size_t size_bytes(Type type) { return facts(type).size_bytes; }

const char* name(Type type) { return facts(type).name; }

const char* name(Version version) {
  if (version == Version::cdf1) return "CDF-1";
  return version == Version::cdf2 ? "CDF-2" : "CDF-5";
}

bool holds(Version version, uint32_t code) {
  const auto highest = static_cast<uint32_t>(version == Version::cdf5 ? Type::uint64 : Type::float64);
  return code >= 1 && code <= highest;
}

model::ElementType element_type(Type type) {
  return {facts(type).kind, facts(type).size_bytes, model::ByteOrder::big};
}

Result<Type> type_for(Version version, model::Kind kind) {
  for (uint32_t code = 1; code <= k_types.size(); ++code) {
    const TypeFacts& type = k_types[code - 1];
    if (type.kind != kind) continue;
    if (holds(version, code)) return static_cast<Type>(code);
    return failure(
        Code::type,
        "{} files have no {} ({}): create the file as CDF-5 (option format = cdf5), or define it as "
        "{}",
        name(version), type.name, model::to_string(model::native(kind, type.size_bytes)),
        model::to_string(model::native(instead_of(kind))));
  }
  return failure(Code::type, "classic netCDF files have no opaque elements: use bytes (int8) instead");
}

}  // namespace scorpio::format::cdf
