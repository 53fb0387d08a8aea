// What the I/O ranks of a node announce to each other in the shared counters of a channel: that posted data
// are in storage, which chunks they have encoded, and the bytes of each placement round. Each announcement
// wakes the workers of the node. On several nodes only the own ones count. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "exchange/link/channel_context.h"
#include "exchange/link/node_lines.h"

namespace scorpio::exchange {

// The encoded chunks of one I/O rank at a posted close.
struct StoredBytes {
  bool any = false;        // it has stored chunks since the last synchronisation point
  uint64_t unplaced = 0;   // bytes that have no address yet
  uint64_t arena_end = 0;  // of what it uses of the arena; 0: nothing

  friend bool operator==(const StoredBytes&, const StoredBytes&) = default;
};

class Announcements {
 public:
  // Both outlive this object.
  Announcements(const ChannelContext& context, const NodeLines& lines);

  // This I/O rank, or its worker, has written everything that the channel got before posted sync or close
  // `number` (1, 2, ...), or (not `good`) cannot say so.
  void tell_complete(uint64_t number, bool good) const;
  // Whether all I/O ranks have said so, of this number or a later one; none: not all have. On one node.
  std::optional<bool> all_complete(uint64_t number) const;
  // Before that, for a file with chunks: what this I/O rank has stored of posted close `number` is encoded.
  void tell_stored(uint64_t number, const StoredBytes& stored) const;
  // What each I/O rank has said of it, in their order; none: not all have. Empty: one of them cannot. On one
  // node.
  std::optional<std::vector<StoredBytes>> all_stored(uint64_t number) const;
  // In a file whose chunks are placed in rounds: of round `number` this I/O rank has encoded so many bytes.
  // It has the result of all_of_round() for the round before, so that two numbers are kept.
  void tell_round(uint64_t number, uint64_t bytes);
  // [I/O ranks] the bytes of each; none: not all have told theirs. Empty: one of them cannot. On one node.
  std::optional<std::vector<uint64_t>> all_of_round(uint64_t number) const;

 private:
  // An I/O rank of this node.
  struct Here {
    int local_rank;
    int owner;
  };
  RankLine& line(const Here& here) const { return lines_.of(here.local_rank); }
  void ring_workers() const;

  const ChannelContext& context_;
  const NodeLines& lines_;
  std::vector<Here> here_;
  uint64_t rounds_ = 0;  // the last number of tell_round(); the worker's
};

}  // namespace scorpio::exchange
