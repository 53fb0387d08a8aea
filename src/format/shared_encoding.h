// Chunks that an I/O rank is about to encode, in the memory that the ranks of its node share: ranks that wait
// encode them too. Independent; any thread, one call at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>

#include "codec/pipeline.h"
#include "comm/shared_tasks.h"

namespace scorpio::format {

class SharedEncoding {
 public:
  using Encoded = codec::Pipeline::Encoded;

  // `tasks`: null if this rank encodes its chunks alone.
  explicit SharedEncoding(comm::SharedTasks* tasks) : tasks_(tasks) {}
  ~SharedEncoding() { end(); }
  SharedEncoding(const SharedEncoding&) = delete;
  SharedEncoding& operator=(const SharedEncoding&) = delete;

  // Whether chunks of this size are given to other ranks: it takes longer to encode them than to pass them
  // on.
  bool takes(uint64_t chunk_bytes) const;
  // The image of a chunk, which nobody else uses or changes until take() or end(). `pipeline` and `kept` (the
  // elements that a lossy filter must not change) exist until then.
  void add(std::span<std::byte> image, const codec::Pipeline& pipeline, std::span<const std::byte> kept);
  bool empty() const { return chunks_.empty(); }
  bool has(const std::byte* image) const { return chunks_.contains(image); }
  // The result for an image that was added. Meanwhile this rank encodes other ones, if a rank is at work on
  // this one.
  Result<Encoded> take(const std::byte* image);
  // Nobody uses the images afterwards.
  void end();

 private:
  struct Chunk {
    std::span<std::byte> image;
    const codec::Pipeline* pipeline;
    std::span<const std::byte> kept;
    std::optional<int> task{};  // while other ranks may encode it
    std::optional<Encoded> encoded{};
  };

  void offer_more();
  // No other rank has begun it, and none will.
  bool take_back(Chunk& chunk);
  // By this rank; false if other ranks are at work on all other chunks.
  bool encode_another(const Chunk& chunk);
  Result<Encoded> encode(const Chunk& chunk) const {
    return chunk.pipeline->encode(chunk.image, {false, chunk.kept});
  }
  Result<Encoded> finish(Chunk& chunk);

  comm::SharedTasks* tasks_;
  std::map<const std::byte*, Chunk> chunks_;  // by image
  std::deque<const std::byte*> pending_;      // images that were not on offer yet; some are gone
};

}  // namespace scorpio::format
