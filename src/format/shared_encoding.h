// Chunks that an I/O rank is about to encode, and chunks that it has read and is about to decode, in the
// memory that the ranks of its node share: ranks that wait do it too (shared_work.h). Independent; any
// thread, one call at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/pipeline.h"
#include "codec/recipe.h"
#include "comm/shared_tasks.h"
#include "format/shared_work.h"

namespace scorpio::format {

struct EncodingJob {
  using Made = codec::Pipeline::Encoded;
  // It takes some 50 us then.
  static constexpr uint64_t k_least_bytes = uint64_t{8} << 10;

  std::span<std::byte> image;
  const codec::Pipeline* pipeline;
  std::span<const std::byte> kept;  // elements that a lossy filter must not change

  std::vector<std::byte> recipe() const { return codec::recipe_of(*pipeline, kept); }
  Result<Made> carry_out() const { return pipeline->encode(image, {false, kept}); }
  // The result has taken the place of the first bytes of the image, as far as these have room for it.
  Result<Made> accept(const comm::SharedTasks::Outcome& outcome) const {
    Made made{{}, outcome.flags, {outcome.figures[0], outcome.figures[1]}};
    made.bytes.reserve(outcome.bytes + outcome.tail.size());
    made.bytes.assign(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(outcome.bytes));
    made.bytes.insert(made.bytes.end(), outcome.tail.begin(), outcome.tail.end());
    return made;
  }
  // The image is as it was.
  Result<Made> after_failure() const { return carry_out(); }
};

// The result is false if the chunk could not be decoded. Its encoded bytes may be lost then: it must be read
// again.
struct DecodingJob {
  using Made = bool;
  // It takes less time than encoding.
  static constexpr uint64_t k_least_bytes = uint64_t{32} << 10;

  std::span<std::byte> image;
  const codec::Pipeline* pipeline;
  uint64_t stored;   // the number of its encoded bytes, which are the first ones of the image
  uint32_t skipped;  // bit i: filter i was not applied

  std::vector<std::byte> recipe() const { return codec::decoding_recipe_of(*pipeline, stored, skipped); }
  Result<Made> carry_out() const { return pipeline->decode_in_place(stored, skipped, image).ok(); }
  Result<Made> accept(const comm::SharedTasks::Outcome&) const { return true; }
  Result<Made> after_failure() const { return false; }
};

// What the pipelines and the spans of jobs refer to exists until the chunk is taken, or end().
using SharedEncoding = SharedWork<EncodingJob>;
using SharedDecoding = SharedWork<DecodingJob>;

}  // namespace scorpio::format
