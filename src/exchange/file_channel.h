// One file's use of a channel: a channel of its own, or one that it shares with other files that were opened
// when the staging memory was used up. The data of files are never mixed: the channel gets each call together
// with the FileIo of the file. Collectivity as in channel.h; one thread.
//
// A shared channel fails if a rank could not make a call on one of the files. It is replaced as soon as all
// ranks have agreed that it failed; until then no file that shares it moves data. Each of these files may
// lack the data that were put since its last synchronisation point, and was_lost() returns true until
// synchronised(); a file to which no data were put since then lacks none.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "exchange/channel.h"

namespace scorpio::exchange {

// Whether the channel that is replaced may have contained data.
enum class Loss { nothing, some };

// The state that the files of a channel share.
struct ChannelHolder {
  std::unique_ptr<Channel> channel;
  uint64_t replaced = 0;    // number of replacements with lost data; the same on all ranks
  int files = 0;            // number of files that use the channel
  bool background = false;  // as in ChannelContext
};

class FileChannel {
 public:
  // `file`: its number, the same on all ranks.
  FileChannel(std::shared_ptr<ChannelHolder> holder, uint64_t file)
      : holder_(std::move(holder)), file_io_{nullptr, file} {
    ++holder_->files;
  }
  ~FileChannel() {
    now().forget(file_io_);
    --holder_->files;
  }
  FileChannel(const FileChannel&) = delete;
  FileChannel& operator=(const FileChannel&) = delete;

  // ---- this file alone ----
  // Sets the destination of the file's bytes, before the first put. It outlives this object.
  void set_sink(storage::Sink& sink) { file_io_.sink = &sink; }
  // When a worker writes the file, before the first put.
  void set_policy(const WritePolicy& policy) { file_io_.pace.set(policy); }
  // Units that are closed from now on belong to this placement round.
  void set_round(uint64_t round) { file_io_.round = round; }

  Result<uint64_t> put(const Flow& flow) {
    if (!put_since_sync_) replaced_before_ = holder_->replaced;
    put_since_sync_ = true;
    return now().put(flow, file_io_);
  }
  Result<uint64_t> get(const Flow& flow, storage::Source& source) {
    return now().get(flow, source, file_io_);
  }
  // Writes all files of the channel, and returns the failures of this one. A call on another file may end the
  // flush of a shared channel; that is no failure of a file to which nothing was put since its last
  // synchronisation point.
  Status flush() {
    const Status flushed = now().flush(file_io_);
    const bool of_others = failed() && lease().shared && !put_since_sync_;
    return first_failure(file_io_.take_status(), of_others ? Status() : flushed);
  }
  // Takes the place of a flush if the channel has failed: no more data of the file are written. Local.
  void stop() { now().stop(file_io_); }

  // The next flush returns it, if it is a failure. Any thread.
  void note(Status status) { file_io_.note(std::move(status)); }
  // Whether a write to this file has failed on this rank.
  bool write_failed() const { return file_io_.failed(); }
  // The same, also if a call has returned it since.
  bool ever_failed() const { return file_io_.ever_failed(); }
  // What another thread counted for this file.
  void add_worked(const observe::Counters& counted) { file_io_.add_worked(counted); }
  // What the I/O rank did for this file outside of calls.
  observe::Meanwhile meanwhile() const { return file_io_.meanwhile(); }

  // Whether some data of this file may not have reached the I/O ranks. If the channel belongs to this file
  // alone and has failed, this remains true.
  bool was_lost() const {
    if (!lease().shared) return failed();
    return put_since_sync_ && (failed() || holder_->replaced != replaced_before_);
  }
  // Data were put since the last synchronisation point.
  bool put_since_sync() const { return put_since_sync_; }
  // Is called at a synchronisation point: all data that were put are in the file.
  void synchronised() { put_since_sync_ = false; }

  // ---- all files of the channel: Channel describes these functions ----
  void skip() { now().skip(); }
  bool failed() const { return now().failed(); }
  const Lease& lease() const { return now().lease(); }
  // 0 if the file does not share its channel.
  uint64_t calls_so_far() const { return lease().shared ? now().calls_so_far() : 0; }
  // Whether the data are written outside of library calls.
  bool background() const { return holder_->background; }
  // Whether no other file uses the channel.
  bool alone() const { return holder_->files == 1; }
  // For the others: what the I/O ranks announce, placement rounds, and how far the units of the channel are.
  // The channel that serves the file now; replace() gives its files another one.
  Channel& now() const { return *holder_->channel; }
  // Replaces the channel of all its files. Collective; the old one is drained, and no rank uses it.
  void replace(std::unique_ptr<Channel> fresh, Loss loss) {
    holder_->channel = std::move(fresh);
    if (loss == Loss::some) ++holder_->replaced;
  }

 private:
  std::shared_ptr<ChannelHolder> holder_;
  FileIo file_io_;
  bool put_since_sync_ = false;   // data were put since synchronised()
  uint64_t replaced_before_ = 0;  // `replaced` at the first of these puts
};

}  // namespace scorpio::exchange
