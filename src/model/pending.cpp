#include "model/pending.h"

#include "model/byte_stream.h"

namespace scorpio::model {
namespace {

void write(ByteWriter& out, const PendingObject& object) {
  out.flag(object.is_new);
  out.flag(object.all_attributes);
  out.flag(object.takes_space);
  out.u64(object.attributes.size());
  for (const auto& [name, replaces] : object.attributes) {
    out.text(name);
    out.flag(replaces);
  }
}

PendingObject read_object(ByteReader& in) {
  PendingObject object;
  object.is_new = in.flag();
  object.all_attributes = in.flag();
  object.takes_space = in.flag();
  for (size_t left = in.count(8); left > 0 && !in.failed(); --left) {
    std::string name = in.text();
    object.attributes[std::move(name)] = in.flag();
  }
  return object;
}

}  // namespace

void Pending::write(ByteWriter& out) const {
  out.u64(groups.size());
  for (const auto& [path, group] : groups) {
    out.text(path);
    model::write(out, group);
  }
  out.u64(variables.size());
  for (const auto& [index, variable] : variables) {
    out.u64(static_cast<uint64_t>(index));
    model::write(out, variable);
  }
  out.u64(links.size());
  for (const std::string& path : links) out.text(path);
}

Pending Pending::read(ByteReader& in) {
  Pending pending;
  for (size_t left = in.count(8); left > 0 && !in.failed(); --left) {
    std::string path = in.text();
    pending.groups[std::move(path)] = read_object(in);
  }
  for (size_t left = in.count(8); left > 0 && !in.failed(); --left) {
    const auto index = static_cast<int>(in.u64());
    pending.variables[index] = read_object(in);
  }
  for (size_t left = in.count(8); left > 0 && !in.failed(); --left) pending.links.insert(in.text());
  return pending;
}

}  // namespace scorpio::model
