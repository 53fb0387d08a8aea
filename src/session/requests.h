// What this rank has posted and not yet waited for. Local; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <span>
#include <vector>

#include "base/result.h"
#include "codec/conversion.h"
#include "exchange/flow.h"
#include "session/boxes.h"

namespace scorpio::session {

struct Request {
  int64_t id = 0;
  int variable = -1;
  bool reading = false;
  bool placed = false;      // the parts are known; those of a request made in define mode only at its wait
  bool by_library = false;  // it is the format's library that reads the variable
  Pieces pieces;
  std::byte* data = nullptr;  // the user's
  codec::Conversion conversion;
  std::vector<exchange::Part> parts;  // point into this request: it stays where it is
  int64_t records = 0;                // one past the last record it puts
  std::vector<std::byte> copy;        // of a buffered put
  uint64_t misfits = 0;
};

class Requests {
 public:
  // Takes the one request of the list, which stays where it is, and gives it its id. Cannot fail.
  int64_t add(std::list<Request> one);

  bool empty() const { return requests_.empty(); }
  // Those asked for, in the order of posting; all of them when `ids` is null. Code::handle when one does not
  // exist (again): nothing is taken then.
  Status take(const std::vector<int64_t>* ids, std::list<Request>& taken);
  // Whether all of them were posted once and are not any more. Code::handle for one that never was posted.
  Result<bool> gone(const std::vector<int64_t>& ids) const;
  // What was taken is posted as before.
  void put_back(std::list<Request> requests);

  // ---- the buffer of buffered puts ----
  Status attach(uint64_t bytes);
  // Code::state while puts are in it.
  Status detach();
  // For a put of so many bytes.
  Status check_room(uint64_t bytes) const;
  void release(uint64_t bytes) { used_bytes_ -= bytes; }
  uint64_t attached_bytes() const { return attached_bytes_; }
  uint64_t used_bytes() const { return used_bytes_; }

 private:
  std::list<Request> requests_;
  int64_t next_id_ = 1;
  bool attached_ = false;
  uint64_t attached_bytes_ = 0;
  uint64_t used_bytes_ = 0;
};

}  // namespace scorpio::session
