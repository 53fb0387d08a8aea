#include "model/pending.h"

#include "model/byte_stream.h"

namespace scorpio::model {
namespace {

void write_object(ByteWriter& out, const PendingObject& object) {
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

// Removes the change of an attribute; returns whether the attribute is in the file.
bool take_change(Pending& pending, std::optional<int> variable, const std::string& path,
                 const std::string& attribute) {
  const auto take = [&attribute](auto& objects, const auto& key) {
    const auto object = objects.find(key);
    if (object == objects.end()) return true;
    if (object->second.all_attributes) return false;
    const auto put = object->second.attributes.extract(attribute);
    return put.empty() || put.mapped();
  };
  return variable ? take(pending.variables, *variable) : take(pending.groups, path);
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

void Pending::put_attribute(std::optional<int> variable, const std::string& path,
                            const std::string& attribute, bool exists) {
  const bool replaces = exists && take_change(*this, variable, path, attribute);
  of(variable, path).add_attribute(attribute, replaces);
}

void Pending::remove_attribute(std::optional<int> variable, const std::string& path,
                               const std::string& attribute) {
  if (take_change(*this, variable, path, attribute)) removed.push_back({path, attribute});
}

// In the file, the old attribute is removed and the new one written, unless what the file has of it stays:
// the type, which the schema may not have.
void Pending::rename_attribute(std::optional<int> variable, const std::string& path,
                               const std::string& attribute, const std::string& name) {
  if (!has_attribute(variable, path, attribute)) {
    removed.push_back({path, attribute, name});
  } else {
    remove_attribute(variable, path, attribute);
    of(variable, path).add_attribute(name, false);
  }
}

void Pending::add_variable(int variable) {
  PendingObject& object = variables[variable];
  object.is_new = object.all_attributes = true;
}

void Pending::remove_variable(int variable, const std::string& path) {
  const bool is_new = is_new_variable(variable);
  variables.erase(variable);
  if (!is_new) removed.push_back({path, ""});
}

void Pending::remove_link(const std::string& path) {
  if (links.erase(path) == 0) removed.push_back({path, ""});
}

void Pending::remove_group(const std::string& path) {
  const bool is_new = is_new_group(path);
  groups.erase(path);
  if (!is_new) removed.push_back({path, ""});
}

void Pending::remove_as_one(const std::string& group, size_t before) {
  removed.resize(before);
  removed.push_back({group, ""});
}

void Pending::rename_variable(int variable, const std::string& path, const std::string& new_path) {
  if (!is_new_variable(variable)) removed.push_back({path, "", new_path});
}

void Pending::write(ByteWriter& out) const {
  out.u64(groups.size());
  for (const auto& [path, group] : groups) {
    out.text(path);
    write_object(out, group);
  }
  out.u64(variables.size());
  for (const auto& [index, variable] : variables) {
    out.u64(static_cast<uint64_t>(index));
    write_object(out, variable);
  }
  out.u64(links.size());
  for (const std::string& path : links) out.text(path);
  out.u64(removed.size());
  for (const Removed& one : removed) {
    out.text(one.object);
    out.text(one.attribute);
    out.text(one.moved_to);
  }
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
  for (size_t left = in.count(16); left > 0 && !in.failed(); --left) {
    Removed& one = pending.removed.emplace_back();
    one.object = in.text();
    one.attribute = in.text();
    one.moved_to = in.text();
  }
  return pending;
}

}  // namespace scorpio::model
