// The units of a put, one after another, as they are charged to the schedule of slots. If the put has small
// parts of many units, these are packed: several of them, as they follow each other in the file, share a
// slot. Every rank finds the same, from the flow and the schedule. Local and pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exchange/copies/batch.h"
#include "exchange/copies/flow.h"
#include "plan/domains.h"
#include "plan/slot_schedule.h"

namespace scorpio::exchange {

class PutWalk {
 public:
  // `flow` and `schedule` outlive this object.
  PutWalk(const Flow& flow, uint64_t file, plan::SlotSchedule& schedule);

  // Whether parts of units are packed.
  bool packs() const { return packs_; }
  // Returns false after the last unit. Before the next call each cut is charged, and its slot closed if it is
  // full.
  bool next(Cut& cut);
  // Charges the cut, which gets its place in the image, as SlotSchedule::charge().
  plan::Activation& charge(Cut& cut, const std::vector<int>& nodes,
                           const plan::SlotSchedule::OnClose& on_close);

 private:
  bool is_whole_block(const Cut& cut) const;
  void split(const std::vector<ByteRange>& ranges);
  std::vector<ByteRange> take_part();

  const Flow& flow_;
  const uint64_t file_;
  plan::SlotSchedule& schedule_;
  plan::UnitWalk walk_;
  bool packs_ = false;
  plan::Unit unit_;                            // whose parts are in parts_
  std::vector<std::vector<ByteRange>> parts_;  // that are packed, ascending
  size_t next_ = 0;                            // the first of them that is left
};

}  // namespace scorpio::exchange
