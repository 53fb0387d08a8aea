// The reductions of a communicator, and the detection of ranks in different calls.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/current_call.h"
#include "base/words.h"
#include "comm/communicator.h"
#include "comm/node_meeting.h"
#include "observe/counters.h"

namespace scorpio::comm {

namespace {

// The first reduction of a call by messages has this number of values in every call, because reductions of
// different lengths do not match. 512 bytes take no longer than 8.
constexpr size_t k_first_values = 64;

// MPICH 4.0.2 takes the maximum of MPI_UINT64_T as if it were signed. With their highest bit inverted the
// values have the same order as signed numbers.
void turn_highest_bits(std::span<uint64_t> values) {
  for (uint64_t& value : values) value ^= uint64_t{1} << 63;
}

// The ranks have different labels; each of them returns this failure.
Status other_calls() { return failure(Code::mismatch, "the ranks are in different calls"); }

}  // namespace

// Reduces by messages.
Status Communicator::reduce(std::span<uint64_t> values, size_t sums) const {
  const auto by = [this](void* of, size_t count, MPI_Datatype type, MPI_Op op) {
    const int n = static_cast<int>(count);
    MPI_Request request = MPI_REQUEST_NULL;
    return finish(MPI_Iallreduce(MPI_IN_PLACE, of, n, type, op, comm_, &request), &request, "MPI_Iallreduce",
                  work_);
  };
  const std::span<uint64_t> maxima = values.first(values.size() - sums), added = values.last(sums);
  if (!maxima.empty()) {
    turn_highest_bits(maxima);
    const Status reduced = by(maxima.data(), maxima.size(), MPI_INT64_T, MPI_MAX);
    turn_highest_bits(maxima);
    SCORPIO_TRY(reduced);
  }
  if (added.empty()) return {};
  return by(added.data(), added.size(), MPI_UINT64_T, MPI_SUM);
}

// Code::mismatch if the ranks have different labels.
Status Communicator::reduce_first(std::span<uint64_t> values, size_t sums, uint64_t label) const {
  std::array<uint64_t, k_first_values> brought{label, ~label};
  const size_t maxima = values.size() - sums, now = std::min(maxima, k_first_values - 2);
  std::copy_n(values.begin(), now, brought.begin() + 2);
  SCORPIO_TRY(reduce(brought, 0));
  if (brought[0] != ~brought[1]) return other_calls();
  std::copy_n(brought.begin() + 2, now, values.begin());
  return reduce(values.subspan(now), sums);
}

// The reductions of ranks that are known to be in the same call match. Reductions in memory compare the calls
// in any case.
Status Communicator::reduce_compared(std::span<uint64_t> values, size_t sums) const {
  SCORPIO_TRY(calls_->parted());
  const uint64_t label = calls_->begin_reduction(values.size(), sums);
  const bool few = meeting_ != nullptr && values.size() <= NodeMeeting::k_most_values;
  Status met;
  if (few) {
    met = meeting_->all_max(values, sums, label);
  } else if (meeting_ != nullptr) {
    if (!calls_->compared()) met = meeting_->all_max({}, 0, label);
    if (met.ok()) met = reduce(values, sums);
  } else {
    met = calls_->compared() ? reduce(values, sums) : reduce_first(values, sums, label);
  }
  if (met.code() == Code::mismatch) return part(label);
  if (met.ok()) calls_->set_compared();
  return met;
}

// Must precede any other communication of the ranks of a call.
Status Communicator::compare_first() const {
  if (calls_ == nullptr) return {};
  return calls_->compared() ? calls_->parted() : reduce_compared({}, 0);
}

// All ranks call this after the same reduction, and exchange the names of their calls.
Status Communicator::part(uint64_t label) const {
  struct Told {
    uint64_t label = 0;
    std::array<char, 1016> text{};
  };
  const std::string mine = calls_->call().text();
  const auto tell = [](Told& told, const std::string& text) {
    std::strncpy(told.text.data(), text.c_str(), told.text.size() - 1);
  };
  Told told;
  told.label = label;
  tell(told, mine);
  SCORPIO_TRY(broadcast(std::as_writable_bytes(std::span(&told, 1)), 0));
  int64_t other = told.label == label ? size_ : rank_;
  MPI_Request request = MPI_REQUEST_NULL;
  SCORPIO_TRY(finish(MPI_Iallreduce(MPI_IN_PLACE, &other, 1, MPI_INT64_T, MPI_MIN, comm_, &request), &request,
                     "MPI_Iallreduce"));
  const std::string first = told.text.data();
  const std::string where = first == mine
                                ? fmt::format("rank {} and rank 0 are in different places of {}", rank_, mine)
                                : fmt::format("rank {} is in {}, rank 0 in {}", rank_, mine, first);
  tell(told, where);
  SCORPIO_TRY(broadcast(std::as_writable_bytes(std::span(&told, 1)), static_cast<int>(other)));
  calls_->part(
      failure(Code::mismatch,
              "{}; all ranks must make the same calls in the same order. The I/O system can only be freed "
              "now",
              told.text.data())
          .with_origin(static_cast<int>(other)));
  return calls_->parted();
}

Status Communicator::all_max(std::span<uint64_t> values, size_t sums) const {
  std::optional<observe::Timer> timer;
  if (reductions_ != nullptr) {
    ++*reductions_;
    timer.emplace(*reductions_ns_, observe::Activity::agreement);
  }
  if (calls_ != nullptr) return reduce_compared(values, sums);
  if (meeting_ != nullptr && values.size() <= NodeMeeting::k_most_values)
    return meeting_->all_max(values, sums);
  return reduce(values, sums);
}

Status Communicator::max_at(std::span<uint64_t> values, int root) const {
  const Words all(values.size());
  std::ranges::copy(values, all.all().begin());
  SCORPIO_TRY(all_max(all.all()));
  if (rank_ == root) std::ranges::copy(all.all(), values.begin());
  return {};
}

Status Communicator::barrier() const {
  SCORPIO_TRY(parted());
  if (calls_ != nullptr && (meeting_ != nullptr || !calls_->compared())) return reduce_compared({}, 0);
  if (meeting_ != nullptr) return meeting_->all_max({});
  MPI_Request request = MPI_REQUEST_NULL;
  return finish(MPI_Ibarrier(comm_, &request), &request, "MPI_Ibarrier");
}

}  // namespace scorpio::comm
