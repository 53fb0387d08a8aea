// The calls that make nonblocking requests, wait for them and cancel them. Each rank makes its own, which are
// pending (Requests, session/elements/requests.h) until a wait or another synchronisation point carries out
// those of all ranks. Collective where stated.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "session/calls/move_parts.h"
#include "session/elements/boxes.h"
#include "session/elements/request_agreement.h"
#include "session/elements/requests.h"
#include "session/iosystem/decomposition.h"
#include "session/state/core.h"

namespace scorpio::session {

class RequestCalls {
 public:
  RequestCalls(Core& core, const MoveParts& parts) : core_(core), parts_(parts) {}

  enum class Kind { put, buffered_put, get };
  // Local. In define mode the location in the file is determined later, at the wait. `data` holds the boxes
  // one after the other; it must stay unchanged until the wait, except for a buffered put.
  Result<int64_t> post_part(Kind kind, int variable, const Decomposition* decomposition, int64_t record,
                            const Result<model::ElementType>& memory_type, void* data);
  Result<int64_t> post(Kind kind, int variable, std::span<const Box> boxes,
                       const Result<model::ElementType>& memory_type, void* data);
  // Collective: carries out the requests `ids` (null: all of this rank), and those that the other ranks name.
  // `outcomes`: the status of each. `call`: for a call that is a synchronisation point also without gets, its
  // name and the ranks whose data it puts; it must be the same on all ranks, else Code::mismatch. Empty for a
  // wait.
  Status wait(const std::vector<int64_t>* ids, std::map<int64_t, Code>& outcomes,
              const Status& arguments = {}, const std::string& call = {});
  // Local. Whether none of these requests is pending (null: of all requests of this rank).
  Result<bool> carried_out(const std::vector<int64_t>* ids);
  Status cancel(const std::vector<int64_t>* ids);  // Local
  Requests& pending() { return pending_; }
  const Requests& pending() const { return pending_; }

 private:
  Result<const model::Variable*> check_post(Kind kind, int variable);
  bool awaits_place(int variable) const;
  void order_by_chunks(int variable, Pieces& pieces) const;
  Result<Pieces> pieces_of_records(int variable, const Decomposition& decomposition, int64_t records,
                                   bool reading) const;
  Result<Pieces> free_pieces(const model::Variable& variable, std::span<const Box> boxes, bool growing);
  Result<int64_t> add_request(Kind kind, int variable, Result<Pieces> pieces,
                              const Result<model::ElementType>& memory_type, void* data);
  void place(Request& request) const;
  Status place_late(Request& request) const;
  bool flush_between() const;
  Status move_parts(const AgreedRequests& agreed, const RequestParts& parts, bool flushed);
  Status move_each(const Operations& operations, const std::list<Request>& requests, bool flushed);
  Status get_by_library(const RequestParts& parts);
  Status get_by_library(int variable, const AgreedRequests& agreed, const RequestParts& own);

  Core& core_;
  MoveParts parts_;
  Requests pending_;
  RecentRuns recent_runs_;  // of the boxes of requests
};

}  // namespace scorpio::session
