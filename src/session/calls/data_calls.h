// Puts and gets of whole variables, or records of them, by a decomposition. Collective in order.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <tuple>

#include "session/calls/move_parts.h"
#include "session/state/core.h"
#include "session/state/data_call.h"

namespace scorpio::session {

class DataCalls {
 public:
  DataCalls(Core& core, const MoveParts& parts) : core_(core), parts_(parts) {}

  // `moves` are of different variables, or of different records of them. They are one operation. `arguments`:
  // the failure of a rank that has no valid ones, and takes part in the operation of the others.
  Status put(std::span<const Move> moves, const Decomposition* decomposition, const Status& arguments = {});
  Status get(std::span<const Move> moves, const Decomposition* decomposition, const Status& arguments = {});
  // The text of session/explain/explain.h. Collective.
  Result<std::string> explain(const Result<Move>& move, const Decomposition* decomposition);

 private:
  // The call as this rank checks it, and its hash; the failure if there is no memory for it.
  Result<DataCall> check(std::span<const Move> moves, const Decomposition* decomposition,
                         const Status& arguments, bool reading, uint64_t& hash) const;
  // The steps of a put or get on this rank. `took_part` becomes true when nothing is left to do in the
  // channel; until then the rank, which has failed or has no memory, is to skip the call.
  Status put_checked(Result<DataCall>& checked, uint64_t hash, bool& took_part);
  Status get_checked(Result<DataCall>& checked, MoveAgreement::Get& get, bool& took_part);
  // Moves data between nodes as far as that needs no waiting.
  void pass_on_other_files() const;
  Status take_part(DataCall& call, bool reading) const;
  Status place_first(Result<DataCall>& checked);
  Status refuse(Status status);
  void choose_domains(const DataCall& call);
  void explain_first(const DataCall& call);

  Core& core_;
  MoveParts parts_;
  // The decompositions whose first put was explained, with the size of the elements, and whether the variable
  // is stored in chunks.
  std::set<std::tuple<uint64_t, size_t, bool>> explained_;
};

}  // namespace scorpio::session
