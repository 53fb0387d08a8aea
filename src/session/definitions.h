// What the user defines: groups, dimensions, variables, attributes, links, fill values. Local; Collective in
// an eager file, where the object is made at once.
#pragma once

#include <string>
#include <vector>

#include "session/core.h"
#include "session/fills.h"
#include "session/inquiry.h"

namespace scorpio::session {

class Definitions {
 public:
  Definitions(Core& core, Inquiry& inquiry, Fills& fills) : core_(core), inquiry_(inquiry), fills_(fills) {}

  Status define_group(const std::string& path);
  // `name`: or its path, in a group that is made if it is not there. `extent` < 0: unlimited.
  Result<int> define_dimension(const std::string& name, int64_t extent);
  Result<int> define_variable(const std::string& path, const model::ElementType& type,
                              std::vector<int64_t> dims);
  // Over dimensions that have names.
  Result<int> define_variable_on(const std::string& path, const model::ElementType& type,
                                 const std::vector<int>& dimensions);
  Status define_link(const std::string& path, const std::string& target);
  Status remove(const std::string& path);
  // Of the group or variable at `path`, soft links followed.
  Status put_attribute(const std::string& path, const std::string& name, model::Attribute attribute);
  Status remove_attribute(const std::string& path, const std::string& name);
  Status rename_dimension(int dimension, const std::string& name);
  Status rename_variable(int variable, const std::string& name);
  Status rename_attribute(const std::string& path, const std::string& name, const std::string& new_name);

  // Whether variables are filled that are defined from now on.
  bool fill_mode() const { return fill_mode_; }
  Status set_fill_mode(bool filled);
  // `value`: one native element of the variable's type; null: its attribute's, or the default.
  Status define_fill(int variable, bool filled, const void* value);
  // How its elements are stored: before it has data, and before anybody posts.
  Status define_chunks(int variable, const std::vector<int64_t>& chunk);
  Status define_filters(int variable, const std::vector<int>& filters, const std::vector<int>& parameters);

  // In place of a definition whose arguments this rank could not even take; counts as one that failed.
  Status reject(const Status& why);
  // Some rank made other definitions than another: a rank whose definition failed says so, else the lowest
  // that differs from rank 0. `hash`: of this rank's schema. Collective, also where the file is not eager.
  Status explain(uint64_t hash) const;

 private:
  template <typename Check, typename Change>
  Status define(Check&& check, Change&& change);
  Status defined(const Status& status);
  Status publish();
  // Eager: ranks compare what they are about to define, all arguments, before any of them does.
  template <typename... Arguments>
  Status compare(fmt::format_string<Arguments...> call, Arguments&&... arguments) {
    return core_.eager() ? compare_texts(fmt::format(call, std::forward<Arguments>(arguments)...)) : Status();
  }
  Status compare_texts(const std::string& call);
  Status no_eager_fill() const;
  Status define_storage(int variable, model::Storage storage);
  Result<int> add_dimension(const std::string& name, int64_t extent);
  Result<std::vector<int>> named_dimensions(const std::vector<int64_t>& dims);
  Result<int> add_to_schema(model::Variable variable);
  Result<int> add_variable(model::Variable variable);

  Core& core_;
  Inquiry& inquiry_;
  Fills& fills_;
  bool fill_mode_ = false;
};

}  // namespace scorpio::session
