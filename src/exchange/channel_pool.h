// The channels of files in the staging memory of an I/O system: each file has its own as long as there is
// memory; further files share one. Collective in order; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "exchange/file_channel.h"
#include "exchange/io_phase/full_slot.h"
#include "exchange/link/link.h"

namespace scorpio::exchange {

class ChannelPool {
 public:
  // Makes the I/O phase of a channel with this number of slots, of which `part` are written before another
  // channel gets its turn; `background` as in ChannelContext.
  using MakeIoPhase = std::function<std::unique_ptr<IoPhase>(size_t slots, size_t part, bool background)>;
  // `context` includes the staging memory. `files` is the number of files that have a channel of their own;
  // 0: each file gets half of the remaining slots.
  ChannelPool(const ChannelContext& context, MakeIoPhase make_io, int files);

  // Whether the next file gets a channel of its own.
  bool has_room() const { return context_.staging->has_room(); }
  // `file`: its number. `background` replaces the context's for a channel that serves this file alone.
  std::unique_ptr<FileChannel> open(uint64_t file, bool background);
  // `complete`: all ranks have made the same puts, and all data are written. Otherwise bitmaps of slots may
  // have marks for data that are never put; they are cleared before the next file uses the slots.
  void close(std::unique_ptr<FileChannel> channel, bool complete);
  // Passes on the work of all channels. Independent.
  void pass_on();
  // For a thread that works between calls, of the channels that are written in the background: as the
  // functions of Channel. Independent.
  bool pass_between_nodes();
  bool cross_nodes() const;
  // Replaces a channel that is drained and that no rank of the node uses. No rank may use the new one before
  // all ranks of the node have returned from this call.
  void replace(FileChannel& channel, Loss loss);

 private:
  std::unique_ptr<FileChannel> use(const Lease& lease, uint64_t file, bool background);
  std::unique_ptr<Channel> make(const Lease& lease, bool background) const;
  // The most slots that are written before another channel gets its turn.
  size_t part_of(const Lease& lease) const;
  bool leads() const { return context_.nodes->my_local_rank == 0; }

  const ChannelContext context_;
  const MakeIoPhase make_io_;
  const int files_;
  std::vector<std::weak_ptr<ChannelHolder>> all_;
  std::weak_ptr<ChannelHolder>
      shared_;  // the channel of all files that were opened when the staging memory was used up
};

}  // namespace scorpio::exchange
