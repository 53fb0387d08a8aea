// How the I/O ranks of a file tell each other the bytes of the chunks that each of them has encoded in a
// placement round (session/state/chunk_rounds.h). The thread of the calls, except where stated.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace scorpio::exchange {

class PlacementRounds {
 public:
  // Round `number` (1, 2, ...) has ended, of which I/O ranks of other nodes tell each other the bytes.
  virtual void ended(uint64_t number) = 0;
  // This I/O rank has encoded so many bytes of it. Any thread.
  virtual void tell(uint64_t number, uint64_t bytes) = 0;
  // [I/O ranks] the bytes of each, once; none: not all are known. Empty: some I/O rank takes no part. Any
  // thread.
  virtual std::optional<std::vector<uint64_t>> all_of(uint64_t number) = 0;
  // How many rounds may be told before the result of the first of them is known. Any thread.
  virtual uint64_t most_under_way() const = 0;
  // Whether nothing of other nodes is missing for the bytes of this round.
  virtual bool has(uint64_t number) const = 0;
  // This I/O rank takes no part in later rounds, until take_part(). Any thread.
  virtual void leave() = 0;
  virtual void take_part() = 0;
  // Whether the bytes of all rounds that have ended are known.
  virtual bool are_known() const = 0;
  // Waits for that, in a call in which all ranks are. On one node there is nothing to wait for.
  virtual void exchange() = 0;
  // On several nodes, in a put in which all I/O ranks do so, and have told their bytes of all rounds up to
  // this one: tells the other I/O ranks what they may wait for. `wait`: until the bytes of these rounds are
  // known.
  virtual void pass_on(uint64_t number, bool wait) = 0;

 protected:
  ~PlacementRounds() = default;
};

}  // namespace scorpio::exchange
