// How a chunk is encoded, as bytes: for another rank that encodes it. Local; pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "codec/pipeline.h"

namespace scorpio::codec {

// `kept` [elements]: those that a lossy filter must not change.
std::vector<std::byte> recipe_of(const Pipeline& pipeline, std::span<const std::byte> kept);
// Encodes `image` as the pipeline does from which the recipe was made. Code::format if the bytes are no
// recipe.
Result<Pipeline::Encoded> encode_by(std::span<const std::byte> recipe, std::span<const std::byte> image);

}  // namespace scorpio::codec
