#include "codec/recipe.h"

#include <utility>

#include "model/byte_stream.h"

namespace scorpio::codec {

namespace {

// The first number of a recipe.
enum : uint64_t { k_encoding = 1, k_decoding = 2 };

void write_pipeline(const Pipeline& pipeline, model::ByteWriter& to) {
  to.u64(pipeline.element_bytes());
  to.u64(pipeline.filters().size());
  for (const Filter& filter : pipeline.filters()) {
    to.u64(static_cast<uint64_t>(filter.number));
    to.u64(static_cast<uint64_t>(static_cast<int64_t>(filter.parameter)));
    to.u64(filter.values.size());
    for (const unsigned value : filter.values) to.u64(value);
  }
}

// Ends the recipe.
Result<Pipeline> read_pipeline(model::ByteReader& from, size_t recipe_bytes) {
  const auto element_bytes = static_cast<uint32_t>(from.u64());
  constexpr size_t k_least_of_filter = 3 * sizeof(uint64_t);
  std::vector<Filter> filters(from.count(k_least_of_filter));
  for (Filter& filter : filters) {
    filter.number = static_cast<int>(from.u64());
    filter.parameter = static_cast<int>(from.u64());
    filter.values.resize(from.count(sizeof(uint64_t)));
    for (unsigned& value : filter.values) value = static_cast<unsigned>(from.u64());
  }
  if (from.failed() || !from.at_end())
    return failure(Code::format, "{} bytes do not tell how a chunk is encoded or decoded", recipe_bytes);
  return Pipeline::make(std::move(filters), element_bytes);
}

Status wrong_kind(uint64_t kind) {
  return failure(Code::format, "a recipe of kind {} does not tell what is to be done to a chunk", kind);
}

}  // namespace

std::vector<std::byte> recipe_of(const Pipeline& pipeline, std::span<const std::byte> kept) {
  model::ByteWriter to;
  to.u64(k_encoding);
  to.raw(kept.data(), kept.size());
  write_pipeline(pipeline, to);
  return to.take();
}

std::vector<std::byte> decoding_recipe_of(const Pipeline& pipeline, uint64_t stored, uint32_t skipped) {
  model::ByteWriter to;
  to.u64(k_decoding);
  to.u64(stored);
  to.u64(skipped);
  write_pipeline(pipeline, to);
  return to.take();
}

bool decodes(std::span<const std::byte> recipe) {
  const std::vector<std::byte> bytes(recipe.begin(), recipe.end());
  return model::ByteReader(bytes).u64() == k_decoding;
}

Result<Pipeline::Encoded> encode_by(std::span<const std::byte> recipe, std::span<const std::byte> image) {
  const std::vector<std::byte> bytes(recipe.begin(), recipe.end());
  model::ByteReader from(bytes);
  if (const uint64_t kind = from.u64(); kind != k_encoding) return wrong_kind(kind);
  const std::vector<std::byte> kept = from.raw();
  SCORPIO_ASSIGN(const Pipeline pipeline, read_pipeline(from, recipe.size()));
  return pipeline.encode(image, {false, kept});
}

Status decode_by(std::span<const std::byte> recipe, std::span<std::byte> image) {
  const std::vector<std::byte> bytes(recipe.begin(), recipe.end());
  model::ByteReader from(bytes);
  if (const uint64_t kind = from.u64(); kind != k_decoding) return wrong_kind(kind);
  const uint64_t stored = from.u64();
  const auto skipped = static_cast<uint32_t>(from.u64());
  SCORPIO_ASSIGN(const Pipeline pipeline, read_pipeline(from, recipe.size()));
  return pipeline.decode_in_place(stored, skipped, image);
}

}  // namespace scorpio::codec
