#include "storage/posix_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <utility>

#include "base/checked.h"
#include "observe/counters_here.h"
#include "storage/file_system_facts.h"
#include "storage/system_error.h"

namespace scorpio::storage {
namespace {

// Linux transfers at most 2 GiB - 4 KiB in a call; with a round number below it the pieces stay aligned.
constexpr size_t k_piece_bytes = size_t{1} << 30;
constexpr uint64_t k_max_file_bytes = static_cast<uint64_t>(std::numeric_limits<off_t>::max());

Status check_end(const std::string& path, uint64_t bytes, uint64_t offset) {
  const auto end = checked_add(offset, bytes);
  if (end && *end <= k_max_file_bytes) return {};
  return failure(Code::limit, "{} bytes at offset {} of {} end beyond {}, the largest possible file size",
                 bytes, offset, path, k_max_file_bytes);
}

// The error codes by which file systems report that they have no such locks.
bool lacks_locks(int error) {
  return error == ENOLCK || error == ENOTSUP || error == EOPNOTSUPP || error == EINVAL || error == ENOSYS;
}

// The error codes by which file systems report that they do not know the holes of a file.
bool lacks_holes(int error) {
  return error == EINVAL || error == ENOTSUP || error == EOPNOTSUPP || error == ENOSYS;
}

using Vectors = std::array<struct iovec, k_most_parts>;

// What one system call is asked to write.
struct OneWrite {
  int vectors = 0;
  uint64_t bytes = 0;
};

// Begins at byte `written` of the first part; the last part is cut where the piece ends.
OneWrite next_write(Parts parts, uint64_t written, Vectors& vectors) {
  OneWrite write;
  for (size_t i = 0; i < std::min(parts.size(), vectors.size()) && write.bytes < k_piece_bytes; ++i) {
    const std::span<const std::byte> rest = parts[i].subspan(i == 0 ? written : 0);
    const size_t bytes = std::min<size_t>(rest.size(), k_piece_bytes - write.bytes);
    vectors[i] = {const_cast<std::byte*>(rest.data()), bytes};
    write.bytes += bytes;
    ++write.vectors;
  }
  return write;
}

}  // namespace

PosixFile::~PosixFile() {
  if (descriptor_ >= 0) release();
}

// A child process of the program has a copy of the descriptor, with which the lock would last as long as the
// child.
int PosixFile::release() {
  const int descriptor = std::exchange(descriptor_, -1);
  if (std::exchange(locked_, false)) calls_->unlock(descriptor);
  return calls_->close(descriptor);
}

Status PosixFile::check_open() const { return descriptor_ >= 0 ? Status() : closed_failure(path_); }

Status PosixFile::check_writable() const {
  SCORPIO_TRY(check_open());
  return writable_ ? Status() : read_only_failure(path_);
}

void PosixFile::count_retry() {
  if (counters_ != nullptr) observe::add(observe::counters_here(*counters_).retries, 1);
}

Status PosixFile::write_at(std::span<const std::byte> bytes, uint64_t offset) {
  return write_parts(Parts(&bytes, 1), offset);
}

Status PosixFile::write_parts(Parts parts, uint64_t offset) {
  SCORPIO_TRY(check_writable());
  uint64_t left = total_bytes(parts);
  SCORPIO_TRY(check_end(path_, left, offset));
  Vectors vectors;
  for (uint64_t written = 0; left > 0;) {  // bytes of the first part
    for (; written >= parts.front().size(); parts = parts.subspan(1)) written -= parts.front().size();
    const OneWrite write = next_write(parts, written, vectors);
    const ssize_t done =
        calls_->pwritev(descriptor_, vectors.data(), write.vectors, static_cast<off_t>(offset));
    if (done < 0 && errno != EINTR) return transfer_failure("write", path_, offset, left, errno);
    if (done == 0) return transfer_failure("write", path_, offset, left, EIO);
    if (done < 0 || static_cast<uint64_t>(done) < write.bytes) count_retry();
    if (done < 0) continue;
    offset += static_cast<uint64_t>(done);
    left -= static_cast<uint64_t>(done);
    written += static_cast<uint64_t>(done);
  }
  return {};
}

Result<size_t> PosixFile::read_at(std::span<std::byte> bytes, uint64_t offset) {
  SCORPIO_TRY(check_open());
  SCORPIO_TRY(check_end(path_, bytes.size(), offset));
  size_t total = 0;
  while (total < bytes.size()) {
    const size_t wanted = std::min(bytes.size() - total, k_piece_bytes);
    const ssize_t done =
        calls_->pread(descriptor_, bytes.data() + total, wanted, static_cast<off_t>(offset + total));
    if (done == 0) break;
    if (done < 0 && errno != EINTR) {
      return transfer_failure("read", path_, offset + total, bytes.size() - total, errno);
    }
    if (done < 0) count_retry();
    total += done < 0 ? 0 : static_cast<size_t>(done);
  }
  return total;
}

Result<uint64_t> PosixFile::size() {
  SCORPIO_TRY(check_open());
  struct stat facts = {};
  if (calls_->fstat(descriptor_, &facts) != 0) return system_failure("get the size of", path_, errno);
  return static_cast<uint64_t>(facts.st_size);
}

Result<uint64_t> PosixFile::allocated_bytes() {
  SCORPIO_TRY(check_open());
  constexpr uint64_t k_unit_bytes = 512;  // the unit of st_blocks on every file system
  struct stat facts = {};
  if (calls_->fstat(descriptor_, &facts) != 0) return system_failure("get the size of", path_, errno);
  return static_cast<uint64_t>(facts.st_blocks) * k_unit_bytes;
}

Result<ByteRange> PosixFile::next_data(uint64_t offset) {
  SCORPIO_ASSIGN(const uint64_t end, size());
  if (offset >= end) return ByteRange{end, end};
  const off_t begin = calls_->seek(descriptor_, static_cast<off_t>(offset), SEEK_DATA);
  if (begin < 0 && errno == ENXIO) return ByteRange{end, end};
  if (begin < 0 && lacks_holes(errno)) return ByteRange{offset, end};
  if (begin < 0) return system_failure("look for holes in", path_, errno);
  const off_t hole = calls_->seek(descriptor_, begin, SEEK_HOLE);
  if (hole < 0) return system_failure("look for holes in", path_, errno);
  const auto from = static_cast<uint64_t>(begin), to = static_cast<uint64_t>(hole);
  return ByteRange{from, to > from && to < end ? to : std::max(from, end)};
}

Status PosixFile::truncate(uint64_t size) {
  SCORPIO_TRY(check_writable());
  SCORPIO_TRY(check_end(path_, size, 0));
  int outcome = 0;
  do {
    outcome = calls_->ftruncate(descriptor_, static_cast<off_t>(size));
  } while (outcome != 0 && errno == EINTR);
  return outcome == 0 ? Status() : system_failure(fmt::format("set the size to {} of", size), path_, errno);
}

Status PosixFile::sync() {
  SCORPIO_TRY(check_open());
  return calls_->sync(descriptor_) == 0 ? Status() : system_failure("sync", path_, errno);
}

Status PosixFile::lock_exclusive() {
  SCORPIO_TRY(check_writable());
  int outcome = 0;
  do {
    outcome = calls_->lock(descriptor_);
  } while (outcome != 0 && errno == EINTR);
  locked_ = locked_ || outcome == 0;
  if (outcome == 0 || lacks_locks(errno)) return {};
  if (errno != EAGAIN && errno != EACCES) return system_failure("lock", path_, errno);
  return failure(
      Code::busy,
      "{} is locked: another run, or another handle of this one, is writing it; wait for that run to "
      "end, close that handle, call scorpio_iosystem_wait where its close was posted through another I/O "
      "system, or choose another name",
      path_);
}

Result<bool> PosixFile::is_locked_by_other() {
  SCORPIO_TRY(check_open());
  bool locked = false;
  int outcome = 0;
  do {
    outcome = calls_->is_locked_by_other(descriptor_, &locked);
  } while (outcome != 0 && errno == EINTR);
  if (outcome == 0) return locked;
  if (lacks_locks(errno)) return false;
  return system_failure("look for locks of", path_, errno);
}

Result<bool> PosixFile::is_at(const std::string& path) {
  SCORPIO_TRY(check_open());
  struct stat mine = {};
  struct stat named = {};
  if (calls_->fstat(descriptor_, &mine) != 0) return system_failure("examine", path_, errno);
  if (calls_->stat(path.c_str(), &named) != 0) {
    if (errno == ENOENT) return false;
    return system_failure("examine", path, errno);
  }
  return mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

Result<FileSystemFacts> PosixFile::facts() {
  SCORPIO_TRY(check_open());
  return file_system_facts(descriptor_, path_);
}

// Linux flushes a file whenever one of its descriptors is closed, and returns the failures of writes there
// (nfs_file_flush, fuse_flush, ll_flush, cifs_flush). A copy of the descriptor shares the open file, whose
// lock (F_OFD_SETLK, flock) ends only with the last copy.
Status PosixFile::check_close() {
  SCORPIO_TRY(check_open());
  for (;;) {
    const int copy = calls_->duplicate(descriptor_);
    if (copy < 0 && (errno == EMFILE || errno == ENFILE))
      return sync();  // reports the same, but takes longer
    if (copy < 0) return system_failure("copy the descriptor of", path_, errno);
    if (calls_->close(copy) == 0) return {};
    if (errno != EINTR) return system_failure("close", path_, errno);
  }
}

Status PosixFile::close() {
  SCORPIO_TRY(check_open());
  // After EINTR Linux has released the descriptor: a second close could close another thread's new file.
  if (release() == 0 || errno == EINTR) return {};
  return system_failure("close", path_, errno);
}

}  // namespace scorpio::storage
