// The placement rounds of a file that is alone in its channel: on one node the I/O ranks announce the bytes
// in shared counters, between nodes they send messages. Threads as in placement_rounds.h.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "exchange/between_nodes/round_sizes.h"
#include "exchange/link/link.h"
#include "exchange/progress/placement_rounds.h"
#include "exchange/progress/waiting.h"

namespace scorpio::exchange {

class ChannelRounds final : public PlacementRounds {
 public:
  // All of them outlive this object.
  ChannelRounds(Link& link, RoundSizes& sizes, Waiting& waiting)
      : link_(link), sizes_(sizes), waiting_(waiting) {}

  void ended(uint64_t number) override;
  void tell(uint64_t number, uint64_t bytes) override;
  std::optional<std::vector<uint64_t>> all_of(uint64_t number) override;
  uint64_t most_under_way() const override { return link_.several_nodes() ? ~uint64_t{0} : 1; }
  bool has(uint64_t number) const override { return !link_.several_nodes() || sizes_.knows(number); }
  void leave() override;
  void take_part() override { sizes_.take_part(); }
  bool are_known() const override { return sizes_.complete(); }
  void exchange() override;
  void pass_on(uint64_t number, bool wait) override;

 private:
  Link& link_;
  RoundSizes& sizes_;
  Waiting& waiting_;
};

}  // namespace scorpio::exchange
