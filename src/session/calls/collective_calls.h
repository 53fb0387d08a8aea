// Puts and gets that all ranks make together. What all ranks know of each other's accesses is moved by
// decompositions, without a request; else the call makes requests, and carries them out itself. Collective in
// order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "session/calls/accesses.h"
#include "session/calls/data_calls.h"
#include "session/calls/request_calls.h"
#include "session/definitions/define_mode.h"
#include "session/elements/known_box.h"
#include "session/state/core.h"

namespace scorpio::session {

// A put of what all ranks know costs no message, and each rank returns its own failures; a get ends with the
// same status on all ranks.
class CollectiveCalls {
 public:
  CollectiveCalls(Core& core, DefineMode& define_mode, DataCalls& data, RequestCalls& requests)
      : core_(core), define_mode_(define_mode), data_(data), requests_(requests) {}

  Status move(const Accesses& accesses);
  // This rank takes part in the same call of the other ranks without accesses; its arguments are invalid.
  Status move_nothing(const Status& arguments);
  // One by a decomposition; that it is null is a failure.
  Status move_part(const Move& move, const Result<const Decomposition*>& by, bool reading);
  // One by hyperslabs that are the same on all ranks. `wrong`: the failure of this rank before the access was
  // examined.
  Status move_known(const Accesses& accesses, size_t i, const Status& wrong);

 private:
  // Each operation is carried out, also if this rank has failed (`arguments`), because the other ranks carry
  // out the same number.
  Status carry_out(std::span<const Move> moves, const Decomposition* decomposition, bool reading,
                   const Status& arguments = {}) {
    return reading ? data_.get(moves, decomposition, arguments) : data_.put(moves, decomposition, arguments);
  }
  Status move_in_order(const Accesses& accesses);
  int64_t records_of(int variable, int64_t record, const Decomposition* decomposition, bool reading) const;
  // Accesses [begin, end), all by one decomposition.
  Status move_parts(const Accesses& accesses, size_t begin, size_t end);
  Status move_records(const Result<Move>& move, const Decomposition& decomposition, int64_t records,
                      bool reading);
  Status add_boxes(const Accesses& accesses, size_t i, std::vector<KnownBox>& known) const;
  Status move_box(KnownBox& box, bool reading);
  Status check_sharing(const Accesses::Given& access) const;
  // The requests that this rank makes in a call.
  struct Posted {
    std::vector<int64_t> own;
    std::vector<int64_t> others;  // accesses that are checked here, and put by another rank
  };
  Status move_as_requests(const Accesses& accesses);
  Status carry_out(Posted& posted, const Status& wrong, const std::string& call);
  Status post(const Accesses& accesses, size_t i, Posted& posted) const;
  Status post_all(const Accesses& accesses, Posted& posted) const;

  Core& core_;
  DefineMode& define_mode_;
  DataCalls& data_;
  RequestCalls& requests_;
};

}  // namespace scorpio::session
