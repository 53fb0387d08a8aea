#include "session/state/file_rounds.h"

namespace scorpio::session {

// After the flush a rank that makes other calls is no longer waited for.
Status FileRounds::encode() {
  if (!in_use() || layout_.chunks() == nullptr || !layout_.chunks()->arena()) return {};
  Status flushed;
  if (!channel_.failed()) flushed = channel_.flush();
  if (here_ != nullptr) here_->encode();
  return flushed;
}

}  // namespace scorpio::session
