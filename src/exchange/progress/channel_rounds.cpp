#include "exchange/progress/channel_rounds.h"

namespace scorpio::exchange {

void ChannelRounds::ended(uint64_t number) {
  if (link_.several_nodes()) sizes_.ended(number);
}

void ChannelRounds::tell(uint64_t number, uint64_t bytes) {
  if (link_.several_nodes()) return sizes_.tell(bytes);
  link_.announcements().tell_round(number, bytes);
}

std::optional<std::vector<uint64_t>> ChannelRounds::all_of(uint64_t number) {
  return link_.several_nodes() ? sizes_.take(number) : link_.announcements().all_of_round(number);
}

void ChannelRounds::leave() {
  if (link_.several_nodes()) return sizes_.give_up();
  link_.announcements().tell_complete(0, false);
}

// After a failure the channel has failed.
void ChannelRounds::exchange() {
  (void)link_.carry_out([this] { return waiting_.until_rounds([this] { return sizes_.complete(); }); });
}

void ChannelRounds::pass_on(uint64_t number, bool wait) {
  (void)link_.carry_out(
      [&] { return waiting_.until_rounds([&] { return sizes_.passed_on(number, wait); }); });
}

}  // namespace scorpio::exchange
