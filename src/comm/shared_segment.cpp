#include "comm/shared_segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "base/file_size_signal.h"
#include "comm/agree.h"
#include "comm/memory_limit.h"

namespace scorpio::comm {

namespace {

struct Mapping {
  std::byte* data = nullptr;
  int descriptor = -1;
  std::string name;
};

Status no_memory(size_t bytes, const char* step, int error) {
  return failure(
      Code::memory,
      "{} bytes of shared staging memory could not be allocated ({}: {}); enlarge /dev/shm, lower option "
      "staging_bytes, or set exchange=messages",
      bytes, step, std::strerror(error));
}

Status above_limit(size_t bytes) {
  return failure(Code::memory,
                 "{} bytes of shared staging memory are more than the limit on file sizes allows; raise it "
                 "(ulimit -f), lower option staging_bytes, or set exchange=messages",
                 bytes);
}

// As posix_fallocate() from the beginning. A signal ends that without a result, and the system gives back
// what it had reserved: under a timer that is faster than one call for all bytes, pieces are reserved
// instead. The first call has found then that there is room for all of them.
int reserve_pages(int descriptor, size_t bytes) {
  constexpr size_t k_piece = size_t{16} << 20;
  int error = posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  if (error != EINTR) return error;
  for (size_t begin = 0; begin < bytes; begin += k_piece) {
    const size_t length = std::min(k_piece, bytes - begin);
    do {
      error = posix_fallocate(descriptor, static_cast<off_t>(begin), static_cast<off_t>(length));
    } while (error == EINTR);
    if (error != 0) return error;
  }
  return 0;
}

// Also reserves the pages, so that a tmpfs that is too small fails here and not at the first access to a
// page.
Status make_object(size_t bytes, Mapping& out) {
  std::random_device random;
  out.name = fmt::format("/scorpio-{}-{:08x}{:08x}", getpid(), random(), random());
  out.descriptor = shm_open(out.name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (out.descriptor < 0) return no_memory(bytes, "shm_open", errno);
  const FileSizeSignalHeld held;  // the limit on file sizes applies to such memory
  const int error = reserve_pages(out.descriptor, bytes);
  if (error == EFBIG) return above_limit(bytes);
  return error == 0 ? Status() : no_memory(bytes, "posix_fallocate", error);
}

Status map_object(size_t bytes, Mapping& out) {
  if (out.descriptor < 0) {
    out.descriptor = shm_open(out.name.c_str(), O_RDWR | O_CLOEXEC, 0600);
    if (out.descriptor < 0) return no_memory(bytes, "shm_open of another rank's segment", errno);
  }
  void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, out.descriptor, 0);
  if (address == MAP_FAILED) return no_memory(bytes, "mmap", errno);
  out.data = static_cast<std::byte*>(address);
  return {};
}

Status map_private(size_t bytes, Mapping& out) {
  void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return no_memory(bytes, "mmap", errno);
  out.data = static_cast<std::byte*>(address);
  return {};
}

// Ranks that MPI reports on one node may have different /dev/shm (containers): the leader writes a number,
// which each rank must find.
Status check_really_shared(const Communicator& node, Mapping& mapping) {
  auto& word = *reinterpret_cast<std::atomic<uint64_t>*>(mapping.data);
  int64_t number = 0;
  if (node.rank() == 0) {
    number = static_cast<int64_t>(std::random_device()()) + 1;
    word.store(static_cast<uint64_t>(number));
  }
  SCORPIO_TRY(node.broadcast({&number, 1}, 0));
  const bool found = word.load() == static_cast<uint64_t>(number);
  const Status seen = found ? Status()
                            : failure(Code::memory,
                                      "ranks that MPI places on one node do not share /dev/shm; run their "
                                      "containers with one, or set exchange=messages");
  SCORPIO_TRY(agree(node, seen));
  if (node.rank() == 0) word.store(0);
  return node.barrier();
}

Status create_shared(const Communicator& node, size_t bytes, Mapping& mapping) {
  Status made = node.rank() == 0 ? make_object(bytes, mapping) : Status();
  SCORPIO_TRY(agree(node, made));
  std::array<int64_t, 12> name{};
  if (node.rank() == 0) std::memcpy(name.data(), mapping.name.data(), mapping.name.size());
  SCORPIO_TRY(node.broadcast(name, 0));
  mapping.name = reinterpret_cast<const char*>(name.data());
  SCORPIO_TRY(agree(node, map_object(bytes, mapping)));
  return check_really_shared(node, mapping);
}

}  // namespace

SharedSegment::SharedSegment(SharedSegment&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

SharedSegment& SharedSegment::operator=(SharedSegment&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SharedSegment::~SharedSegment() {
  if (data_ != nullptr) munmap(data_, size_);
}

Result<SharedSegment> SharedSegment::create(const Communicator& node, size_t bytes) {
  Mapping mapping;
  Status room = node.rank() == 0 ? check_memory_limit(bytes) : Status();
  SCORPIO_TRY(agree(node, room));
  Status status = node.size() == 1 ? map_private(bytes, mapping) : create_shared(node, bytes, mapping);
  if (node.rank() == 0 && !mapping.name.empty()) shm_unlink(mapping.name.c_str());
  if (mapping.descriptor >= 0) ::close(mapping.descriptor);
  if (!status.ok()) {
    if (mapping.data != nullptr) munmap(mapping.data, bytes);
    return status;
  }
  return SharedSegment(mapping.data, bytes);
}

}  // namespace scorpio::comm
