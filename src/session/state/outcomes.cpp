#include "session/state/outcomes.h"

#include <utility>

#include "base/current_call.h"

namespace scorpio::session {

Status Outcomes::note(Status status) {
  const bool free = earlier_.failed.ok() || earlier_.failed.code() == Code::range;
  if (!status.ok() && free && status.code() != Code::aborted) earlier_.failed = in_call(status);
  return status;
}

void Outcomes::refuse(const Status& status) {
  if (earlier_.refused.ok()) earlier_.refused = in_call(status);
}

Status Outcomes::with_earlier(const Status& status) const {
  if (!harmless(status.code()) && status.code() != Code::aborted) return status;
  if (!harmless(earlier_.failed.code())) return earlier_.failed;
  if (!earlier_.refused.ok()) return earlier_.refused;
  return first_failure(status, earlier_.failed);
}

void Outcomes::told(const Status& agreed) {
  const bool clipped = harmless(earlier_.failed.code());
  if (clipped && earlier_.failed.code() == agreed.code()) earlier_.failed = {};
  if (earlier_.refused.code() == agreed.code()) earlier_.refused = {};
}

Outcomes::Earlier Outcomes::take() { return std::exchange(earlier_, {}); }

void Outcomes::definition_failed(const Status& why) { failed_definition_ = in_call(why); }

}  // namespace scorpio::session
