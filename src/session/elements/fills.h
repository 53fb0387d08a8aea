// Writes fill values: to variables with fill mode, to new records, and to elements that no rank holds.
// Collective in order, as puts are; fill_value() and the functions that mark variables are Local.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "session/state/core.h"
#include "session/state/data_call.h"

namespace scorpio::session {

class Fills {
 public:
  explicit Fills(Core& core) : core_(core) {}

  // The fill value of the variable, one element as it is stored.
  std::vector<std::byte> fill_value(const model::Variable& variable) const;

  // ---- new variables ----
  // Marks the variable. If it has fill mode, it is filled when it has its location.
  void mark_new(int variable) { unfilled_.insert(variable); }
  const std::set<int>& unfilled() const { return unfilled_; }
  void set_unfilled(std::set<int> variables) { unfilled_ = std::move(variables); }
  // Whether data may have been put or got since the variable was defined.
  bool may_have_data(int variable) const { return variable < moved_from_; }
  // Fills the marked variables. A failure of this rank is returned at the next synchronisation point, because
  // the other ranks do not know of it.
  void fill_new_variables();
  // Before a put or get: fills the marked variables. All present variables may have data from then on.
  void before_data() {
    moved_from_ = core_.contents.schema().variables().count();
    if (!unfilled_.empty()) fill_new_variables();
  }

  // Fills a variable of an opened file, which has just got its address, with this element. A failure is
  // returned as in fill_new_variables().
  void fill_found(int variable, const std::vector<std::byte>& value) {
    (void)core_.calls.note(fill_slabs(variable, 0, 1, value));
  }

  // ---- records ----
  // Increases the lengths of unlimited dimensions. New records of variables with fill mode are filled before
  // other data are put there.
  Status grow(const model::Lengths& lengths);

  // ---- a put with fill values ----
  // Elements that no rank holds get the fill value of their move: in the same operation if they are known
  // exactly and all moves have a fill value (of a variable in chunks, this one), else in an operation before
  // it. A rank whose own arguments are invalid takes part.
  Status add_to(DataCall& call);

 private:
  plan::NodeSets same_for_nodes(const decomp::Interval& elements) const;
  Status fill_slabs(int variable, int64_t first_record, int64_t end_record,
                    const std::vector<std::byte>& value);
  Status add_part(DataCall& call, size_t i, const decomp::RunList& runs,
                  std::vector<exchange::Part>& parts) const;

  Core& core_;
  int moved_from_ = 0;      // variables below it existed at the last put or get
  std::set<int> unfilled_;  // to be filled when they have a location
};

}  // namespace scorpio::session
