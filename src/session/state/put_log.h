// The puts that a rank has made since the last synchronisation point. If ranks have made different puts, the
// log determines the first one that differs. Local; explain() is collective.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "comm/group.h"
#include "model/variables.h"
#include "session/state/data_call.h"

namespace scorpio::session {

class PutLog {
 public:
  // `hash`: of all arguments that must be the same on all ranks. `call` is null if the put failed on this
  // rank.
  void add(uint64_t hash, const DataCall* call);
  // The hash of all puts since the file was opened, in their order.
  uint64_t hash() const { return hash_; }
  // At a synchronisation point at which the hashes are equal: the log begins again.
  void start_again();

  // Collective, where the hashes differ: Code::mismatch, with the first put that is not the same on the
  // lowest rank that differs from rank 0, and on rank 0. Costs an agreement for each bit of the number of
  // puts.
  Status explain(const comm::Group& comm, const model::Variables& variables) const;

 private:
  void keep(const DataCall* call);
  struct Put {
    uint64_t hash_after = 0;  // as hash()
    bool refused = false;
    uint64_t decomposition = 0;  // its number
    size_t first_move = 0, moves = 0;
  };
  struct Target {
    int variable = -1;
    int64_t record = 0;
    std::array<unsigned char, 8> fill{};  // its first bytes
    size_t fill_bytes = 0;
  };
  uint64_t hash_after(uint64_t puts) const;
  std::string describe(uint64_t put, const model::Variables& variables) const;

  uint64_t hash_ = 0;
  uint64_t before_ = 0;  // hash_ at the last synchronisation point
  uint64_t number_ = 0;  // number of puts since then
  std::vector<Put> puts_;
  std::vector<Target> targets_;            // those of all puts, one put after the other
  std::map<uint64_t, std::string> names_;  // of the decompositions that have one, by number
};

}  // namespace scorpio::session
