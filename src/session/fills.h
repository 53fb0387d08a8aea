// Writes fill values: to variables with fill mode, to new records, and to elements that no rank holds.
// Collective in order, as puts are; fill_value() and the functions that mark variables are Local.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "session/core.h"
#include "session/data_call.h"

namespace scorpio::session {

class Fills {
 public:
  explicit Fills(Core& core) : core_(core) {}

  // One element, as the variable stores it.
  std::vector<std::byte> fill_value(const model::Variable& variable) const;

  // ---- new variables ----
  // Marks the variable: if it has fill mode, it is filled when it has its location.
  void mark_new(int variable) { unfilled_.insert(variable); }
  // Data may have been moved since the variable was defined.
  bool may_have_data(int variable) const { return variable < moved_from_; }
  // Those marked that are filled. A failure of this rank is for the next sync point: the others have not seen
  // it.
  void fill_new_variables();
  // Before data are moved: the same, and from now on the variables of now may have data.
  void before_data();

  // ---- records ----
  // There are that many records: new ones of filled variables are filled before anything else is put there.
  Status grow(const model::Lengths& lengths);

  // ---- a put with fill values ----
  // What no rank holds gets the fill of its move: in the same operation if that is known exactly and asked
  // for everywhere, else before it. A rank whose own part failed takes part in this.
  Status add_to(DataCall& call, const std::vector<Move>& moves);

 private:
  std::vector<decomp::Interval> same_for_nodes(const decomp::Interval& elements) const;
  Status fill_slabs(int variable, int64_t first_record, int64_t end_record);

  Core& core_;
  int moved_from_ = 0;      // variables below it were there when data were moved last
  std::set<int> unfilled_;  // to be filled when they have their places
};

}  // namespace scorpio::session
