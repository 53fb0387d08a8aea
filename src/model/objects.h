// The objects of a file by path: groups, variables, soft links, and those that the schema cannot hold; and
// the attributes of groups and variables. Local; pure. Paths are normalised (path.h) where nothing else is
// said.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/attribute.h"
#include "model/group.h"
#include "model/listed_names.h"
#include "model/soft_links.h"
#include "model/variables.h"

namespace scorpio::model {

class Objects {
 public:
  // The root group alone.
  Objects() { groups_["/"]; }

  const Groups& groups() const { return groups_; }
  const Variables& variables() const { return variables_; }
  const SoftLinks& links() const { return links_; }
  // Objects of the file that the schema cannot hold, whose paths cannot be used: what each of them is.
  const std::map<std::string, std::string>& others() const { return others_; }

  // ---- look-ups; of any path but for members() ----
  bool has_group(const std::string& path) const;
  std::optional<int> find_variable(const std::string& path) const;
  // As follow() of the links.
  Result<std::string> follow(const std::string& path) const { return model::follow(links_, path); }
  // Of the group at `path`. The lists of all groups are made at once, and are valid until an object is added,
  // removed or renamed.
  const Members& members(const std::string& path) const;
  // Of a group or variable; null: no such object.
  const Attributes* attributes(const std::string& object) const;
  // The names of the attributes of an object in order of definition; null: no such object. The list of the
  // object that was asked for last is kept, so that a loop over all names is linear. It is valid until the
  // next call.
  const std::vector<std::string>* attribute_names(const std::string& object) const;

  // Variable::small_attributes, and the same of groups.
  bool has_small_attributes(const std::string& object) const;

  // Code::exists if `path` is in use.
  Status check_free(const std::string& path) const;
  // Code::exists if a part of the path above its last one is there, but is no group.
  Status check_way(const std::string& path) const;

  // ---- changes; the paths of new objects are free ----
  // The group and its missing parents; returns those that are new.
  std::vector<std::string> add_group(const std::string& path);
  // Its group exists. Returns the index as Variables::add().
  int add_variable(Variable&& variable);
  // As Variables::add_removed().
  void add_removed_variable(Variable&& variable) { variables_.add_removed(std::move(variable)); }
  // Its group exists.
  void add_link(const std::string& path, SoftLink link);
  void add_other(const std::string& path, std::string kind) { others_[path] = std::move(kind); }
  void rename_variable(int index, const std::string& path);
  void remove_variable(int index);
  void remove_link(const std::string& path);
  // The group alone.
  void remove_group(const std::string& path);
  void remove_others_at_or_below(const std::string& path);
  // The object with its members.
  void remove_all(const std::string& path);
  // To change what a variable is, but for its path and attributes.
  Variables& variables() { return variables_; }

  // ---- attributes ----
  // A variable, or the group at `path`, and its attributes.
  struct Holder {
    std::optional<int> variable;
    const std::string& path;
    Attributes* attributes;  // null: there is no such object
  };
  Holder holder_of(const std::string& path);
  // All attributes of the object, which is there.
  void set_attributes(const std::string& path, Attributes attributes);
  // Group::small_attributes; the group is there.
  void keep_attributes_small(const std::string& group) { groups_.at(group).small_attributes = true; }
  // An attribute that exists keeps its place in the order.
  void put_attribute(const Holder& holder, const std::string& name, Attribute&& attribute);
  // The attribute exists, and the object has none of the new name.
  void rename_attribute(const Holder& holder, const std::string& name, const std::string& new_name);
  void remove_attribute(const Holder& holder, const std::string& name);

 private:
  const Attributes* attributes_of(std::optional<int> variable, const std::string& path) const;
  void forget_lists();
  void number(Attribute& attribute);

  Groups groups_;
  Variables variables_;
  SoftLinks links_;
  std::map<std::string, std::string> others_;
  uint64_t attributes_numbered_ = 0;
  mutable ListedNames names_;                       // see attribute_names()
  mutable std::map<std::string, Members> members_;  // by group; empty: not determined since the last change
};

}  // namespace scorpio::model
