// The file model: groups, variables, attributes, soft links, by absolute path. Every rank holds all of it.
// Local and pure: no bytes, no MPI. Paths are normalised: "/", "/ocean/temp"; no trailing, double or missing
// slash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/element_type.h"

namespace scorpio::model {

class ByteReader;

struct Attribute {
  ElementType type;
  bool scalar = true;
  std::vector<int64_t> dims;     // extents, slowest first; empty when scalar
  std::vector<std::byte> value;  // elements in native order, row-major
  bool committed = false;        // the file holds just this value
  bool superseded = false;       // the file may hold an older value (of any type and shape) under this name
  bool readable = true;          // false: a foreign type that the model cannot hold; `value` is empty then
};
using Attributes = std::map<std::string, Attribute>;

struct Group {
  Attributes attributes;
  bool committed = false;
};

// Where a variable's elements are. `contiguous`: at `address`, row-major, gap-free. `library`: in a form that
// only the format's own library can read (chunks, filters, external files, ...).
enum class Storage : uint8_t { contiguous, library };

struct Variable {
  std::string path;
  ElementType type;           // as stored in the file
  std::vector<int64_t> dims;  // [ndims], slowest first; empty = one element
  Storage storage = Storage::contiguous;
  std::optional<uint64_t> address;  // of the first byte; none: not placed yet, or no bytes
  std::string foreign_type;         // not empty: `type` is only a stand-in, text describes what the file has
  Attributes attributes;
  bool committed = false;

  // Never overflow: checked when the variable is defined.
  int64_t elements() const;
  uint64_t bytes() const;
};

struct SoftLink {
  std::string target;  // as given, absolute or relative to the link's group
  bool committed = false;
};

class Schema {
 public:
  Schema();

  // "/a//b/" and "a/b" become "/a/b"; fails for an empty name, "." and "..", or a NUL byte.
  static Result<std::string> normalise(const std::string& path);
  static std::string parent(const std::string& path);  // "/" for "/a" and for "/"
  static std::string leaf(const std::string& path);    // "" for "/"

  // Makes the group and its missing parents. Already there: fine. Code::exists when a variable or link is in
  // the way.
  Status add_group(const std::string& path);
  // Makes the missing parents too. Index of the variable: dense, in order of definition, never reused.
  Result<int> add_variable(Variable variable);
  Status add_link(const std::string& path, const std::string& target);
  Status put_attribute(const std::string& object, const std::string& name, Attribute attribute);
  Status remove_attribute(const std::string& object, const std::string& name);
  // Removes a variable, link or group with all below it. What the file already holds is remembered in
  // graveyard().
  Status remove(const std::string& path);

  // The path, normalised, that `path` leads to when soft links on it are followed; nothing need be there.
  Result<std::string> follow(const std::string& path) const;
  bool has_group(const std::string& path) const;
  std::optional<int> find_variable(const std::string& path) const;
  const Attributes* attributes(
      const std::string& object) const;  // of a group or variable; null: no such object
  Attributes* attributes(const std::string& object);

  const std::map<std::string, Group>& groups() const { return groups_; }
  std::map<std::string, Group>& groups() { return groups_; }
  const std::map<std::string, SoftLink>& links() const { return links_; }
  std::map<std::string, SoftLink>& links() { return links_; }
  int variable_count() const { return static_cast<int>(variables_.size()); }
  // Removed variables stay in place, so that indices hold; `alive` tells.
  bool alive(int variable) const;
  const Variable& variable(int index) const { return variables_[static_cast<size_t>(index)]; }
  Variable& variable(int index) { return variables_[static_cast<size_t>(index)]; }

  // What was defined or changed since mark_committed(): only this can differ from the file. May name objects
  // that were removed again.
  struct Pending {
    std::set<std::string> groups;
    std::set<int> variables;
    std::set<std::string> links;
  };
  const Pending& pending() const { return pending_; }

  // Objects and attributes that the file holds and the model no longer does; the metadata writer empties it.
  struct Removed {
    std::string object;
    std::string attribute;  // empty: the object itself; a group stands for all below it
  };
  const std::vector<Removed>& graveyard() const { return graveyard_; }
  void clear_graveyard() { graveyard_.clear(); }

  // Everything is in the file as it is here.
  void mark_committed();
  // What could not be made in the file is as if it had not been defined; variables keep their numbers.
  void discard_pending();
  // Forgets what is at `path` and below without leaving a removal to be made: it is gone from the file
  // already.
  void drop(const std::string& path);
  // Takes over what the file holds at `path` now (`found`: it and its attributes); a variable keeps its index
  // if type, extents and place are the same.
  Status adopt(const Schema& found, const std::string& path);

  // Advances with every definition; equal on ranks that made the same definitions in the same order.
  uint64_t hash() const { return hash_; }

  // One message for all of it: the metadata rank reads a file and broadcasts what it found.
  std::vector<std::byte> serialise() const;
  static Result<Schema> deserialise(const std::vector<std::byte>& bytes);

 private:
  // Code::exists when `path` (normalised) is taken, or something other than a group lies on the way to it.
  Status check_free(const std::string& path) const;
  Status check_way(const std::string& path) const;
  void make_group(const std::string& path);
  void note_pending(const std::string& object);
  void forget(const std::string& path);
  void advance(const std::vector<std::byte>& definition);
  Status read_all(ByteReader& in);
  Status read_variables(ByteReader& in);

  std::map<std::string, Group> groups_;
  std::map<std::string, int> by_path_;
  std::vector<Variable> variables_;
  std::vector<bool> alive_;
  std::map<std::string, SoftLink> links_;
  std::vector<Removed> graveyard_;
  Pending pending_;
  uint64_t hash_ = 0;
};

}  // namespace scorpio::model
