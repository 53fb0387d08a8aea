#include "session/state/mirrors.h"

#include <utility>

namespace scorpio::session {

Status Mirrors::check_unkept(const std::string& path) {
  uint64_t unkept = current_ == nullptr ? 0 : current_->unkept_bytes();
  for (const auto& mirror : in_use_) unkept += mirror->unkept_bytes();
  return unkept == 0 ? Status() : format::unkept_by_mirrors(path, unkept);
}

// Closes the ids through which the application has no object open.
Status Mirrors::retire() {
  if (current_ != nullptr) in_use_.push_back(std::move(current_));
  Status status;
  std::erase_if(in_use_, [&status](const auto& mirror) {
    if (mirror->in_use()) return false;
    status = first_failure(status, mirror->close());
    return true;
  });
  return status;
}

Status Mirrors::refresh(const format::LiveLibrary& library, storage::DataAccess& data,
                        const std::string& path, bool writable) {
  const Status kept = check_unkept(path);
  SCORPIO_TRY(first_failure(kept, retire()));
  SCORPIO_ASSIGN(auto stored, data.share());
  SCORPIO_ASSIGN(current_, library.open_mirror(std::move(stored), path, writable));
  return {};
}

Result<int64_t> Mirrors::library_id() {
  if (current_ == nullptr) return int64_t{-1};
  return current_->library_id();
}

Status Mirrors::close() {
  if (current_ != nullptr) in_use_.push_back(std::move(current_));
  Status status;
  for (const auto& mirror : in_use_) status = first_failure(status, mirror->close());
  in_use_.clear();
  return status;
}

}  // namespace scorpio::session
