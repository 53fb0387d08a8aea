// The placement rounds of a file that is alone in its channel (session/state/chunk_rounds.h): how the I/O
// ranks tell each other the bytes of the chunks that each of them has encoded in a round. On one node they
// announce them in shared counters, between nodes they send messages. The thread of the calls, except where
// stated.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "exchange/between_nodes/round_sizes.h"
#include "exchange/link/link.h"
#include "exchange/progress/waiting.h"

namespace scorpio::exchange {

class PlacementRounds {
 public:
  // All of them outlive this object.
  PlacementRounds(Link& link, RoundSizes& sizes, Waiting& waiting)
      : link_(link), sizes_(sizes), waiting_(waiting) {}

  // Round `number` (1, 2, ...) has ended, of which I/O ranks of other nodes tell each other the bytes.
  void ended(uint64_t number);
  // This I/O rank has encoded so many bytes of it. Any thread.
  void tell(uint64_t number, uint64_t bytes);
  // As that of Announcements on one node, and RoundSizes::take() on several. Any thread.
  std::optional<std::vector<uint64_t>> all_of(uint64_t number);
  // How many rounds may be told before the result of the first of them is known.
  uint64_t most_under_way() const { return link_.several_nodes() ? ~uint64_t{0} : 1; }
  // Whether nothing of other nodes is missing for the bytes of this round.
  bool has(uint64_t number) const { return !link_.several_nodes() || sizes_.knows(number); }
  // This I/O rank takes no part in later rounds, until take_part(). Any thread.
  void leave();
  void take_part() { sizes_.take_part(); }
  // Whether the bytes of all rounds that have ended are known.
  bool are_known() const { return sizes_.complete(); }
  // Waits for that, in a call in which all ranks are. On one node there is nothing to wait for.
  void exchange();
  // On several nodes, in a put in which all I/O ranks do so, and have told their bytes of all rounds up to
  // this one: tells the other I/O ranks what they may wait for. `wait`: until the bytes of these rounds are
  // known.
  void pass_on(uint64_t number, bool wait);

 private:
  Link& link_;
  RoundSizes& sizes_;
  Waiting& waiting_;
};

}  // namespace scorpio::exchange
