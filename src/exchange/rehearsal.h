// What a sequence of puts to one file will do, computed with the schedule of slots and without data:
// messages, writes, and their division among nodes and I/O ranks. One process computes it for all ranks.
// Local and pure.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/cost_model.h"
#include "comm/node_map.h"
#include "exchange/between_nodes/transfer_group.h"
#include "exchange/copies/flow.h"
#include "exchange/memory/staging_memory.h"
#include "plan/slot_schedule.h"
#include "plan/transfer_rounds.h"

namespace scorpio::exchange {

struct PutCounts {
  uint64_t slots = 0;     // full slots, each with a unit of the file
  uint64_t messages = 0;  // between nodes
  uint64_t bytes = 0;     // of the file
  // Writes of data, if each slot is written by itself. Two adjacent slots that wait for their I/O rank at the
  // same time, which happens with `gather_writes` and `asynchronous` only, can be one write.
  uint64_t writes = 0;
  uint64_t aligned_writes = 0;  // those that begin and end at multiples of the block
  uint64_t shared_blocks = 0;   // blocks that more than one I/O rank writes
  // Of each I/O rank, and of each node.
  std::vector<uint64_t> bytes_of, writes_of, unaligned_of, received_of;
  std::vector<uint64_t> sent_of, received_at;
  // Bytes of elements in messages that each node sends and receives, if the nodes that may have elements of a
  // unit have equal parts of it.
  std::vector<uint64_t> sent_bytes_of, received_bytes_of;
  // Collective operations in which the messages can cross (option transfer), a pair of them in each round,
  // and the ranks that take part.
  uint64_t rounds = 0;
  TransferGroup group;
  size_t receive_buffers = 0;  // of each I/O rank

  // In how many rounds the messages cross. Of single messages a round is what a leader may have pending, or
  // what an I/O rank has buffers for: those of the rank with the most.
  uint64_t rounds_by(Transfer way) const;
  // The collective operations of MPI, the sum over the ranks (counter collective_transfers).
  uint64_t operations_by(Transfer way) const;
  uint64_t bytes_between_nodes() const;
  // By the I/O ranks that write.
  uint64_t opens() const;
  // The cost of these puts: of the node with the most messages and bytes, of the I/O rank with the most
  // writes, of all opens, and of the blocks that I/O ranks share. In each collective operation a rank
  // exchanges a message with all others that take part, or with its neighbours.
  uint64_t cost_ns(const CostModel& model, Transfer way) const;
};

class Rehearsal {
 public:
  // `nodes` and `io_ranks` outlive this object. No other put has used the lease.
  Rehearsal(const comm::NodeMap& nodes, const std::vector<int>& io_ranks, const Lease& lease);

  // Does what Puts::put() does with the schedule, for the next variable in the file. `held`: for a flow that
  // is not exact the bytes that ranks hold, sorted and disjoint; without them all of `touched` counts as
  // held.
  void put(const Flow& flow, std::span<const ByteRange> held);
  // The bytes of a part of the latest put that go from a rank of `node` to other nodes. Its runs ascend.
  uint64_t crossing(const Part& part, int node) const;
  // After the last put: as a synchronisation point ends it.
  PutCounts finish();

 private:
  int home_of(int owner) const;
  void closed(const plan::Activation& activation);
  void end_rounds();
  void write(ByteRange range, int owner);
  void touch_block(uint64_t block, int owner);

  const comm::NodeMap& nodes_;
  const std::vector<int>& io_ranks_;
  plan::SlotSchedule schedule_;
  plan::TransferRounds rounds_;
  plan::DomainRule rule_;
  std::vector<std::pair<uint64_t, int>> owners_;    // of the units of the latest put, ascending
  std::vector<ByteRange> held_;                     // of all puts that are not exact
  std::unordered_map<uint64_t, int> block_owners_;  // of blocks that are written in part
  std::set<uint64_t> shared_;
  PutCounts counts_;
};

}  // namespace scorpio::exchange
