// What ranks agree on before and after a call that moves data: that it is the same call on all of them, and
// how it ended. Collective.
#pragma once

#include <cstdint>

#include "comm/agree.h"
#include "session/core.h"
#include "session/data_call.h"

namespace scorpio::session {

class MoveAgreement {
 public:
  explicit MoveAgreement(Core& core) : core_(core) {}

  // On several nodes a rank that leaves out a data call, or makes another one, ends the channel; with this
  // all leave it out. `hash`: hash_of() the call. One agreement.
  Status agree_on_call(const Result<DataCall>& call, const Result<std::vector<Move>>& moves, uint64_t hash);

  // What the ranks compare at the end of a get.
  struct Get {
    uint64_t hash = 0;
    bool flushed = false;  // what was put before it is written, as far as it can be
    comm::Describe describe;
  };
  // At the end of a call that is a sync point of data; `get`: of a get, else null. The same on all ranks. One
  // agreement. Where one of them could not take part, no later data call on the file can work either; but
  // where that was in a call on another file that shares the channel, later ones can. What was put before a
  // get is in the file, so a get in which ranks could not take part, or that was another one on each, costs
  // nothing but a new channel. Clipped values, and puts in which no rank took part, have been told then; what
  // the file lacks is told again.
  Status conclude(const Status& status, const Get* get = nullptr);

 private:
  Status explain(const Status& agreed, bool other_puts, const Get* get);

  Core& core_;
};

}  // namespace scorpio::session
