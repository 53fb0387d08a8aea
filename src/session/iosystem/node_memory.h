// What an I/O system has in the memory that the ranks of a node share: the staging memory, the place where
// the ranks meet in reductions, and the tasks that ranks that wait carry out for others. Collective where
// stated; one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/options.h"
#include "comm/communicator.h"
#include "comm/node_map.h"
#include "comm/node_meeting.h"
#include "comm/shared_tasks.h"
#include "exchange/memory/staging.h"
#include "observe/counters.h"
#include "observe/event_log.h"

namespace scorpio::session {

class NodeMemory {
 public:
  // Makes the staging memory, as choose_staging() says. Collective; the same status on all ranks.
  Status make(const comm::Communicator& comm, const std::vector<int>& io_ranks, comm::NodeMap& nodes,
              Options& options, observe::EventLog& events);
  // From now on reductions of `comm` go through the memory, if some node has several ranks. Collective.
  Status meet(comm::Communicator& comm, comm::NodeMap& nodes);
  // From now on ranks that wait encode and decode chunks of the I/O ranks of their node, if there are such
  // ranks, and they meet. `my_owner`: the number of this rank among the I/O ranks, or -1. `comm` and
  // `counters` outlive the tasks. Local.
  void share_encoding(const comm::Communicator& comm, const comm::NodeMap& nodes, int my_owner,
                      observe::Counters& counters);

  // False before make() and after release().
  bool made() const { return staging_ != nullptr; }
  exchange::Staging& staging() const { return *staging_; }
  // Null: the reductions are made by messages.
  comm::NodeMeeting* meeting() { return meeting_ ? &*meeting_ : nullptr; }
  // Null: each I/O rank encodes alone.
  comm::SharedTasks* tasks() const { return tasks_.get(); }
  // How the staging memory was made, and its slots, for people.
  const std::string& kind() const { return kind_; }
  std::string text() const;

  // Releases the memory, which no channel and no reduction uses any more. Local.
  void release();
  // After it, and if the ranks were in the same calls: releases what the leaders of the nodes have.
  // Collective.
  Status free();

 private:
  std::unique_ptr<exchange::Staging> staging_;
  std::string kind_;
  std::optional<comm::NodeMeeting> meeting_;
  std::unique_ptr<comm::SharedTasks> tasks_;
};

}  // namespace scorpio::session
