// Finds out that ranks make different calls where no agreement can tell them, because one of them waits
// inside a data call: others wait for it in a reduction, or in a data call of another file, and will not
// come. On a node the counters that ranks share tell it. A rank that has waited long for other nodes, or
// whose node took no part in a call, sends them one question, which says what it has done; they answer, if
// they have done something else, by the failure of the channel. Local; one thread.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <vector>

#include "comm/communicator.h"
#include "comm/node_map.h"
#include "comm/node_meeting.h"

namespace scorpio::exchange {

class Link;

class StallWatch {
 public:
  // All outlive this. `comm`: of the agreements, whose reductions count; `meeting`: null where there is none.
  // `token`: the same on all ranks, and no other watch's: MPI may give its communicator's messages that
  // nobody took in to a later communicator.
  StallWatch(const comm::Communicator& comm, const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
             const comm::NodeMeeting* meeting, uint64_t token)
      : comm_(comm), nodes_(nodes), io_ranks_(io_ranks), meeting_(meeting), token_(token) {}
  ~StallWatch();
  StallWatch(const StallWatch&) = delete;
  StallWatch& operator=(const StallWatch&) = delete;

  // Collective in order.
  void add(Link& link) { links_[++numbers_] = &link; }
  void remove(const Link& link);

  // Whether another rank of this node waits in a place to which this rank comes only after the data call of
  // `link` that it is in, and has not made that call.
  bool passed_by(const Link& link, int local_rank) const;
  // On several nodes: this rank has waited long, or its node skipped a call.
  void ask();
  // The ranks that others wait for on other nodes learn that the channel of `link` has failed.
  void tell_failure(const Link& link);
  // To be called again and again where this rank waits for others, on several nodes: takes in what other
  // nodes ask and tell. Only ranks that others wait for are asked and told.
  void answer(bool in_reduction);

 private:
  struct FileState {
    uint64_t number, calls, last_call;
  };
  // What a rank that waits has done.
  struct Question {
    uint64_t reductions = 0;
    std::vector<FileState> files;
  };
  struct Sent {
    std::vector<uint64_t> words;
    std::vector<MPI_Request> requests;
  };

  bool is_worker() const;
  void send(std::vector<uint64_t> words);
  void take_in();
  void take_in(int rank, const std::vector<uint64_t>& words);
  void fail_other_calls(const Question& question);
  bool contradicts(const Question& question, bool in_reduction) const;
  std::vector<int> workers_elsewhere() const;
  void forget_sent();

  const comm::Communicator& comm_;
  const comm::NodeMap& nodes_;
  const std::vector<int>& io_ranks_;
  const comm::NodeMeeting* meeting_;
  uint64_t token_;
  uint64_t numbers_ = 0;
  std::map<uint64_t, Link*> links_;    // by number, which is the same on all ranks
  std::map<int, Question> questions_;  // of ranks, not yet out of date
  std::list<Sent> sent_;               // under way
};

}  // namespace scorpio::exchange
