// The rounds in which data cross between nodes if all of them exchange their data at the same time, by a
// collective operation of MPI for each round. A round has messages of closed units, in the order in which
// these were closed. It ends before a slot of one of its units is used again: whoever needs this slot waits
// for the end of the round, and ranks contribute to the units of a round without waiting for one of them. As
// the schedule of slots, the rounds follow from the calls alone and are the same on every rank. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "plan/slot_schedule.h"

namespace scorpio::plan {

// What a node sends to an I/O rank of another node for a unit; for a read, what it asks for.
struct RoundMessage {
  uint64_t close = 0;
  int node = 0;
  int owner = 0;
  uint64_t tag = 0;  // of the unit, for the user of the rounds
  bool operator==(const RoundMessage&) const = default;
};

struct TransferRound {
  bool read = false;
  std::vector<RoundMessage> messages;

  uint64_t first_close() const { return messages.front().close; }
};

class TransferRounds {
 public:
  // The most messages of a round that a node sends, because they are in its outgoing slots, and that an I/O
  // rank receives, because it has buffers for them. At least 1.
  struct Limits {
    size_t of_node = 1;
    size_t of_owner = 1;
  };
  // `node_of_owner`: [I/O ranks].
  TransferRounds(std::vector<int> node_of_owner, int nodes, Limits limits);

  // The next unit that the schedule has closed.
  void add(const Activation& closed, uint64_t tag = 0);
  // Slots of units below this close number are used again (SlotSchedule::reused()).
  void reuse_before(uint64_t close);
  // Everything that was added is needed now: at synchronisation points, and at the end of a read.
  void end_round();

  // The next round that has ended.
  bool any_ended() const { return !ended_.empty(); }
  TransferRound take();

 private:
  std::vector<int> node_of_owner_;
  Limits limits_;
  std::vector<size_t> of_node_, of_owner_;  // messages of the open round
  TransferRound open_;
  std::deque<TransferRound> ended_;
};

}  // namespace scorpio::plan
