// The schema of a file: groups, variables, attributes, soft links, by absolute path. Every rank has a copy.
// Local and pure: no bytes, no MPI. Paths are normalised (path.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/attribute.h"
#include "model/dimensions.h"
#include "model/group.h"
#include "model/listed_names.h"
#include "model/pending.h"
#include "model/soft_links.h"
#include "model/variables.h"

namespace scorpio::model {

class Schema {
 public:
  Schema();

  // Creates the group and its missing parents. A group that exists is no error. Code::exists if the path is
  // that of a variable or link.
  Status add_group(const std::string& path);
  // Creates missing parents too. Index of the variable: dense, in order of definition, never reused.
  Result<int> add_variable(Variable variable);
  Status add_link(const std::string& path, const std::string& target);
  // Index of the dimension: dense, in order of definition. `extent` of an unlimited one is 0.
  Result<int> add_dimension(Dimension dimension);
  Status rename_dimension(int dimension, const std::string& name);
  // Removes the dimensions after the first `kept`, which are not used yet.
  void drop_dimensions(size_t kept) { dimensions_.drop(kept); }
  // `name` is the last part of the new path.
  Status rename_variable(int variable, const std::string& name);
  Status rename_attribute(const std::string& object, const std::string& name, const std::string& new_name);
  Status set_filled(int variable, bool filled);
  void set_storage(int variable, Storage storage);
  void set_byte_order(int variable, ByteOrder order);
  // The variable, which the file has, gets an address and takes space there; this is not a definition. From
  // now on it has the byte order that it has in the file.
  void take_space(int variable);
  // Increases the length of the first unlimited dimension to at least `records`; this is not a definition.
  void grow(int64_t records);
  // Increases the unlimited dimensions to at least these lengths.
  void grow(const Lengths& lengths);
  Status put_attribute(const std::string& object, const std::string& name, Attribute attribute);
  // Sets an attribute of a variable whose value follows from the data; this is not a definition.
  void set_attribute(int variable, const std::string& name, Attribute attribute);
  Status remove_attribute(const std::string& object, const std::string& name);
  // Of the group at `path` (normalised). The lists of all groups are made at once, and are valid until an
  // object is added, removed or renamed.
  const Members& members(const std::string& path) const;
  // Removes a variable, a link, or a group with all its members.
  Status remove(const std::string& path);

  // As follow() of the links of this schema.
  Result<std::string> follow(const std::string& path) const { return model::follow(links_, path); }
  bool has_group(const std::string& path) const;
  std::optional<int> find_variable(const std::string& path) const;
  // As Dimensions::find().
  std::optional<int> find_dimension(const std::string& name) const { return dimensions_.find(name); }
  std::optional<int> find_dimension(const std::string& group, const std::string& name) const {
    return dimensions_.find(group, name);
  }
  const std::vector<Dimension>& dimensions() const { return dimensions_.all(); }
  // As Variables::use().
  bool is_used(int dimension, const std::string& but = {}) const { return variables_.use(dimension, but); }
  // Extent of the first unlimited dimension; 0 without one.
  int64_t records() const;
  // The present length of a dimension, which may be an own_dimension().
  int64_t length_of(int dimension) const;
  // The unlimited dimensions of the file, the same on ranks that made the same definitions: those with names,
  // and then each own_dimension().
  std::vector<int> unlimited_dimensions() const;
  const Attributes* attributes(
      const std::string& object) const;  // of a group or variable; null: no such object
  Attributes* attributes_to_change(const std::string& object);
  // The names of the attributes of an object in order of definition; null: no such object. The list of the
  // object that was asked for last is kept, so that a loop over all names is linear. It is valid until the
  // next call.
  const std::vector<std::string>* attribute_names(const std::string& object) const;

  const Groups& groups() const { return groups_; }
  const SoftLinks& links() const { return links_; }
  // Objects of the file that the schema cannot hold, whose paths cannot be used: what each of them is.
  const std::map<std::string, std::string>& others() const { return others_; }
  void add_other(const std::string& path, std::string kind) { others_[path] = std::move(kind); }
  int variable_count() const { return variables_.count(); }
  // Removed variables keep their index, so that other indices do not change; see alive().
  bool alive(int variable) const { return variables_.alive(variable); }
  const Variable& variable(int index) const { return variables_[index]; }
  Variable& variable(int index) { return variables_[index]; }

  // Its format has a restricted form, which further definitions keep to.
  bool restricted() const { return restricted_; }
  void set_restricted() { restricted_ = true; }

  // The definitions and changes since settle().
  const Pending& pending() const { return pending_; }
  // For the code that writes the definitions and removes those that are done.
  Pending& pending() { return pending_; }

  // All definitions have been written to the file.
  void settle();
  // Discards pending definitions; variables keep their indices.
  void discard_pending();
  // Removes the object at `path` with its members from the model only: it was removed from the file already.
  void drop(const std::string& path);
  // Adds the object at `path` that exists in the file already (`found`: the object with its attributes). A
  // variable keeps its index if type and extents are the same and it is in the `same_place`.
  Status adopt(const Schema& found, const std::string& path, bool same_place);

  // Advances with every definition; equal on ranks that made the same definitions in the same order.
  uint64_t hash() const { return hash_; }

  // ---- a schema of another rank (schema_message.h) ----
  // A variable that was removed there, and has an index.
  void add_removed_variable(Variable&& variable) { variables_.add_removed(std::move(variable)); }
  // Its definitions were made again here: replaces what they have recorded.
  void resume(Pending&& pending, uint64_t hash) {
    pending_ = std::move(pending);
    hash_ = hash;
  }

 private:
  // Code::exists if `path` (normalised) is in use, or if a part of it is not a group.
  Status check_free(const std::string& path) const;
  Status check_no_other(const std::string& path) const;
  Status check_way(const std::string& path) const;
  const Attributes* attributes_at(const std::string& path) const;
  void make_group(const std::string& path);
  void forget(const std::string& path);
  const Attributes* held_by(std::optional<int> variable, const std::string& path) const;
  // A variable, or the group at `path`, and its attributes.
  struct Holder {
    std::optional<int> variable;
    const std::string& path;
    Attributes& held;
  };
  void hold_attribute(const Holder& holder, const std::string& name, Attribute&& attribute);
  void number(Attribute& attribute);
  void move_dimensions_of_lost_groups();

  Groups groups_;
  Variables variables_;
  SoftLinks links_;
  std::map<std::string, std::string> others_;
  Dimensions dimensions_;
  uint64_t attributes_numbered_ = 0;
  Pending pending_;
  bool restricted_ = false;
  mutable ListedNames names_;                       // see attribute_names()
  mutable std::map<std::string, Members> members_;  // by group; empty: not determined since the last change
  uint64_t hash_ = 0;
};

}  // namespace scorpio::model
