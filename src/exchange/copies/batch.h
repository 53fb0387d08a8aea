// The part of a data call that lies in one unit, and the units that one rank moves together. Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "exchange/copies/flow.h"
#include "plan/domains.h"
#include "plan/slot_schedule.h"

namespace scorpio::exchange {

// The part of a flow that lies in one unit, or a piece of it that is packed with others.
struct Cut {
  plan::Unit unit;
  uint64_t image_begin = 0;  // the byte of the file at image[0], modulo 2^64
  bool packed = false;
  std::vector<ByteRange> ranges;  // bytes of the variable in the unit that are accessed
  ByteRange hull{};               // of `ranges`
  std::vector<size_t> parts;      // parts of this rank that have elements in the unit, ascending

  // `unit` must be touched by the flow.
  static Cut of(const Flow& flow, const plan::Unit& unit);
  // Of the `ranges` in the unit.
  static Cut of(const Flow& flow, const plan::Unit& unit, std::vector<ByteRange> ranges);
  CopyFrame frame_of(const Part& part) const { return part.frame(image_begin, hull); }
  // Nodes that may have elements in the unit, ascending.
  std::vector<int> nodes(const Flow& flow) const;
};

// A unit and its slot.
struct Visit {
  Cut cut;
  plan::SlotUse activation;
  bool more = false;  // the slot is that of an earlier visit of the batch
};

// Units that this rank has begun to copy and has not published as done. None of them may depend on the
// completion of another one; in particular no slot occurs twice, but for that of a packed activation.
struct Batch {
  // At which number of units of an I/O rank, or of pieces, a batch is copied.
  static constexpr size_t k_any = std::numeric_limits<size_t>::max();
  struct Most {
    size_t units = 1, pieces = k_any;
  };

  bool together = false;  // filled, or emptied, in one pass over the user's memory, and published at its end
  std::vector<Visit> visits;
  std::vector<plan::Activation> closes;  // ascending; for a get, those of the visits

  // Without units.
  void clear();
  void add(Cut cut, const plan::SlotUse& activation);
  bool has_slot_of(const plan::SlotUse& next) const;
  size_t units_of(int owner) const;
  size_t pieces() const;  // the parts of this rank in all units
};

}  // namespace scorpio::exchange
