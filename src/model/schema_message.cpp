#include "model/schema_message.h"

#include <string>
#include <utility>

#include "model/byte_stream.h"
#include "model/definition_bytes.h"
#include "model/path.h"

namespace scorpio::model {
namespace {

constexpr uint64_t k_version = 12;

Status read_groups(ByteReader& in, Schema& schema) {
  for (size_t left = in.count(8); left > 0 && !in.failed(); --left) {
    SCORPIO_ASSIGN(const std::string path, normalise(in.text()));
    SCORPIO_TRY(schema.add_group(path));
    for (const auto& [name, attribute] : read_attributes(in)) {
      SCORPIO_TRY(schema.put_attribute(path, name, attribute));
    }
    if (in.flag()) schema.found_small_attributes(path);
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

void read_others(ByteReader& in, Schema& schema) {
  for (size_t left = in.count(16); left > 0 && !in.failed(); --left) {
    const std::string path = in.text();
    schema.found_other(path, in.text());
  }
}

}  // namespace

// Makes the definitions of the other rank again, and replaces what they record here by what they have
// recorded there.
class SchemaReader {
 public:
  static Status read(ByteReader& in, Schema& schema) {
    if (in.u64() != k_version) {
      return failure(Code::format, "it is not of version {}; all ranks must run the same library", k_version);
    }
    SCORPIO_TRY(read_groups(in, schema));
    SCORPIO_TRY(read_dimensions(in, schema));
    SCORPIO_TRY(read_variables(in, schema));
    SCORPIO_TRY(read_links(in, schema));
    read_others(in, schema);
    schema.pending_ = Pending::read(in);
    if (in.flag()) schema.found_restricted();
    schema.hash_ = in.u64();
    if (in.failed()) return failure(Code::format, "it ends too early");
    if (!in.at_end()) return failure(Code::format, "bytes follow its end");
    return {};
  }

 private:
  static Status read_variables(ByteReader& in, Schema& schema) {
    for (size_t left = in.count(8); left > 0 && !in.failed(); --left) {
      const bool is_alive = in.flag();
      Variable variable = read_variable(in);
      if (in.failed()) break;
      if (is_alive) {
        SCORPIO_TRY(schema.add_variable(std::move(variable)).status());
        continue;
      }
      // The path of a removed variable may be in use again: the variable is checked in a schema of its own.
      Schema aside;
      SCORPIO_ASSIGN(const int index, aside.add_variable(std::move(variable)));
      schema.objects_.add_removed_variable(std::move(aside.objects_.variables()[index]));
    }
    return {};
  }
};

std::vector<std::byte> serialise(const Schema& schema) {
  ByteWriter out;
  out.u64(k_version);
  out.u64(schema.objects().groups().size());
  for (const auto& [path, group] : schema.objects().groups()) {
    out.text(path);
    write(out, group.attributes);
    out.flag(group.small_attributes);
  }
  out.u64(schema.dimensions().all().size());
  for (const Dimension& dimension : schema.dimensions().all()) {
    out.text(dimension.name);
    out.u64(static_cast<uint64_t>(dimension.extent));
    out.flag(dimension.unlimited);
    out.text(dimension.group);
  }
  out.u64(static_cast<uint64_t>(schema.variables().count()));
  for (int i = 0; i < schema.variables().count(); ++i) {
    out.flag(schema.variables().alive(i));
    write(out, schema.variables()[i]);
  }
  out.u64(schema.objects().links().size());
  for (const auto& [path, link] : schema.objects().links()) {
    out.text(path);
    out.text(link.target);
  }
  out.u64(schema.objects().others().size());
  for (const auto& [path, kind] : schema.objects().others()) {
    out.text(path);
    out.text(kind);
  }
  schema.pending().write(out);
  out.flag(schema.restricted());
  out.u64(schema.hash());
  return out.take();
}

Result<Schema> deserialise(const std::vector<std::byte>& bytes) {
  Schema schema;
  ByteReader in(bytes);
  const Status status = SchemaReader::read(in, schema);
  if (!status.ok()) {
    return failure(Code::format, "the message of {} bytes that should hold the file model is damaged: {}",
                   bytes.size(), status.text());
  }
  return schema;
}

}  // namespace scorpio::model
