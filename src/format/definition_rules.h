// What a format can hold: the checks of definitions before they enter the schema, each with the failure that
// the rank returns. Local and pure: every rank makes the same definitions and gets the same results.
#pragma once

#include <string>

#include "base/result.h"
#include "model/schema.h"

namespace scorpio::format {

class DefinitionRules {
 public:
  // The differences between formats that are not the result of a check.
  struct Traits {
    // Variables get their locations by end_definitions() only, so that a file is either in define mode or has
    // data.
    bool define_mode = false;
    bool names_all_dimensions = false;  // dimensions that are defined without a name get one
    bool strings = true;                // an attribute can be a list of texts
    bool foreign_types = false;  // the copy of an attribute can have a type that another program has defined
  };

  explicit DefinitionRules(const Traits& traits) : traits_(traits) {}
  virtual ~DefinitionRules() = default;

  const Traits& traits() const { return traits_; }
  // Names and paths in the form in which the format stores them; an invalid name is returned unchanged.
  virtual std::string stored_name(std::string name) const { return name; }

  // ---- Code::limit, type, name, unsupported; the text has the value and a remedy ----
  virtual Status check_group(const model::Schema& schema, const std::string& path) = 0;
  virtual Status check_link(const model::Schema& schema, const std::string& path) = 0;
  virtual Status check_dimension(const model::Schema& schema, const model::Dimension& dimension) = 0;
  // Also sets the type that the elements have in the file.
  virtual Status check_variable(const model::Schema& schema, model::Variable& variable) = 0;
  // Whether the elements of the variable, which are numbers, can be stored in either byte order:
  // Code::unsupported.
  virtual Status check_byte_order(const model::Variable& variable) const {
    return failure(Code::unsupported, "variable {}: the format defines the byte order of numbers",
                   variable.path);
  }
  // `defining` false: the file has data, and its metadata must not grow.
  virtual Status check_attribute(const model::Schema& schema, const std::string& object,
                                 const std::string& name, const model::Attribute& attribute,
                                 bool defining) = 0;
  // For an attribute that is renamed.
  virtual Status check_attribute_name(const model::Schema&, const std::string& /*object*/,
                                      const std::string& /*name*/) {
    return {};
  }
  virtual Status check_removal(const model::Schema& schema, const std::string& path, bool defining) = 0;
  // For a new name of any object; `old_name` is in the same group.
  virtual Status check_rename(const model::Schema& schema, const std::string& old_name,
                              const std::string& name, bool defining) = 0;
  // Code::limit if the file cannot store this number of records, which `variable` is to have.
  virtual Status check_records(const std::string& variable, uint64_t records) const = 0;

 protected:
  DefinitionRules(const DefinitionRules&) = default;
  DefinitionRules& operator=(const DefinitionRules&) = default;

 private:
  Traits traits_;
};

}  // namespace scorpio::format
