// The placement rounds of a file, as its other parts use them on every rank. Whether chunks are placed in
// rounds is the same on all ranks. What a round does is in ChunkRounds, which an I/O rank with a worker has;
// on other ranks rounds end and are placed without work. Collective where stated; one thread.
#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"
#include "exchange/file_channel.h"
#include "format/layout.h"
#include "session/state/chunk_rounds.h"
#include "session/state/file_round_channel.h"

namespace scorpio::session {

class FileRounds {
 public:
  // `may_place`: the file allows that chunks get addresses before a synchronisation point; the same on all
  // ranks. `channel` and `layout` outlive this object.
  FileRounds(exchange::FileChannel& channel, format::Layout& layout, bool may_place)
      : channel_(channel), round_channel_(channel), layout_(layout), may_place_(may_place) {}
  // This I/O rank places the chunks of the rounds.
  void begin_here(const ChunkRounds::Ground& ground) {
    here_ = std::make_unique<ChunkRounds>(round_channel_, ground);
  }

  // Whether chunks, if there are any, are placed in rounds. The same on all ranks.
  bool in_use() const { return channel_.background() && !channel_.lease().shared && may_place_; }

  // As those of ChunkRounds, where this rank has rounds.
  void use(uint64_t begin) {
    if (here_ != nullptr) here_->use(begin);
  }
  void after_operation() {
    if (here_ != nullptr) here_->after_operation();
  }
  bool under_way() const { return here_ != nullptr && here_->under_way(); }
  bool advance() { return here_ == nullptr || here_->advance(); }
  void stop() {
    if (here_ != nullptr) here_->stop();
  }
  void begin_again() {
    if (here_ != nullptr) here_->begin_again();
  }

  // Everything that was put is in the I/O phase, and workers write it. Collective, without waiting.
  void end() {
    if (here_ != nullptr) here_->end_now();
  }
  // Flushes the channel and waits until this I/O rank has encoded the chunks of all rounds; returns the
  // status of the flush. Collective.
  Status encode();
  // After that: waits until they are placed. On several nodes all ranks have agreed that they are in this
  // call, and that the channel has not failed.
  void place() {
    if (here_ != nullptr) here_->finish();
  }

 private:
  exchange::FileChannel& channel_;
  FileRoundChannel round_channel_;
  format::Layout& layout_;
  bool may_place_;
  std::unique_ptr<ChunkRounds> here_;  // null: this rank has none
};

}  // namespace scorpio::session
