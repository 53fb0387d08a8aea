#include "session/elements/requests.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace scorpio::session {

int64_t Requests::add(std::list<Request> one) {
  Request& request = one.front();
  request.id = next_id_++;
  used_bytes_ += request.copy.size();
  requests_.splice(requests_.end(), one);
  return request.id;
}

Status Requests::take(const std::vector<int64_t>* ids, std::list<Request>& taken) {
  if (ids == nullptr) {
    taken.splice(taken.end(), requests_);
    by_id_.clear();
    return {};
  }
  index();
  std::set<int64_t> wanted;
  for (const int64_t id : *ids) {
    if (!by_id_.contains(id)) {
      return failure(Code::handle, "request {} does not exist; it was completed, cancelled or never made",
                     id);
    }
    if (!wanted.insert(id).second)
      return failure(Code::handle, "request {} is named twice; name it once", id);
  }
  for (const int64_t id : wanted) {
    const auto at = by_id_.find(id);
    taken.splice(taken.end(), requests_, at->second);
    by_id_.erase(at);
  }
  return {};
}

// Calls that name a few of many requests, one after the other, look at each of them once.
void Requests::index() {
  for (auto at = requests_.end(); at != requests_.begin() && std::prev(at)->id > last_indexed_;) {
    --at;
    by_id_.emplace(at->id, at);
  }
  last_indexed_ = next_id_ - 1;
}

Result<bool> Requests::gone(const std::vector<int64_t>& ids) {
  index();
  for (const int64_t id : ids) {
    if (id < 1 || id >= next_id_)
      return failure(Code::handle, "request {} does not exist; it was never made", id);
  }
  return std::none_of(ids.begin(), ids.end(), [&](int64_t id) { return by_id_.contains(id); });
}

void Requests::put_back(std::list<Request> requests) {
  requests_.merge(requests, [](const Request& a, const Request& b) { return a.id < b.id; });
  by_id_.clear();
  last_indexed_ = 0;
}

Status Requests::attach(uint64_t bytes) {
  if (attached_) {
    return failure(Code::state, "a buffer of {} bytes is attached already; detach it first", attached_bytes_);
  }
  attached_ = true;
  attached_bytes_ = bytes;
  return {};
}

Status Requests::detach() {
  if (!attached_) return failure(Code::state, "no buffer is attached; scorpio_buffer_attach attaches one");
  if (used_bytes_ > 0) {
    return failure(Code::state, "{} bytes of the buffer hold puts that are pending; call scorpio_wait before",
                   used_bytes_);
  }
  attached_ = false;
  attached_bytes_ = 0;
  return {};
}

Status Requests::check_room(uint64_t bytes) const {
  if (!attached_)
    return failure(Code::state, "a buffered put needs an attached buffer; call scorpio_buffer_attach before");
  if (bytes > attached_bytes_ - used_bytes_) {
    return failure(Code::limit,
                   "a put of {} bytes does not fit the attached buffer: {} of {} bytes are in use; wait for "
                   "earlier puts or attach a larger one",
                   bytes, used_bytes_, attached_bytes_);
  }
  return {};
}

}  // namespace scorpio::session
