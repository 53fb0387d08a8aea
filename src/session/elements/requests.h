// The nonblocking requests of this rank on one file that no wait has carried out yet. The calls that make and
// carry them out are RequestCalls (session/calls/request_calls.h). Local; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "codec/conversion.h"
#include "exchange/copies/flow.h"
#include "session/elements/boxes.h"

namespace scorpio::session {

struct Request {
  int64_t id = 0;
  int variable = -1;
  bool reading = false;
  bool placed = false;      // the parts are set; at its wait if the address of the variable was not final
  bool by_library = false;  // a get that the format's library carries out
  Pieces pieces;
  std::byte* data = nullptr;          // the user's
  model::ElementType memory_type;     // of the data
  codec::Conversion conversion;       // computed anew when the request is placed
  std::vector<exchange::Part> parts;  // point into this request: it stays where it is
  int64_t records = 0;                // one past the last record it puts
  std::vector<std::byte> copy;        // of a buffered put
  uint64_t misfits = 0;
};

class Requests {
 public:
  // Moves the single request of the list here without changing its address, and returns its id. Cannot fail.
  int64_t add(std::list<Request> one);

  bool empty() const { return requests_.empty(); }
  // Removes and returns the requests `ids`, or all of them if `ids` is null, in the order in which they were
  // made. Code::handle if one of them is not pending or is named twice: nothing is removed then.
  Status take(const std::vector<int64_t>* ids, std::list<Request>& taken);
  // Whether none of the requests is pending. Code::handle for a request that was never made.
  Result<bool> gone(const std::vector<int64_t>& ids);
  // Makes requests that take() removed pending again.
  void put_back(std::list<Request> requests);

  // ---- the buffer of buffered puts ----
  Status attach(uint64_t bytes);
  // Code::state if puts are pending in it.
  Status detach();
  // Whether the buffer has space for a put of this size; otherwise the failure.
  Status check_room(uint64_t bytes) const;
  void release(uint64_t bytes) { used_bytes_ -= bytes; }
  uint64_t attached_bytes() const { return attached_bytes_; }
  uint64_t used_bytes() const { return used_bytes_; }

 private:
  void index();

  std::list<Request> requests_;  // in the order of their ids
  int64_t next_id_ = 1;
  // Of the requests up to `last_indexed_`; the others get there when a call names some.
  std::unordered_map<int64_t, std::list<Request>::iterator> by_id_;
  int64_t last_indexed_ = 0;
  bool attached_ = false;
  uint64_t attached_bytes_ = 0;
  uint64_t used_bytes_ = 0;
};

}  // namespace scorpio::session
