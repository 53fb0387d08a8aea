// The agreements before and after a call that moves data: that it is the same call on all ranks, and its
// status. Collective.
#pragma once

#include <cstdint>

#include "comm/agree.h"
#include "session/state/core.h"
#include "session/state/data_call.h"

namespace scorpio::session {

class MoveAgreement {
 public:
  explicit MoveAgreement(Core& core) : core_(core) {}

  // On several nodes the channel fails if a rank leaves out a data call or makes another one; after this
  // agreement all ranks leave it out. `hash`: hash_of() the call. One agreement.
  Status agree_on_call(const Result<DataCall>& call, uint64_t hash);

  // The values that the ranks compare at the end of a get.
  struct Get {
    uint64_t hash = 0;
    bool flushed = false;  // earlier puts are written, as far as possible
    comm::Describe describe;
  };
  // At the end of a data call that is a synchronisation point; `get` is null if it is no get. The same status
  // on all ranks; one agreement. If some rank could not make a put, all later data calls on the file fail; if
  // that put was on another file that shares the channel, later calls succeed. Earlier puts are in the file
  // when a get ends; therefore a get that some ranks could not make, or that differed between ranks, has no
  // effect other than a new channel. Clipped values, and puts that all ranks left out, are returned once;
  // failures by which the file lacks data are returned again.
  Status conclude(const Status& status, const Get* get = nullptr);

 private:
  Status explain(const Status& agreed, bool other_puts, const Get* get);

  Core& core_;
};

}  // namespace scorpio::session
