// What a StallWatch sees of a channel, and how it ends the waiting of ranks in it. One thread.
#pragma once

#include "exchange/link/call_order.h"

namespace scorpio::exchange {

class WatchedChannel {
 public:
  virtual const CallOrder& calls() const = 0;
  virtual bool failed() const = 0;
  // No rank may wait in this channel any longer. Informs the other nodes.
  virtual void fail() = 0;
  // Another node has reported this.
  virtual void hear_failure() = 0;

 protected:
  ~WatchedChannel() = default;
};

}  // namespace scorpio::exchange
