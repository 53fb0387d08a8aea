#include "model/definition.h"

namespace scorpio::model {
namespace {

void encode_type(DefinitionHash& out, const ElementType& type) {
  constexpr int k_shift = 8;
  const auto kind = static_cast<uint64_t>(type.kind), order = static_cast<uint64_t>(type.order);
  out.u64((uint64_t{type.size_bytes} << k_shift | kind) << k_shift | order);
}

}  // namespace

void encode(DefinitionHash& out, const std::string& name, const Attribute& attribute) {
  out.text(name);
  encode_type(out, attribute.type);
  out.u64((attribute.scalar ? 1u : 0u) | (attribute.strings ? 2u : 0u));
  out.list(attribute.dims);
  out.raw(attribute.value.data(), attribute.value.size());
  if (attribute.foreign != nullptr) out.text(attribute.foreign->encoded);
}

void encode(DefinitionHash& out, const Variable& variable) {
  encode_type(out, variable.type);
  out.list(variable.dims);
  out.u64(variable.attributes.size());
  for (const auto& [name, attribute] : variable.attributes) encode(out, name, attribute);
  out.list(variable.dimensions);
  out.flag(variable.filled);
  out.u64(static_cast<uint64_t>(variable.storage.form));
  out.list(variable.storage.chunk);
  out.list(variable.storage.filters);
}

}  // namespace scorpio::model
