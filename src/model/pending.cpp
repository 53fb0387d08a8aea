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

// Most definitions concern the variable that was defined last.
PendingObject& Pending::of(std::optional<int> variable, const std::string& path) {
  if (!variable) return groups[path];
  const bool is_last = !variables.empty() && variables.rbegin()->first == *variable;
  return is_last ? variables.rbegin()->second : variables[*variable];
}

bool Pending::has_attribute(std::optional<int> variable, const std::string& path,
                            const std::string& attribute) const {
  const auto has = [&attribute](const auto& objects, const auto& key) {
    const auto object = objects.find(key);
    return object != objects.end() && object->second.has_attribute(attribute);
  };
  return variable ? has(variables, *variable) : has(groups, path);
}

bool Pending::take_settled(std::optional<int> variable, const std::string& path,
                           const std::string& attribute) {
  const auto take = [&attribute](auto& objects, const auto& key) {
    const auto object = objects.find(key);
    if (object == objects.end()) return true;
    if (object->second.all_attributes) return false;
    const auto put = object->second.attributes.extract(attribute);
    return put.empty() || put.mapped();
  };
  return variable ? take(variables, *variable) : take(groups, path);
}

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
