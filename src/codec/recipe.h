// What is done to a chunk, encoding or decoding, as bytes: for another rank that does it. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "codec/pipeline.h"

namespace scorpio::codec {

// Of a chunk that is to be encoded. `kept` [elements]: those that a lossy filter must not change.
std::vector<std::byte> recipe_of(const Pipeline& pipeline, std::span<const std::byte> kept);
// Of one that is to be decoded: its encoded bytes are the first `stored` ones of its image. `skipped`: bit i:
// filter i was not applied.
std::vector<std::byte> decoding_recipe_of(const Pipeline& pipeline, uint64_t stored, uint32_t skipped);
// Whether the recipe is one of the second kind. Of bytes that are no recipe either may be said.
bool decodes(std::span<const std::byte> recipe);

// Encodes `image` as the pipeline does from which the recipe was made. Code::format if the bytes are no
// recipe for it.
Result<Pipeline::Encoded> encode_by(std::span<const std::byte> recipe, std::span<const std::byte> image);
// Decodes the chunk whose encoded bytes are the first ones of `image`; after a failure the image may have any
// value. Code::format if the bytes are no recipe for it, or the chunk is damaged.
Status decode_by(std::span<const std::byte> recipe, std::span<std::byte> image);

}  // namespace scorpio::codec
