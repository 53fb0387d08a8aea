// The commit of a file whose close or sync was posted, made by the workers of the I/O ranks while no call is
// made: when all data are written, the metadata, and then the name. On one node, for new files whose data
// have plain addresses and for files whose format can write its metadata in any thread; of files with chunks
// the data (posted_chunks.h), and the metadata of new ones once a later call has made them in memory. On
// several nodes, where workers do not learn what those of other nodes have written, for new files, and
// without the name. What is left, a later call does (posted_files.h). One thread beside the worker;
// collectivity as stated.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <vector>

#include "async/executor.h"
#include "base/mutex.h"
#include "session/calls/posted_chunks.h"
#include "session/state/core.h"

namespace scorpio::session {

class PostedCommit final : private async::Work {
 public:
  explicit PostedCommit(Core& core) : core_(core) {
    core.transfer.set_background([this] { end(); });
  }
  ~PostedCommit() override {
    end();
    core_.transfer.set_background({});
  }
  PostedCommit(const PostedCommit&) = delete;
  PostedCommit& operator=(const PostedCommit&) = delete;

  // Whether begin() after a sync has an effect. The same on all ranks.
  bool serves_syncs() const;
  // The data of the file are in the I/O phase, and all ranks have the same definitions. Replaces a commit
  // that is not carried out yet. Waits for nothing. Called on all ranks.
  void begin(Commit::Naming naming);
  // Waits for what is under way; nothing runs afterwards. What is not done by then, Commit::make()
  // does.
  void end();
  // ---- after begin() of a close ----
  // Whether workers give addresses to encoded chunks. The same on all ranks.
  bool places_chunks() const { return places_; }
  // After a flush: waits until the worker of this rank has written its chunks there, or cannot.
  void finish_data();
  // On an I/O rank, whether all chunks are in the file, and workers write the metadata as soon as these have
  // the index of the chunks: begin_metadata() is to be called on all ranks.
  bool wants_index() const;
  // The metadata have the index; not `good`: some rank has a failure, which a later call returns.
  void begin_metadata(bool good);

  // Whether the worker of this rank has nothing left to do for the file.
  bool idle() const;
  // On the metadata rank, whether the commit of the last begin() was carried out well; false on other ranks.
  bool made() const;

 private:
  using Slots = std::vector<plan::SlotSchedule::ClosedSlot>;

  void prepare(Commit::Naming naming);
  void run() noexcept override;
  void advance(observe::Counters& worked);
  void write_data(observe::Counters& worked);
  std::optional<bool> place_and_keep(uint64_t wanted, bool whole);
  void write_metadata(observe::Counters& worked);
  bool keep_data() const;
  void end_image() REQUIRES(mutex_);

  Core& core_;
  async::Executor* worker_ = nullptr;  // while it attends
  async::Executor* again_ = nullptr;   // the same, for the worker itself
  uint64_t begun_ = 0;                 // number of calls of begin(); the same on all I/O ranks
  bool places_ = false;                // changed only while no worker attends
  bool has_index_ = false;             // begin_metadata() was called
  PostedChunks chunks_{core_};         // used by the worker
  mutable Mutex mutex_;
  std::condition_variable_any told_more_;
  // ---- the data of this rank ----
  uint64_t wanted_ GUARDED_BY(mutex_) = 0;  // the commit that they are written for
  uint64_t told_ GUARDED_BY(mutex_) = 0;    // the last commit whose data are written
  bool waited_for_ GUARDED_BY(mutex_) = false;
  Slots slots_ GUARDED_BY(mutex_);  // those of wanted_
  // ---- on the metadata rank ----
  uint64_t prepared_ GUARDED_BY(mutex_) = 0;     // the commit whose metadata are prepared; 0: none
  bool writing_ GUARDED_BY(mutex_) = false;      // they are being written
  uint64_t made_ GUARDED_BY(mutex_) = 0;         // the last commit that was carried out well
  bool ahead_ GUARDED_BY(mutex_) = false;        // they wait for the data of this rank alone, and get no name
  uint64_t image_bytes_ GUARDED_BY(mutex_) = 0;  // of the metadata in memory, as recorded
};

}  // namespace scorpio::session
