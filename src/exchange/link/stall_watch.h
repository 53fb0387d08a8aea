// Detects that ranks make different calls if no agreement can, because one of them waits inside a data call,
// while others wait for it in a reduction or in a data call on another file. On a node the shared counters
// show this. A rank that has waited long for other nodes, or whose node left out a call, sends them a message
// with its own progress; ranks that have made other calls answer with the failure of the channel. Local; one
// thread.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <vector>

#include "comm/call.h"
#include "comm/messages.h"
#include "comm/node_map.h"
#include "comm/node_meeting.h"
#include "exchange/link/watched_channel.h"

namespace scorpio::exchange {

class StallWatch {
 public:
  // The ranks of the job, and their reductions.
  struct Agreements {
    comm::Messages& messages;          // used for nothing else
    const comm::CallLog& calls;        // the calls of this rank, including its reductions
    const comm::NodeMeeting* meeting;  // null if there is none
  };
  // All of them outlive this object. `token` is the same on all ranks and different for each watch, because
  // MPI may deliver messages that no rank received to a later communicator.
  StallWatch(const Agreements& agreements, const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
             uint64_t token);
  StallWatch(const StallWatch&) = delete;
  StallWatch& operator=(const StallWatch&) = delete;

  // Collective in order.
  void add(WatchedChannel& channel);
  void remove(const WatchedChannel& channel);

  // Whether another rank of this node waits in a call that this rank makes only after its present data call
  // or flush of `channel`, which the other rank has not entered.
  bool passed_by(const WatchedChannel& channel, int local_rank) const;
  // On several nodes: this rank has waited long, or its node skipped a call.
  void ask();
  // Informs the ranks of other nodes for which ranks may wait that `failed` has failed.
  // Allocates no memory: add() has reserved it.
  void tell_failure(const WatchedChannel& failed);
  // Called repeatedly while this rank waits for ranks of other nodes: receives their questions and answers.
  // Only ranks for which others may wait get such messages.
  void answer(bool in_reduction);

 private:
  struct FileState {
    uint64_t number, calls, last_call, flushes;
  };
  // The progress of a rank that waits.
  struct Question {
    uint64_t reductions = 0;
    std::vector<FileState> files;
  };
  struct Sent {
    std::vector<uint64_t> words;
    std::vector<comm::Transfer> sends;
  };

  // A channel, and the message that it has failed.
  struct Watched {
    WatchedChannel* channel = nullptr;
    std::list<Sent> failure;  // empty: it was sent already
  };

  bool is_worker() const;
  std::list<Sent> prepared(std::vector<uint64_t> words) const;
  void send(std::list<Sent> message);
  void take_in();
  void take_in(int rank, const std::vector<uint64_t>& words);
  void fail_other_calls(const Question& question);
  bool contradicts(const Question& question, bool in_reduction) const;
  void take_in_and_compare(bool in_reduction);
  void forget_sent();

  comm::Messages& messages_;
  const comm::CallLog& calls_;
  const comm::NodeMap& nodes_;
  const std::vector<int>& io_ranks_;
  const comm::NodeMeeting* meeting_;
  uint64_t token_;
  uint64_t numbers_ = 0;
  std::vector<int>
      workers_elsewhere_;  // the leaders of other nodes, and their I/O ranks, for which ranks may wait
  std::map<uint64_t, Watched> channels_;  // by number, which is the same on all ranks
  std::map<int, Question> questions_;     // of each rank, if still valid
  // In transit. A message that is never received is left to MPI: it is small and was sent eagerly.
  std::list<Sent> sent_;
};

}  // namespace scorpio::exchange
