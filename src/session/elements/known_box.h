// A hyperslab that is the same on all ranks (SCORPIO_ALL_RANKS). Every rank knows which elements the others
// hold; the hyperslab is therefore put or got by a decomposition that is made without a message. Local.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "session/elements/boxes.h"
#include "session/iosystem/decomposition.h"
#include "session/state/data_call.h"

namespace scorpio::session {

class KnownBox {
 public:
  // `root`: the rank whose data are put; empty: all ranks get the data. `like`: the move without its location
  // in the variable.
  static Result<KnownBox> make(const System& system, const model::Variable& variable, const Box& box,
                               std::optional<int> root, const Move& like);

  const Decomposition& decomposition() const { return *decomposition_; }
  // The number of elements of the buffer, without those that a map skips between records.
  int64_t elements() const { return record_elements_ * records_.count; }
  // Whether next() would return another operation. There is at least one, also if there are no elements.
  bool more() const { return !begun_ || next_ < end_; }
  // The moves of the next operation: as many records as one holds, or all of a variable without records.
  std::vector<Move> next();

 private:
  KnownBox(const Move& like, const RecordRange& records) : like_(like), records_(records) {}

  Move like_;
  RecordRange records_;
  int64_t record_elements_ = 0;
  int64_t distance_ = 0;        // from one record to the next in the buffer, in elements
  int64_t next_ = 0, end_ = 0;  // of the records that have elements
  bool begun_ = false;
  std::unique_ptr<Decomposition> decomposition_;
};

}  // namespace scorpio::session
