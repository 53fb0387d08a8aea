// Owner of a duplicated MPI communicator (move-only) with the collective calls that the library needs.
// Collective where stated; one thread. MPI errors are returned as Code::mpi.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/current_call.h"
#include "base/result.h"
#include "comm/call.h"
#include "comm/group.h"
#include "comm/messages.h"

namespace scorpio::comm {

// Code::mpi with the error text of MPI, or OK.
Status mpi_status(int mpi_code, const char* call);

class NodeMeeting;

class Communicator final : public Group, public Messages {
 public:
  Communicator() = default;
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&& other) noexcept;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() override = default;  // never communicates: call free()

  static Result<Communicator> duplicate(MPI_Comm comm);  // Collective over comm
  Result<Communicator> split(int color, int key) const;  // Collective
  Result<Communicator> split_by_shared_memory() const;   // Collective
  Result<Communicator> alone() const;                    // of this rank only. Local
  Status free();                                         // Collective

  // Maxima of few values and barriers use `meeting` from now on, which must have the same ranks and outlive
  // this object, or messages again if it is null. Collective in order.
  void meet_through(NodeMeeting* meeting) { meeting_ = meeting; }

  // Each maximum over the ranks increases `number` by one and `ns` by its time in nanoseconds from now on.
  // Both outlive this object.
  void count_in(uint64_t& number, uint64_t& ns) {
    reductions_ = &number;
    reductions_ns_ = &ns;
  }

  // From now on ranks compare their calls (enter()) in the first reduction of each call. If the calls differ,
  // this reduction fails on all ranks with Code::mismatch, whose text names two of them, and every later call
  // returns the same failure at once. Collective in order.
  void compare_calls() { calls_ = std::make_unique<CallLog>(); }
  using Group::enter;
  void enter(const char* kind, uint64_t file, const std::string& path) const override {
    if (calls_ != nullptr) calls_->enter(kind, file, current_call(), path);
  }
  Status parted() const override { return calls_ == nullptr ? Status() : calls_->parted(); }
  // The number of reductions that this rank has entered; the same on all ranks at the same point. Local.
  uint64_t reductions() const { return calls_ == nullptr ? 0 : calls_->reductions(); }
  // Only after compare_calls(). The reference remains valid if this object is moved. Local.
  const CallLog& calls() const { return *calls_; }
  // From now on `work`, which outlives this, is called repeatedly while a reduction waits for other ranks.
  void while_waiting(const std::function<void()>* work) { work_ = work; }

  // From now on the job ends when this rank has waited so long in a collective call; 0: it waits for ever.
  // Parts that are split off inherit it.
  void wait_at_most(std::chrono::seconds longest) { longest_wait_ = longest; }
  std::chrono::seconds longest_wait() const { return longest_wait_; }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  MPI_Comm raw() const { return comm_; }

  // Independent. The communicator must not be moved while operations are in progress.
  Transfer send(std::span<const std::byte> bytes, int to, int tag) override;
  Transfer receive(std::span<std::byte> bytes, int from, int tag) override;
  Result<bool> test(Transfer& transfer, size_t* length = nullptr) override;
  void wait(Transfer& transfer) override;
  bool cancel(Transfer& transfer) override;
  Status receive_now(std::span<std::byte> bytes, int from, int tag) override;
  std::optional<Envelope> probe(int tag) override;

  using Group::all_max;
  using Group::broadcast;
  Status all_max(std::span<uint64_t> values, size_t sums) const override;
  Status max_at(std::span<uint64_t> values, int root) const override;
  Result<std::vector<int64_t>> all_gather(std::span<const int64_t> own) const override;
  // Concatenates the parts of all ranks (lengths may differ), in rank order. Collective.
  Result<std::vector<int64_t>> all_gather_parts(std::span<const int64_t> own) const;
  Result<std::vector<int64_t>> gather_by_node(const NodeMap& nodes, std::span<const int64_t> own,
                                              const Unite& unite) const override;
  Result<std::vector<std::vector<int64_t>>> all_to_all(
      const std::vector<std::vector<int64_t>>& parts) const override;
  Result<std::vector<int64_t>> swap(std::span<const int64_t> own, int partner) const override;
  Status broadcast(std::span<std::byte> bytes, int root) const override;
  Result<int64_t> exclusive_sum(int64_t own) const override;
  Status barrier() const override;

 private:
  explicit Communicator(MPI_Comm comm);
  void release(uint64_t word) override;
  Status swap_bytes(std::span<const std::byte> own, std::span<std::byte> theirs, int partner) const;
  Result<bool> tell_room(bool has_room, int partner) const;
  Status reduce(std::span<uint64_t> values, size_t sums) const;
  Status reduce_first(std::span<uint64_t> values, size_t sums, uint64_t label) const;
  Status reduce_compared(std::span<uint64_t> values, size_t sums) const;
  Status compare_first() const;
  Status part(uint64_t label) const;
  // Waits until the operation is complete that `call` started with the result `started`; `work`, if not null,
  // is called repeatedly meanwhile.
  Status finish(int started, MPI_Request* request, const char* call,
                const std::function<void()>* work = nullptr) const;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  NodeMeeting* meeting_ = nullptr;
  uint64_t* reductions_ = nullptr;
  uint64_t* reductions_ns_ = nullptr;  // null if and only if reductions_ is
  const std::function<void()>* work_ = nullptr;
  std::chrono::seconds longest_wait_{0};
  std::unique_ptr<CallLog> calls_;  // null: calls are not compared
};

}  // namespace scorpio::comm
