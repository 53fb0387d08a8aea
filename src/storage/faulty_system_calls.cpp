#include "storage/faulty_system_calls.h"

#include <algorithm>
#include <cerrno>

namespace scorpio::storage {
namespace {

// A short transfer has at least one byte.
size_t half(size_t count) { return std::max<size_t>(count / 2, 1); }

}  // namespace

bool FaultySystemCalls::fails(Operation operation) {
  const auto fault = plan_->next(operation);
  if (!fault) return false;
  if (fault->effect == Effect::kill || fault->effect == Effect::torn) kill_this_process();
  // Only transfers can be short: such a rule makes other calls fail.
  errno = fault->effect == Effect::shortened ? EIO : fault->error;
  return true;
}

int FaultySystemCalls::open(const char* path, int flags, mode_t mode) {
  return fails(Operation::open) ? -1 : SystemCalls::open(path, flags, mode);
}

ssize_t FaultySystemCalls::pread(int descriptor, void* bytes, size_t count, off_t offset) {
  const auto fault = plan_->next(Operation::read);
  if (!fault) return SystemCalls::pread(descriptor, bytes, count, offset);
  if (fault->effect == Effect::shortened) return SystemCalls::pread(descriptor, bytes, half(count), offset);
  if (fault->effect != Effect::error) kill_this_process();
  errno = fault->error;
  return -1;
}

// A part of the first range is written where a part of all would be.
ssize_t FaultySystemCalls::pwritev(int descriptor, const struct iovec* parts, int count, off_t offset) {
  const auto fault = plan_->next(Operation::write);
  if (!fault) return SystemCalls::pwritev(descriptor, parts, count, offset);
  if (fault->effect == Effect::kill) kill_this_process();
  if (fault->effect == Effect::error) {
    errno = fault->error;
    return -1;
  }
  const struct iovec part = {parts->iov_base, half(parts->iov_len)};
  const ssize_t done = SystemCalls::pwritev(descriptor, &part, 1, offset);
  if (fault->effect == Effect::torn) kill_this_process();
  return done;
}

int FaultySystemCalls::ftruncate(int descriptor, off_t size) {
  return fails(Operation::truncate) ? -1 : SystemCalls::ftruncate(descriptor, size);
}

int FaultySystemCalls::fsync(int descriptor) {
  return fails(Operation::sync) ? -1 : SystemCalls::fsync(descriptor);
}

int FaultySystemCalls::close(int descriptor) {
  const bool failed = fails(Operation::close);
  const int error = errno;
  const int outcome = SystemCalls::close(descriptor);
  if (!failed) return outcome;
  errno = error;
  return -1;
}

int FaultySystemCalls::rename(const char* from, const char* to) {
  return fails(Operation::rename) ? -1 : SystemCalls::rename(from, to);
}

int FaultySystemCalls::rename_new(const char* from, const char* to) {
  return fails(Operation::rename) ? -1 : SystemCalls::rename_new(from, to);
}

int FaultySystemCalls::exchange(const char* one, const char* other) {
  return fails(Operation::rename) ? -1 : SystemCalls::exchange(one, other);
}

int FaultySystemCalls::link(const char* from, const char* to) {
  return fails(Operation::rename) ? -1 : SystemCalls::link(from, to);
}

int FaultySystemCalls::unlink(const char* path) {
  return fails(Operation::remove) ? -1 : SystemCalls::unlink(path);
}

int FaultySystemCalls::make_folder(const char* path, mode_t mode) {
  return fails(Operation::mkdir) ? -1 : SystemCalls::make_folder(path, mode);
}

int FaultySystemCalls::remove_empty_folder(const char* path) {
  return fails(Operation::remove) ? -1 : SystemCalls::remove_empty_folder(path);
}

int FaultySystemCalls::list(const char* path, std::vector<FolderEntry>* entries) {
  return fails(Operation::list) ? -1 : SystemCalls::list(path, entries);
}

int FaultySystemCalls::lock(int descriptor) {
  return fails(Operation::lock) ? -1 : SystemCalls::lock(descriptor);
}

}  // namespace scorpio::storage
