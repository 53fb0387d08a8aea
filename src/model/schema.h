// The schema of a file: what is defined in it (objects.h, dimensions.h), the definitions by which it changes,
// and what they have recorded: the differences to the file (pending.h), and a hash that ranks compare. Every
// rank has a copy. Local and pure: no bytes, no MPI.
//
// Code that only reads takes the part that it needs, for example the variables. growth.h has the lengths of
// dimensions that grow, schema_adopt.h brings a schema and its file together, schema_message.h makes a
// message of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/dimensions.h"
#include "model/objects.h"
#include "model/pending.h"

namespace scorpio::model {

class Schema {
 public:
  Schema();

  // ---- what is defined ----
  const Dimensions& dimensions() const { return dimensions_; }
  const Objects& objects() const { return objects_; }
  const Variables& variables() const { return objects_.variables(); }
  // Its format has a restricted form, which further definitions keep to.
  bool restricted() const { return restricted_; }

  // ---- definitions: of groups, variables and links ----
  // Creates the group and its missing parents. A group that exists is no error. Code::exists if the path is
  // that of a variable or link.
  Status add_group(const std::string& path);
  // Creates missing parents too. Index of the variable: dense, in order of definition, never reused.
  Result<int> add_variable(Variable variable);
  Status add_link(const std::string& path, const std::string& target);
  // `name` is the last part of the new path.
  Status rename_variable(int variable, const std::string& name);
  // Removes a variable, a link, or a group with all its members.
  Status remove(const std::string& path);
  Status set_filled(int variable, bool filled);
  void set_storage(int variable, Storage storage);
  void set_byte_order(int variable, ByteOrder order);

  // ---- definitions: of dimensions ----
  // Index of the dimension: dense, in order of definition. `extent` of an unlimited one is 0.
  Result<int> add_dimension(Dimension dimension);
  Status rename_dimension(int dimension, const std::string& name);
  // Removes the dimensions after the first `kept`, which are not used yet.
  void drop_dimensions(size_t kept) { dimensions_.drop(kept); }

  // ---- definitions: of attributes ----
  Status put_attribute(const std::string& object, const std::string& name, Attribute attribute);
  Status rename_attribute(const std::string& object, const std::string& name, const std::string& new_name);
  Status remove_attribute(const std::string& object, const std::string& name);

  // ---- changes that are no definitions ----
  // Sets an attribute of a variable whose value follows from the data.
  void set_attribute(int variable, const std::string& name, Attribute attribute);
  // The variable, which the file has, gets an address and takes space there. From now on it has the byte
  // order that it has in the file.
  void take_space(int variable);
  // Increases the unlimited dimensions to at least these lengths.
  void grow(const Lengths& lengths);
  // What a file that exists contains beside its definitions. `object` is there.
  void found_attributes(const std::string& object, Attributes attributes);
  // The file has no room for attributes of 64 KiB or more of this group.
  void found_small_attributes(const std::string& group) { objects_.keep_attributes_small(group); }
  void found_other(const std::string& path, std::string kind) { objects_.add_other(path, std::move(kind)); }
  void found_restricted() { restricted_ = true; }

  // ---- what the definitions have recorded ----
  // The definitions and changes since clear_pending().
  const Pending& pending() const { return pending_; }
  // For the code that writes the definitions and removes those that are done.
  Pending& pending() { return pending_; }
  // All definitions have been written to the file.
  void clear_pending() { pending_ = {}; }
  // Advances with every definition; equal on ranks that made the same definitions in the same order.
  uint64_t hash() const { return hash_; }

 private:
  friend void discard_pending(Schema& schema);                // schema_adopt.h
  friend void drop(Schema& schema, const std::string& path);  // schema_adopt.h
  friend class Adoption;                                      // schema_adopt.cpp
  friend class SchemaReader;                                  // schema_message.cpp

  void make_group(const std::string& path);
  void forget(const std::string& path);
  void hold_attribute(const Objects::Holder& holder, const std::string& name, Attribute&& attribute);
  void move_dimensions_of_lost_groups();

  Dimensions dimensions_;
  Objects objects_;
  bool restricted_ = false;
  Pending pending_;
  uint64_t hash_;
};

}  // namespace scorpio::model
