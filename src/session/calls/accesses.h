// The accesses of a collective put or get, as the caller passes them on this rank. Local; borrowed by the
// call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "session/calls/request_calls.h"
#include "session/elements/boxes.h"
#include "session/iosystem/decomposition.h"
#include "session/state/data_call.h"

namespace scorpio::session {

// Functions that return a status fail if the fields of the access contradict each other.
class Accesses {
 public:
  Accesses(size_t size, bool reading) : size_(size), reading_(reading) {}
  virtual ~Accesses() = default;
  Accesses(const Accesses&) = delete;
  Accesses& operator=(const Accesses&) = delete;

  size_t size() const { return size_; }
  bool reading() const { return reading_; }

  // Which ranks have the elements of an access by hyperslabs. A caller may pass other values.
  enum class Sharing : int { each_rank, all_ranks, one_rank };
  // The values that say how many operations an access is, valid or not.
  struct Given {
    int variable = -1;
    int64_t record = 0;
    const void* by = nullptr;  // the caller's decomposition, which may have been released; null: hyperslabs
    Sharing sharing = Sharing::each_rank;
    int root = 0;
  };
  virtual Given given(size_t i) const = 0;
  // The decomposition; null: none. A failure if it has been released.
  virtual Result<const Decomposition*> decomposition(size_t i) const = 0;
  // Of hyperslabs without their location in the variable.
  virtual Result<Move> move(size_t i) const = 0;
  // The hyperslabs.
  virtual Result<std::vector<Box>> boxes(size_t i) const = 0;
  // Makes the access a request of this rank; returns its id.
  virtual Result<int64_t> post(size_t i) const = 0;

 private:
  size_t size_;
  bool reading_;
};

}  // namespace scorpio::session
