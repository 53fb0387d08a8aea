// The end of a file whose close was posted, made by the workers of the I/O ranks while no call is made: when
// all data are written, the metadata, and then the name. On one node, for a new file whose data all have
// plain addresses; otherwise a later call does it (tails.h). Independent; one thread beside the worker.
#pragma once

#include <memory>

#include "async/executor.h"
#include "session/core.h"

namespace scorpio::session {

class PostedCommit final : private async::Work {
 public:
  // After a successful post_close(), on every rank. Null on ranks that have nothing to do.
  static std::unique_ptr<PostedCommit> begin(Core& core);
  // Waits for what is under way. What is not done by then, the close of the file does.
  ~PostedCommit() override {
    worker_.withdraw(*this);
    end_image();
  }

 private:
  PostedCommit(Core& core, async::Executor& worker, MetadataOwner* metadata);
  void end_image();
  void run() noexcept override;
  void advance(observe::Counters& worked);
  bool keep_data() const;

  Core& core_;
  async::Executor& worker_;
  MetadataOwner* metadata_;   // null: another rank gives the file its metadata, or a later call does
  uint64_t image_bytes_ = 0;  // of the metadata in memory, as recorded
  bool told_ = false;         // that the data of this rank are written
  bool done_ = false;
};

}  // namespace scorpio::session
