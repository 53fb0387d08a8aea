// What an I/O system uses between nodes: the communicator of messages, the collective operations by which
// data cross instead (option transfer), and the thread that moves them on while no call is made (option
// progress_thread). Collective where stated; one thread.
#pragma once

#include <memory>
#include <vector>

#include "base/options.h"
#include "comm/communicator.h"
#include "comm/node_map.h"
#include "comm/peer_exchange.h"
#include "observe/trace.h"
#include "session/iosystem/message_thread.h"

namespace scorpio::session {

class Workers;

class BetweenNodes {
 public:
  // All of them outlive this object; begin() needs `comm` alone.
  BetweenNodes(const comm::Communicator& comm, const comm::NodeMap& nodes, const std::vector<int>& io_ranks)
      : comm_(comm), nodes_(nodes), io_ranks_(io_ranks) {}

  // Makes the communicator of messages; agreements use `comm`. Collective.
  Status begin();
  comm::Communicator& messages() { return messages_; }

  // As option transfer says; puts its value in force in `options`. Collective.
  Status make_exchanges(Options& options, int channels);
  // Null: each message is sent on its own.
  comm::PeerExchanges* exchanges() const { return exchanges_.get(); }

  // If option progress_thread asks for it, on the CPUs of `workers`; puts its value in force in `options`.
  // From now on only calls that have entered the thread use `work`, which exists until end_thread().
  // Collective.
  Status start_thread(Options& options, async::Advancing& work, Workers& workers, observe::Trace* trace);
  const std::shared_ptr<async::ProgressThread>& thread() const { return thread_.thread(); }
  void end_thread() { thread_.end(); }

  Status free();  // of the communicators. Collective

 private:
  const comm::Communicator& comm_;
  const comm::NodeMap& nodes_;
  const std::vector<int>& io_ranks_;
  comm::Communicator messages_;
  std::unique_ptr<comm::PeerExchanges> exchanges_;
  MessageThread thread_;
};

}  // namespace scorpio::session
