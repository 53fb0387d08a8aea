// One file's use of a channel: its own, or one that it shares with the other files that came when the staging
// memory was used up. Nothing of a file reaches another through it: the channel gets each call together with
// the file's outlet. Collectivity as in channel.h; one thread.
//
// A shared channel that has failed, because a rank could not take part in a call on one of the files, is
// replaced as soon as all ranks have agreed that it did. Until then no file that shares it moves data. Of
// each of them what was put since its last sync point may be gone, and was_lost() says so until that is
// settled; a file to which nothing was put since then has lost nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "exchange/channel.h"

namespace scorpio::exchange {

// Whether a channel is replaced that may have had data in it.
enum class Loss { nothing, some };

// What the files of a channel have in common.
struct ChannelHolder {
  std::unique_ptr<Channel> channel;
  uint64_t replaced = 0;    // times, with data lost; the same on all ranks
  int files = 0;            // that use it
  bool background = false;  // as Fabric has it
};

class FileChannel {
 public:
  // `file`: its number, the same on all ranks.
  FileChannel(std::shared_ptr<ChannelHolder> holder, uint64_t file)
      : holder_(std::move(holder)), outlet_{nullptr, file} {
    ++holder_->files;
  }
  ~FileChannel() {
    channel().forget(outlet_);
    --holder_->files;
  }
  FileChannel(const FileChannel&) = delete;
  FileChannel& operator=(const FileChannel&) = delete;

  // Where the file's bytes go; before the first put. It lasts as long as this.
  void set_sink(storage::Sink& sink) { outlet_.sink = &sink; }

  Result<uint64_t> put(const Flow& flow) {
    if (!unsettled_) replaced_before_ = holder_->replaced;
    unsettled_ = true;
    return channel().put(flow, outlet_);
  }
  Result<uint64_t> get(const Flow& flow, storage::Source& source) {
    return channel().get(flow, source, outlet_);
  }
  uint64_t units_in_a_pass(bool reading) const { return channel().units_in_a_pass(reading); }
  Status flush() { return channel().flush(outlet_); }
  // As those of Channel.
  Status deliver() { return channel().deliver(); }
  bool written() const { return channel().written(); }
  // A write of this file has failed on this rank.
  bool write_failed() const { return outlet_.failed(); }
  // In place of a flush where the channel has failed: nothing more of the file is written. Local.
  void stop() { channel().stop(outlet_); }
  void skip() { channel().skip(); }
  bool failed() const { return channel().failed(); }
  // Of all files of a shared channel; 0 of a file alone.
  uint64_t calls_so_far() const { return lease().shared ? channel().calls_so_far() : 0; }
  Status drain() { return channel().drain(); }
  void abandon() { channel().abandon(); }
  const Lease& lease() const { return channel().lease(); }
  // Its data are written while no call is made.
  bool background() const { return holder_->background; }
  // No other file uses the channel.
  bool alone() const { return holder_->files == 1; }

  // Whether data of this file may not have reached the I/O ranks. Once the channel of a file alone has failed
  // it stays so.
  bool was_lost() const {
    if (!lease().shared) return failed();
    return unsettled_ && (failed() || holder_->replaced != replaced_before_);
  }
  // Data were put since the last sync point.
  bool unsettled() const { return unsettled_; }
  // At a sync point: all that was put is in the file.
  void settled() { unsettled_ = false; }
  // For all files of the channel. Collective; the old one is drained, and no rank is in it.
  void replace(std::unique_ptr<Channel> fresh, Loss loss) {
    holder_->channel = std::move(fresh);
    if (loss == Loss::some) ++holder_->replaced;
  }

 private:
  Channel& channel() const { return *holder_->channel; }

  std::shared_ptr<ChannelHolder> holder_;
  Outlet outlet_;
  bool unsettled_ = false;        // data were put since settled()
  uint64_t replaced_before_ = 0;  // `replaced` when the first of them were
};

}  // namespace scorpio::exchange
