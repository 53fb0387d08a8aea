// The parts of an I/O system that all its channels use.
#pragma once

#include <chrono>
#include <vector>

#include "comm/messages.h"
#include "comm/node_map.h"
#include "comm/peer_exchange.h"
#include "comm/shared_tasks.h"
#include "exchange/memory/staging.h"
#include "observe/counters.h"

namespace scorpio::exchange {

class StallWatch;

// All of them outlive the channels.
struct ChannelContext {
  comm::Messages* messages = nullptr;  // between nodes
  const comm::NodeMap* nodes = nullptr;
  const std::vector<int>* io_ranks = nullptr;
  Staging* staging = nullptr;
  observe::Counters* counters = nullptr;
  StallWatch* watch = nullptr;         // null: different calls on several files are not detected
  comm::SharedTasks* tasks = nullptr;  // of all I/O ranks of the node; null: there are none
  bool gather_writes = false;          // hold closed units until a slot is needed or at a flush
  bool background = false;  // I/O ranks write while they make no call; gather_writes is then ignored
  std::chrono::seconds longest_wait{0};  // for other ranks, before the job ends; 0: without a limit
  // The time to wait for other nodes before they are asked whether they are in other calls.
  std::chrono::microseconds patience{200000};
  // Of the channels, by which data cross between nodes; null: each message is sent on its own.
  comm::PeerExchanges* exchanges = nullptr;

  int owner_of_rank(int rank) const;  // index among the I/O ranks, or -1
};

}  // namespace scorpio::exchange
