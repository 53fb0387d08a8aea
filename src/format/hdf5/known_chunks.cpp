#include "format/hdf5/known_chunks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "codec/zfp.h"
#include "format/chunk_places.h"
#include "format/hdf5/handle.h"

namespace scorpio::format::hdf5 {
namespace {

constexpr size_t k_most_values = 8;  // of a filter that is built in
// Each rank keeps the fill value of each variable with chunks.
constexpr uint32_t k_largest_fill_bytes = uint32_t{1} << 20;

// 0 stands for the default of the library; levels below 1, which take less time than the first, are not
// offered.
int zstd_level(int stored) { return stored == 0 ? 3 : std::clamp(stored, 1, 22); }

int parameter_of(int number, std::span<const unsigned> values) {
  constexpr int k_blosc_default = 15;  // level 5, with shuffle
  const auto value = [&](size_t i, unsigned most) { return static_cast<int>(std::min(values[i], most)); };
  if (number == codec::k_deflate) return values.empty() ? 0 : value(0, 9);
  if (number == codec::k_zfp) return codec::zfp_parameter(values);
  if (number == codec::k_zstd) return zstd_level(values.empty() ? 0 : static_cast<int>(values.front()));
  if (number != codec::k_blosc) return 0;
  if (values.size() < 7) return k_blosc_default;
  return value(4, 9) + 10 * value(5, 2) + 100 * value(6, 5);
}

struct FilterFacts {
  H5Z_filter_t number = H5Z_FILTER_ERROR;
  std::array<unsigned, k_most_values> values{};
  size_t count = 0;  // of all values; those of a filter that is not built in may be more than are kept

  std::span<const unsigned> known_values() const {
    return std::span(values).first(std::min(count, values.size()));
  }
};

FilterFacts facts_of(hid_t list, unsigned index) {
  FilterFacts facts;
  unsigned flags = 0;
  facts.count = facts.values.size();
  facts.number = H5Pget_filter2(list, index, &flags, &facts.count, facts.values.data(), 0, nullptr, nullptr);
  return facts;
}

codec::Filter filter_of(const FilterFacts& facts) {
  const std::span<const unsigned> values = facts.known_values();
  codec::Filter filter{facts.number, parameter_of(facts.number, values)};
  if (filter.number == codec::k_zfp) filter.values.assign(values.begin(), values.end());
  return filter;
}

// None if the filter is not built in, or is used in a way that is not known here.
std::optional<codec::Filter> known_filter(hid_t list, unsigned index, uint32_t element_bytes) {
  const FilterFacts facts = facts_of(list, index);
  if (facts.number < 0 || codec::find_filter(facts.number) == nullptr) return std::nullopt;
  const bool other_elements = facts.count == 0 || facts.values[0] != element_bytes;
  if (facts.number == codec::k_shuffle && other_elements) return std::nullopt;
  return filter_of(facts);
}

std::optional<codec::Pipeline> known_pipeline(hid_t list, uint32_t element_bytes) {
  std::vector<codec::Filter> filters;
  const int count = H5Pget_nfilters(list);
  for (int i = 0; i < count; ++i) {
    const auto filter = known_filter(list, static_cast<unsigned>(i), element_bytes);
    if (!filter) return std::nullopt;
    filters.push_back(*filter);
  }
  auto pipeline = codec::Pipeline::make(std::move(filters), element_bytes);
  if (count < 0 || !pipeline.ok()) return std::nullopt;
  return std::move(pipeline).value();
}

// Of a damaged file HDF5 may return extents whose product is too large for 64 bits.
bool is_possible(const std::vector<int64_t>& chunk, uint32_t element_bytes) {
  uint64_t room = element_bytes > 0 ? k_largest_chunk_bytes / element_bytes : 0;
  for (const int64_t extent : chunk) {
    if (extent < 1) return false;
    room /= static_cast<uint64_t>(extent);
  }
  return room > 0;
}

// False if chunks at the ends of dimensions may be stored without filters, because the index does not mark
// them.
bool filters_all(hid_t list) {
  unsigned options = 0;
  return H5Pget_chunk_opts(list, &options) >= 0 && (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) == 0;
}

}  // namespace

std::optional<std::vector<std::byte>> fill_of(hid_t dataset, hid_t list, uint32_t element_bytes) {
  if (element_bytes > k_largest_fill_bytes) return std::nullopt;
  std::vector<std::byte> fill(element_bytes);
  H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
  if (H5Pfill_value_defined(list, &defined) < 0) return std::nullopt;
  if (defined == H5D_FILL_VALUE_UNDEFINED) return fill;
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (H5Tget_size(type.get()) != element_bytes) return std::nullopt;
  if (H5Pget_fill_value(list, type.get(), fill.data()) < 0) return std::nullopt;
  return fill;
}

codec::Filter stored_filter(hid_t list, unsigned index) { return filter_of(facts_of(list, index)); }

std::shared_ptr<const ChunkForm> examine_chunks(hid_t dataset, hid_t list, const TypeFacts& facts,
                                                const model::Variable& variable) {
  const std::vector<int64_t>& chunk = variable.storage.chunk;
  const uint32_t element_bytes = facts.type.size_bytes;
  if (!facts.exact || chunk.empty() || chunk.size() != variable.dims.size() ||
      !is_possible(chunk, element_bytes) || !filters_all(list)) {
    return nullptr;
  }
  const auto pipeline = known_pipeline(list, element_bytes);
  if (!pipeline) return nullptr;
  auto fill = fill_of(dataset, list, element_bytes);
  if (!fill) return nullptr;
  return std::make_shared<ChunkForm>(
      ChunkForm{{variable.dims, chunk, element_bytes, element_bytes}, *pipeline, *std::move(fill)});
}

}  // namespace scorpio::format::hdf5
