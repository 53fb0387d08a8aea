// The definitions since a schema was last settled: the differences between the schema and the file. Local;
// pure.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

namespace scorpio::model {

class ByteReader;
class ByteWriter;

// A group or variable that is new, or of which attributes have changed.
struct PendingObject {
  bool is_new = false;
  // None of its attributes is in the file; they are not listed.
  bool all_attributes = false;
  bool takes_space = false;  // a variable of the file that has an address, and no space there yet
  // [name] true: it replaces a value that existed when the schema was settled.
  std::map<std::string, bool> attributes;

  bool has_attributes() const { return all_attributes || !attributes.empty(); }
  bool has_attribute(const std::string& name) const { return all_attributes || attributes.contains(name); }
  void add_attribute(const std::string& name, bool replaces) {
    if (!all_attributes) attributes[name] = replaces;
  }

  friend bool operator==(const PendingObject&, const PendingObject&) = default;
};

struct Pending {
  std::map<std::string, PendingObject> groups;
  std::map<int, PendingObject> variables;
  std::set<std::string> links;  // new links

  bool is_new_group(const std::string& path) const {
    const auto at = groups.find(path);
    return at != groups.end() && at->second.is_new;
  }
  bool is_new_variable(int index) const {
    const auto at = variables.find(index);
    return at != variables.end() && at->second.is_new;
  }

  // ---- an object: the variable, or without one the group at `path` ----
  PendingObject& of(std::optional<int> variable, const std::string& path);
  // Whether the file does not have the attribute, or has another value of it.
  bool has_attribute(std::optional<int> variable, const std::string& path,
                     const std::string& attribute) const;
  // Removes the change of an attribute; returns whether the attribute existed when the schema was settled.
  bool take_settled(std::optional<int> variable, const std::string& path, const std::string& attribute);

  void write(ByteWriter& out) const;
  static Pending read(ByteReader& in);

  friend bool operator==(const Pending&, const Pending&) = default;
};

}  // namespace scorpio::model
