// Placement rounds: the encoded chunks of a file that workers write get addresses, and are written, while
// the program goes on, not only at the next synchronisation point. After operations that have closed
// enough units a round ends. Its chunks are the complete ones among those that the I/O ranks have encoded of
// these units, and follow each other in the file by I/O rank: each says in the shared memory of the node how
// many bytes it has, or between nodes in messages that calls send and receive, and all compute the same
// addresses. So they depend on the calls, but not on timing. A second thread, the *writer*, writes the chunks
// of a round while the worker encodes those of later ones. Without it the worker does so after the slots of
// files that wait for it, unless a rank waits for the round. On an I/O rank with a worker. One thread beside
// these two.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "async/executor.h"
#include "base/mutex.h"
#include "format/address_book.h"
#include "format/chunk_ranges.h"
#include "observe/counters.h"
#include "session/state/round_channel.h"
#include "session/state/round_limits.h"
#include "storage/round_chunks.h"

namespace scorpio::session {

class ChunkRounds final : private async::Work {
 public:
  // All of them outlive the object.
  struct Ground {
    storage::RoundChunks& chunks;
    async::Executor& worker;
    // The thread that writes, which is needed from now on; null: there is none.
    std::function<async::Executor*()> writer;
    uint64_t number;  // of the file
    size_t my_owner;  // the number of this rank among the I/O ranks
    uint64_t block_bytes;
    RoundLimits limits;
    int priority;  // of the file
  };
  // `channel` outlives the object.
  ChunkRounds(RoundChannel& channel, const Ground& ground);
  ~ChunkRounds() override { stop(); }
  ChunkRounds(const ChunkRounds&) = delete;
  ChunkRounds& operator=(const ChunkRounds&) = delete;

  // Chunks get addresses from `begin` on: the place of the file's arena (ChunkLayout::arena), which is not
  // used otherwise. All rounds are placed.
  void use(uint64_t begin);
  // At the end of each operation of a put: may end a round. Waits if too many bytes wait to be written, or
  // for the other I/O ranks, which depend on none of the program's later calls.
  void after_operation();
  // All ranks are in a call after which everything that was put is in the I/O phase: a round ends, unless it
  // would be empty. Waits for nothing.
  void end_now();
  // After a flush: waits until all chunks of the rounds that have ended are encoded.
  void encode();
  // Whether rounds that have ended are not placed, or not known to all I/O ranks.
  bool under_way();
  // Waits until all rounds that have ended are placed, or cannot be. On several nodes all ranks are in a call
  // that does so.
  void finish();
  // Places all rounds that can be placed now, by the thread that runs the worker's works. Returns whether all
  // are placed.
  bool advance();
  // Waits for a step in progress. The chunks that have no address get one at a synchronisation point.
  void stop();
  // At the end of a synchronisation point, at which all chunks have got addresses: rounds end again after
  // stop(), unless the file lacks data.
  void begin_again();

 private:
  // Writes the chunks of one round.
  class Writing final : public async::Work {
   public:
    explicit Writing(ChunkRounds& rounds) : rounds_(rounds) {}
    void run() noexcept override { rounds_.write_one(); }
    async::Turn turn() const noexcept override;

   private:
    ChunkRounds& rounds_;
  };
  struct Addressed {
    uint64_t round;
    uint64_t address;
  };

  void run() noexcept override;
  void write_one() noexcept;
  bool write_next() noexcept;
  void submit_writing();
  async::Executor& writer() const { return writer_ == nullptr ? ground_.worker : *writer_; }
  void counted(const std::function<Status(observe::Counters&)>& work) noexcept;
  Status find_addresses();
  Status find_address(uint64_t round, const std::vector<uint64_t>& bytes);
  void tell(uint64_t begun);
  // `hurry`: chunks are written before other work meanwhile.
  template <class Condition>
  void wait_while(bool hurry, Condition&& condition) REQUIRES(mutex_);
  bool end_round();
  void tell_stop();
  uint64_t due_round();
  void tell_due_rounds();
  void leave_if_failed() REQUIRES(mutex_);
  bool is_done() const REQUIRES(mutex_);

  RoundChannel& channel_;
  Ground ground_;
  uint64_t closes_ = 0;        // the number of closes with which the last round ended
  std::deque<uint64_t> ends_;  // the same of each round after due_, on several nodes
  uint64_t due_ = 0;           // the last round of which other nodes may wait for this one to tell the bytes
  mutable Mutex mutex_;
  std::condition_variable_any placed_more_;
  uint64_t ended_ GUARDED_BY(mutex_) = 0;    // number of rounds that have ended
  uint64_t written_ GUARDED_BY(mutex_) = 0;  // number of rounds whose units are written
  // Of each round after them: units that were closed by its end, and not written then.
  std::deque<RoundChannel::Slots> slots_ GUARDED_BY(mutex_);
  uint64_t placed_ GUARDED_BY(mutex_) = 0;  // number of rounds that are placed
  uint64_t told_ GUARDED_BY(mutex_) = 0;    // number of rounds whose bytes the other I/O ranks are told
  bool stopped_ GUARDED_BY(mutex_) = false;
  bool withdrawn_ GUARDED_BY(mutex_) = false;  // by stop(): nothing is run
  std::deque<Addressed> to_write_ GUARDED_BY(mutex_);
  bool queued_ GUARDED_BY(mutex_) = false;  // writing_
  std::atomic<bool> waited_for_ = false;
  uint64_t begin_ = 0;                 // 0: there are no chunks yet
  async::Executor* writer_ = nullptr;  // set before the first round
  // ---- the worker's ----
  uint64_t known_ = 0;  // number of rounds that have addresses
  format::AddressBook addresses_;
  format::ChunkRanges ranges_;
  Writing writing_{*this};
};

}  // namespace scorpio::session
