// Converts the schema to a message, and back. Local; thread-compatible. The definitions in a message pass the
// same checks as those of the program, so that a damaged message is an error and never an invalid schema.
#include <algorithm>
#include <utility>

#include "model/byte_stream.h"
#include "model/path.h"
#include "model/schema.h"

namespace scorpio::model {
namespace {

constexpr uint64_t k_version = 11;

void write(ByteWriter& out, const ElementType& type) {
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

void write(ByteWriter& out, const Attributes& attributes) {
  out.u64(attributes.size());
  for (const auto& [name, attribute] : attributes) {
    out.text(name);
    write(out, attribute.type);
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

void write(ByteWriter& out, const Storage& storage) {
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

void write(ByteWriter& out, const Variable& variable) {
  out.text(variable.path);
  write(out, variable.type);
  out.extents(variable.dims);
  out.extents({variable.dimensions.begin(), variable.dimensions.end()});
  out.flag(variable.records);
  out.u64(variable.inner_unlimited);
  out.u64(variable.extensible);
  out.flag(variable.filled);
  write(out, variable.storage);
  out.text(variable.foreign_type);
  out.flag(variable.other_order);
  out.text(variable.unreadable);
  write(out, variable.attributes);
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
  return variable;
}

Status read_groups(ByteReader& in, Schema& schema) {
  for (size_t left = in.count(8); left > 0 && !in.failed(); --left) {
    SCORPIO_ASSIGN(const std::string path, normalise(in.text()));
    SCORPIO_TRY(schema.add_group(path));
    for (const auto& [name, attribute] : read_attributes(in)) {
      SCORPIO_TRY(schema.put_attribute(path, name, attribute));
    }
  }
  return {};
}

Status read_dimensions(ByteReader& in, Schema& schema) {
  for (size_t left = in.count(8); left > 0 && !in.failed(); --left) {
    Dimension dimension;
    dimension.name = in.text();
    dimension.extent = static_cast<int64_t>(in.u64());
    dimension.unlimited = in.flag();
    dimension.group = in.text();
    SCORPIO_TRY(schema.add_dimension(std::move(dimension)).status());
  }
  return {};
}

Status read_links(ByteReader& in, Schema& schema) {
  for (size_t left = in.count(8); left > 0 && !in.failed(); --left) {
    SCORPIO_ASSIGN(const std::string path, normalise(in.text()));
    SCORPIO_TRY(schema.add_link(path, in.text()));
  }
  return {};
}

}  // namespace

std::vector<std::byte> Schema::serialise() const {
  ByteWriter out;
  out.u64(k_version);
  out.u64(groups_.size());
  for (const auto& [path, group] : groups_) {
    out.text(path);
    write(out, group.attributes);
  }
  out.u64(dimensions().size());
  for (const Dimension& dimension : dimensions()) {
    out.text(dimension.name);
    out.u64(static_cast<uint64_t>(dimension.extent));
    out.flag(dimension.unlimited);
    out.text(dimension.group);
  }
  out.u64(static_cast<uint64_t>(variables_.count()));
  for (int i = 0; i < variables_.count(); ++i) {
    out.flag(variables_.alive(i));
    write(out, variables_[i]);
  }
  out.u64(links_.size());
  for (const auto& [path, link] : links_) {
    out.text(path);
    out.text(link.target);
  }
  out.u64(others_.size());
  for (const auto& [path, kind] : others_) {
    out.text(path);
    out.text(kind);
  }
  pending_.write(out);
  out.flag(restricted_);
  out.u64(hash_);
  return out.take();
}

Status Schema::read_variables(ByteReader& in) {
  for (size_t left = in.count(8); left > 0 && !in.failed(); --left) {
    const bool is_alive = in.flag();
    Variable variable = read_variable(in);
    if (in.failed()) break;
    // The path of a removed variable may be in use again: the variable is checked in a schema of its own.
    Schema aside;
    SCORPIO_ASSIGN(const int index, (is_alive ? *this : aside).add_variable(std::move(variable)));
    if (!is_alive) variables_.add_removed(std::move(aside.variables_[index]));
  }
  return {};
}

Status Schema::read_all(ByteReader& in) {
  if (in.u64() != k_version) {
    return failure(Code::format, "it is not of version {}; all ranks must run the same library", k_version);
  }
  SCORPIO_TRY(read_groups(in, *this));
  SCORPIO_TRY(read_dimensions(in, *this));
  SCORPIO_TRY(read_variables(in));
  SCORPIO_TRY(read_links(in, *this));
  for (size_t left = in.count(16); left > 0 && !in.failed(); --left) {
    const std::string path = in.text();
    add_other(path, in.text());
  }
  pending_ = Pending::read(in);  // replaces the changes that reading has recorded
  restricted_ = in.flag();
  hash_ = in.u64();
  if (in.failed()) return failure(Code::format, "it ends too early");
  if (!in.at_end()) return failure(Code::format, "bytes follow its end");
  return {};
}

Result<Schema> Schema::deserialise(const std::vector<std::byte>& bytes) {
  Schema schema;
  ByteReader in(bytes);
  const Status status = schema.read_all(in);
  if (!status.ok()) {
    return failure(Code::format, "the message of {} bytes that should hold the file model is damaged: {}",
                   bytes.size(), status.text());
  }
  return schema;
}

}  // namespace scorpio::model
