// The channel of an open file, as its placement rounds use it: at any time the one that serves the file then.
// Threads as in round_channel.h.
#pragma once

#include <chrono>
#include <cstdint>

#include "exchange/file_channel.h"
#include "session/state/round_channel.h"

namespace scorpio::session {

class FileRoundChannel final : public RoundChannel {
 public:
  // `channel` outlives this object.
  explicit FileRoundChannel(exchange::FileChannel& channel) : channel_(channel) {}

  uint64_t closes() const override { return channel_.now().closes(); }
  uint64_t reused() const override { return channel_.now().reused(); }
  void set_round(uint64_t round) override { channel_.set_round(round); }
  Slots delivered_here() const override { return channel_.now().delivered_here(); }
  bool written(const Slots& slots) const override { return channel_.now().written(slots); }
  bool failed() const override { return channel_.failed(); }
  bool ever_failed() const override { return channel_.ever_failed(); }
  void note(const Status& done, const observe::Counters& counted) override {
    channel_.add_worked(counted);
    if (!done.ok()) channel_.note(done);
  }
  bool several_nodes() const override { return channel_.now().several_nodes(); }
  exchange::PlacementRounds& others() const override { return channel_.now().placement_rounds(); }
  std::chrono::seconds longest_wait() const override { return channel_.now().longest_wait(); }

 private:
  exchange::FileChannel& channel_;
};

}  // namespace scorpio::session
