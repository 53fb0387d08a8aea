#include "comm/communicator.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "comm/deadline.h"
#include "comm/pause.h"

namespace scorpio::comm {

namespace {

// MPI counts are int: longer messages are sent in pieces of this number of bytes.
constexpr size_t k_piece_bytes = size_t{1} << 30;

Result<int> to_count(size_t n, const char* call) {
  if (n > static_cast<size_t>(std::numeric_limits<int>::max())) {
    return failure(Code::limit, "{}: {} elements from one rank exceed MPI's int counts; use more ranks", call,
                   n);
  }
  return static_cast<int>(n);
}

struct Layout {
  std::vector<int> counts;
  std::vector<int> displacements;
  size_t total = 0;
};

Result<Layout> layout_of(const std::vector<int64_t>& counts, const char* call) {
  Layout layout;
  for (const int64_t n : counts) {
    SCORPIO_ASSIGN(const int at, to_count(layout.total, call));
    SCORPIO_ASSIGN(const int count, to_count(static_cast<size_t>(n), call));
    layout.displacements.push_back(at);
    layout.counts.push_back(count);
    layout.total += static_cast<size_t>(n);
  }
  return layout;
}

}  // namespace

Status mpi_status(int mpi_code, const char* call) {
  if (mpi_code == MPI_SUCCESS) return {};
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(mpi_code, text, &length);
  return failure(Code::mpi, "{} failed: {}", call, text);
}

Communicator::Communicator(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

Communicator::Communicator(Communicator&& other) noexcept
    : comm_(std::exchange(other.comm_, MPI_COMM_NULL)),
      rank_(other.rank_),
      size_(other.size_),
      meeting_(std::exchange(other.meeting_, nullptr)),
      reductions_(std::exchange(other.reductions_, nullptr)),
      reductions_ns_(std::exchange(other.reductions_ns_, nullptr)),
      work_(std::exchange(other.work_, nullptr)),
      longest_wait_(other.longest_wait_),
      calls_(std::move(other.calls_)) {}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  comm_ = std::exchange(other.comm_, MPI_COMM_NULL);
  rank_ = other.rank_;
  size_ = other.size_;
  meeting_ = std::exchange(other.meeting_, nullptr);
  reductions_ = std::exchange(other.reductions_, nullptr);
  reductions_ns_ = std::exchange(other.reductions_ns_, nullptr);
  work_ = std::exchange(other.work_, nullptr);
  longest_wait_ = other.longest_wait_;
  calls_ = std::move(other.calls_);
  return *this;
}

Result<Communicator> Communicator::duplicate(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  SCORPIO_TRY(mpi_status(MPI_Comm_dup(comm, &copy), "MPI_Comm_dup"));
  return Communicator(copy);
}

Result<Communicator> Communicator::split(int color, int key) const {
  MPI_Comm part = MPI_COMM_NULL;
  SCORPIO_TRY(mpi_status(MPI_Comm_split(comm_, color, key, &part), "MPI_Comm_split"));
  Communicator split(part);
  split.longest_wait_ = longest_wait_;
  return split;
}

Result<Communicator> Communicator::split_by_shared_memory() const {
  MPI_Comm part = MPI_COMM_NULL;
  SCORPIO_TRY(mpi_status(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &part),
                         "MPI_Comm_split_type"));
  Communicator split(part);
  split.longest_wait_ = longest_wait_;
  return split;
}

Result<Communicator> Communicator::alone() const {
  SCORPIO_ASSIGN(Communicator self, duplicate(MPI_COMM_SELF));
  self.longest_wait_ = longest_wait_;
  return self;
}

// Polls, because blocking MPI calls use the core while they wait.
Status Communicator::finish(int started, MPI_Request* request, const char* call,
                            const std::function<void()>* work) const {
  SCORPIO_TRY(mpi_status(started, call));
  const Deadline deadline(longest_wait_);
  for (Pause pause;; pause.rest()) {
    int done = 0;
    SCORPIO_TRY(mpi_status(MPI_Test(request, &done, MPI_STATUS_IGNORE), call));
    if (done != 0) return {};
    if (work != nullptr) (*work)();
    deadline.check();
  }
}

Status Communicator::free() {
  if (comm_ == MPI_COMM_NULL) return {};
  return mpi_status(MPI_Comm_free(&comm_), "MPI_Comm_free");
}

Result<std::vector<int64_t>> Communicator::all_gather(std::span<const int64_t> own) const {
  SCORPIO_TRY(parted());
  std::vector<int64_t> all(own.size() * static_cast<size_t>(size_));
  MPI_Request request = MPI_REQUEST_NULL;
  const int count = static_cast<int>(own.size());
  SCORPIO_TRY(
      finish(MPI_Iallgather(own.data(), count, MPI_INT64_T, all.data(), count, MPI_INT64_T, comm_, &request),
             &request, "MPI_Iallgather"));
  return all;
}

Result<std::vector<int64_t>> Communicator::all_gather_parts(std::span<const int64_t> own) const {
  const int64_t n = static_cast<int64_t>(own.size());
  SCORPIO_ASSIGN(const std::vector<int64_t> counts, all_gather({&n, 1}));
  SCORPIO_ASSIGN(const Layout layout, layout_of(counts, "MPI_Iallgatherv"));
  std::vector<int64_t> all(layout.total);
  MPI_Request request = MPI_REQUEST_NULL;
  SCORPIO_TRY(
      finish(MPI_Iallgatherv(own.data(), static_cast<int>(n), MPI_INT64_T, all.data(), layout.counts.data(),
                             layout.displacements.data(), MPI_INT64_T, comm_, &request),
             &request, "MPI_Iallgatherv"));
  return all;
}

Result<std::vector<std::vector<int64_t>>> Communicator::all_to_all(
    const std::vector<std::vector<int64_t>>& parts) const {
  SCORPIO_TRY(parted());
  std::vector<int64_t> send_counts, receive_counts(parts.size()), packed;
  for (const auto& part : parts) {
    send_counts.push_back(static_cast<int64_t>(part.size()));
    packed.insert(packed.end(), part.begin(), part.end());
  }
  MPI_Request request = MPI_REQUEST_NULL;
  SCORPIO_TRY(finish(MPI_Ialltoall(send_counts.data(), 1, MPI_INT64_T, receive_counts.data(), 1, MPI_INT64_T,
                                   comm_, &request),
                     &request, "MPI_Ialltoall"));
  SCORPIO_ASSIGN(const Layout send, layout_of(send_counts, "MPI_Ialltoallv"));
  SCORPIO_ASSIGN(const Layout receive, layout_of(receive_counts, "MPI_Ialltoallv"));
  std::vector<int64_t> flat(receive.total);
  SCORPIO_TRY(finish(
      MPI_Ialltoallv(packed.data(), send.counts.data(), send.displacements.data(), MPI_INT64_T, flat.data(),
                     receive.counts.data(), receive.displacements.data(), MPI_INT64_T, comm_, &request),
      &request, "MPI_Ialltoallv"));
  std::vector<std::vector<int64_t>> received(parts.size());
  for (size_t r = 0; r < parts.size(); ++r) {
    const auto first = flat.begin() + receive.displacements[r];
    received[r].assign(first, first + receive.counts[r]);
  }
  return received;
}

Status Communicator::broadcast(std::span<std::byte> bytes, int root) const {
  SCORPIO_TRY(parted());
  for (size_t at = 0; at < bytes.size(); at += k_piece_bytes) {
    const size_t n = std::min(k_piece_bytes, bytes.size() - at);
    MPI_Request request = MPI_REQUEST_NULL;
    SCORPIO_TRY(finish(MPI_Ibcast(bytes.data() + at, static_cast<int>(n), MPI_BYTE, root, comm_, &request),
                       &request, "MPI_Ibcast"));
  }
  return {};
}

Result<int64_t> Communicator::exclusive_sum(int64_t own) const {
  SCORPIO_TRY(compare_first());
  int64_t below = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  SCORPIO_TRY(
      finish(MPI_Iexscan(&own, &below, 1, MPI_INT64_T, MPI_SUM, comm_, &request), &request, "MPI_Iexscan"));
  return rank_ == 0 ? 0 : below;
}

}  // namespace scorpio::comm
