#include "session/mirrors.h"

#include <utility>

#include "format/hdf5/hdf5_file.h"

namespace scorpio::session {

Status Mirrors::check_unkept(const std::string& path) {
  uint64_t unkept = current_ == nullptr ? 0 : current_->unkept_bytes();
  for (const auto& mirror : in_use_) unkept += mirror->unkept_bytes();
  if (unkept == 0) return {};
  return failure(Code::state,
                 "{} bytes of data (or variable-length strings) were written to {} through the HDF5 id of an "
                 "I/O rank that only mirrors the file; they are in no file. Write them through the id of the "
                 "first I/O rank",
                 unkept, path);
}

// Ids that nobody uses any more are closed.
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

Status Mirrors::refresh(transfer::DataFile& file, const std::string& path, bool writable) {
  const Status kept = check_unkept(path);
  SCORPIO_TRY(first_failure(kept, retire()));
  SCORPIO_ASSIGN(auto stored, file.share());
  SCORPIO_ASSIGN(current_, format::open_hdf5_mirror(std::move(stored), path, writable));
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
