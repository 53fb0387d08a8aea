// The definitions that are not in the file yet: the differences between the schema and the file. Local;
// pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace scorpio::model {

class ByteReader;
class ByteWriter;

// A group or variable that is new, or of which attributes have changed.
struct PendingObject {
  bool is_new = false;
  // None of its attributes is in the file; they are not listed.
  bool all_attributes = false;
  bool takes_space = false;  // a variable of the file that has an address, and no space there yet
  // [name] true: it replaces a value that is in the file.
  std::map<std::string, bool> attributes;

  bool has_attributes() const { return all_attributes || !attributes.empty(); }
  bool has_attribute(const std::string& name) const { return all_attributes || attributes.contains(name); }
  void add_attribute(const std::string& name, bool replaces) {
    if (!all_attributes) attributes[name] = replaces;
  }

  friend bool operator==(const PendingObject&, const PendingObject&) = default;
};

// An object or attribute of the file that was removed, or moved.
struct Removed {
  std::string object;
  std::string attribute;   // empty: the object itself; a group includes its members
  std::string moved_to{};  // not empty: the object now has this path, or the attribute this name

  friend bool operator==(const Removed&, const Removed&) = default;
};

struct Pending {
  std::map<std::string, PendingObject> groups;
  std::map<int, PendingObject> variables;
  std::set<std::string> links;   // new links
  std::vector<Removed> removed;  // in order

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
  // `exists`: the object had the attribute before.
  void put_attribute(std::optional<int> variable, const std::string& path, const std::string& attribute,
                     bool exists);
  void remove_attribute(std::optional<int> variable, const std::string& path, const std::string& attribute);
  void rename_attribute(std::optional<int> variable, const std::string& path, const std::string& attribute,
                        const std::string& name);

  // ---- whole objects ----
  void add_variable(int variable);
  void remove_variable(int variable, const std::string& path);
  void remove_link(const std::string& path);
  // The group alone.
  void remove_group(const std::string& path);
  // The group of the file stands for what was removed after the first `before` objects, its members.
  void remove_as_one(const std::string& group, size_t before);
  void rename_variable(int variable, const std::string& path, const std::string& new_path);

  void write(ByteWriter& out) const;
  static Pending read(ByteReader& in);

  friend bool operator==(const Pending&, const Pending&) = default;
};

}  // namespace scorpio::model
