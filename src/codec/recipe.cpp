#include "codec/recipe.h"

#include <utility>

#include "model/byte_stream.h"

namespace scorpio::codec {

std::vector<std::byte> recipe_of(const Pipeline& pipeline, std::span<const std::byte> kept) {
  model::ByteWriter to;
  to.u64(pipeline.element_bytes());
  to.raw(kept.data(), kept.size());
  to.u64(pipeline.filters().size());
  for (const Filter& filter : pipeline.filters()) {
    to.u64(static_cast<uint64_t>(filter.number));
    to.u64(static_cast<uint64_t>(static_cast<int64_t>(filter.parameter)));
    to.u64(filter.values.size());
    for (const unsigned value : filter.values) to.u64(value);
  }
  return to.take();
}

Result<Pipeline::Encoded> encode_by(std::span<const std::byte> recipe, std::span<const std::byte> image) {
  const std::vector<std::byte> bytes(recipe.begin(), recipe.end());
  model::ByteReader from(bytes);
  const auto element_bytes = static_cast<uint32_t>(from.u64());
  const std::vector<std::byte> kept = from.raw();
  constexpr size_t k_least_of_filter = 3 * sizeof(uint64_t);
  std::vector<Filter> filters(from.count(k_least_of_filter));
  for (Filter& filter : filters) {
    filter.number = static_cast<int>(from.u64());
    filter.parameter = static_cast<int>(from.u64());
    filter.values.resize(from.count(sizeof(uint64_t)));
    for (unsigned& value : filter.values) value = static_cast<unsigned>(from.u64());
  }
  if (from.failed() || !from.at_end())
    return failure(Code::format, "{} bytes do not tell how a chunk is encoded", recipe.size());
  SCORPIO_ASSIGN(const Pipeline pipeline, Pipeline::make(std::move(filters), element_bytes));
  return pipeline.encode(image, {false, kept});
}

}  // namespace scorpio::codec
