// A job whose ranks are threads: nodes are blocks of memory, messages go through memory, files are in memory.
// Each rank has what an I/O system has of the exchange and the I/O phase.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "async/inline_executor.h"
#include "comm/call.h"
#include "comm/node_map.h"
#include "comm/node_meeting.h"
#include "exchange/channel_pool.h"
#include "exchange/drawn_worker.h"
#include "exchange/file_channel.h"
#include "exchange/link/stall_watch.h"
#include "exchange/memory/staging.h"
#include "exchange/memory_messages.h"
#include "exchange/memory_peers.h"
#include "observe/counters.h"
#include "storage/data_file.h"
#include "storage/store.h"

namespace scorpio::test {

inline constexpr size_t k_most_ranks = 8;

// Numbers that a seed determines.
class Drawn {
 public:
  explicit Drawn(uint64_t seed) : state_(seed) {}
  uint64_t next();
  uint64_t below(uint64_t n) { return next() % n; }
  uint64_t between(uint64_t least, uint64_t most) { return least + below(most - least + 1); }
  bool once_in(uint64_t n) { return below(n) == 0; }

 private:
  uint64_t state_;
};

struct Shape {
  std::vector<int> node_of_rank;  // [ranks] nodes are numbered by their lowest rank
  std::vector<int> io_ranks;
  exchange::StagingSizes sizes;
  bool gather_writes = false;
  // Before ranks ask other nodes what they do; with another one a seed does not repeat a run exactly.
  std::chrono::microseconds patience{0};
  int files = 1;
  exchange::Transfer transfer = exchange::Transfer::messages;
  bool workers = false;  // slots are written by a thread for each I/O rank, which calls Job::work()

  int ranks() const { return static_cast<int>(node_of_rank.size()); }
  int nodes() const;
  static Shape draw(Drawn& drawn);
  static Shape draw(Drawn& drawn, int ranks, int nodes);
  // A few slots are reserved for each file, the others are used by the files that need them.
  void have_common_slots(Drawn& drawn);
};

// As seen by that rank.
comm::NodeMap node_map(const Shape& shape, int rank);

// What the threads share.
class Job {
 public:
  Job(const Shape& shape, uint64_t seed);

  const Shape& shape() const { return shape_; }
  // All that was sent was received, but for what ranks ask each other while they wait.
  bool all_received() { return data_.empty() && leaders_.empty() && peers_.empty(); }
  // What a file holds, as many bytes.
  std::vector<std::byte> content(int file, size_t bytes) const;
  // The thread of the worker of this I/O rank; returns when the rank is gone.
  void work(int owner);

 private:
  friend class Rank;
  struct alignas(4096) Page {
    std::byte bytes[4096];
  };
  Shape shape_;
  std::vector<comm::NodeMap> maps_;        // [ranks]
  std::vector<std::vector<Page>> memory_;  // [nodes]
  Post data_, agreements_;                 // [ranks]
  Post leaders_;                           // [nodes]
  Post peers_;                             // [ranks] of collective transfers
  std::unique_ptr<storage::Store> store_;
  std::array<std::atomic<DrawnWorker*>, k_most_ranks> workers_{};  // [I/O ranks] once they are made
  std::array<std::optional<DrawnWorker>, k_most_ranks> made_;      // ... by their ranks
};

class Rank {
 public:
  // Collective.
  Rank(Job& job, int number);
  ~Rank();
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  int number() const { return data_.rank(); }
  exchange::FileChannel& file(int file) { return *files_[static_cast<size_t>(file)]->channel; }
  storage::DataFile& source(int file) { return files_[static_cast<size_t>(file)]->data; }
  const observe::Counters& counters() const { return counters_; }
  // Between calls, of an I/O rank with a worker on the only node: until everything that was closed is
  // written. What the other ranks put has to come without this rank.
  void await_writes();

  // The largest value of all ranks; as an I/O system agrees, in the memory of nodes if ranks share one.
  // Collective.
  int64_t largest(int64_t mine);
  // The channel of the file, in which some rank did not do what the others did, is replaced. Collective.
  void recover(int file);
  const Shape& shape() const { return job_.shape(); }
  std::vector<std::byte> content(int file, size_t bytes) const { return job_.content(file, bytes); }

 private:
  struct File {
    explicit File(storage::DataFile opened) : data(std::move(opened)) {}
    storage::DataFile data;
    std::unique_ptr<exchange::FileChannel> channel;
  };
  void meet_in_memory(Job& job);
  void make_worker(Job& job);

  const Job& job_;
  const comm::NodeMap& nodes_;
  MemoryMessages data_, agreements_;
  comm::CallLog calls_;
  observe::Counters counters_;
  std::unique_ptr<exchange::Staging> staging_;
  std::optional<comm::NodeMeeting> meeting_;
  std::optional<exchange::StallWatch> watch_;
  const std::function<void()> answer_ = [this] { watch_->answer(true); };
  std::optional<comm::PeerExchanges> exchanges_;
  exchange::ChannelContext context_;
  std::optional<async::InlineExecutor> executor_;
  DrawnWorker* worker_ = nullptr;
  std::optional<exchange::ChannelPool> channels_;
  std::vector<std::unique_ptr<File>> files_;
};

}  // namespace scorpio::test
