#include "model/definition_bytes.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace scorpio::model {
namespace {

void write_type(ByteWriter& out, const ElementType& type) {
  out.u8(static_cast<uint8_t>(type.kind));
  out.u64(type.size_bytes);
  out.u8(static_cast<uint8_t>(type.order));
}

ElementType read_type(ByteReader& in) {
  ElementType type;
  type.kind = static_cast<Kind>(in.u8());
  type.size_bytes = static_cast<uint32_t>(in.u64());
  type.order = in.flag() ? ByteOrder::big : ByteOrder::little;
  return type;
}

void write_storage(ByteWriter& out, const Storage& storage) {
  out.u8(static_cast<uint8_t>(storage.form));
  out.extents(storage.chunk);
  out.extents({storage.filters.begin(), storage.filters.end()});
  out.extents({storage.parameters.begin(), storage.parameters.end()});
}

Storage read_storage(ByteReader& in) {
  Storage storage;
  const uint8_t form = std::min(in.u8(), static_cast<uint8_t>(Storage::Form::unknown));
  storage.form = static_cast<Storage::Form>(form);
  storage.chunk = in.extents();
  for (const int64_t filter : in.extents()) storage.filters.push_back(static_cast<int>(filter));
  for (const int64_t parameter : in.extents()) storage.parameters.push_back(static_cast<int>(parameter));
  return storage;
}

}  // namespace

void write(ByteWriter& out, const Attributes& attributes) {
  out.u64(attributes.size());
  for (const auto& [name, attribute] : attributes) {
    out.text(name);
    write_type(out, attribute.type);
    out.flag(attribute.scalar);
    out.extents(attribute.dims);
    out.raw(attribute.value.data(), attribute.value.size());
    out.flag(attribute.readable);
    out.text(attribute.unreadable);
    out.u64(attribute.order);
    out.flag(attribute.strings);
    out.flag(attribute.foreign != nullptr);
    if (attribute.foreign == nullptr) continue;
    out.text(attribute.foreign->description);
    out.text(attribute.foreign->encoded);
  }
}

Attributes read_attributes(ByteReader& in) {
  Attributes attributes;
  for (size_t left = in.count(8); left > 0 && !in.failed(); --left) {
    Attribute& attribute = attributes[in.text()];
    attribute.type = read_type(in);
    attribute.scalar = in.flag();
    attribute.dims = in.extents();
    attribute.value = in.raw();
    attribute.readable = in.flag();
    attribute.unreadable = in.text();
    attribute.order = in.u64();
    attribute.strings = in.flag();
    if (!in.flag()) continue;
    ForeignType foreign;
    foreign.description = in.text();
    foreign.encoded = in.text();
    attribute.foreign = std::make_shared<const ForeignType>(std::move(foreign));
  }
  return attributes;
}

void write(ByteWriter& out, const Variable& variable) {
  out.text(variable.path);
  write_type(out, variable.type);
  out.extents(variable.dims);
  out.extents({variable.dimensions.begin(), variable.dimensions.end()});
  out.flag(variable.records);
  out.u64(variable.inner_unlimited);
  out.u64(variable.extensible);
  out.flag(variable.filled);
  write_storage(out, variable.storage);
  out.text(variable.foreign_type);
  out.flag(variable.other_order);
  out.text(variable.unreadable);
  write(out, variable.attributes);
  out.flag(variable.small_attributes);
}

Variable read_variable(ByteReader& in) {
  Variable variable;
  variable.path = in.text();
  variable.type = read_type(in);
  variable.dims = in.extents();
  for (const int64_t dimension : in.extents()) variable.dimensions.push_back(static_cast<int>(dimension));
  variable.records = in.flag();
  variable.inner_unlimited = static_cast<uint32_t>(in.u64());
  variable.extensible = static_cast<uint32_t>(in.u64());
  variable.filled = in.flag();
  variable.storage = read_storage(in);
  variable.foreign_type = in.text();
  variable.other_order = in.flag();
  variable.unreadable = in.text();
  variable.attributes = read_attributes(in);
  variable.small_attributes = in.flag();
  return variable;
}

}  // namespace scorpio::model
