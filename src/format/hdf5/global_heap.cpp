#include "format/hdf5/global_heap.h"

#include <algorithm>
#include <array>

namespace scorpio::format::hdf5 {
namespace {

// HDF5 File Format Specification 3.0, III.E: signature, version 1, three bytes that are not used, the length.
constexpr std::array<uint8_t, 5> k_heap_signature{'G', 'C', 'O', 'L', 1};
constexpr size_t k_heap_header_bytes = 16, k_length_at = 8;
// Of an object: index, number of references, four bytes that are not used, the length.
constexpr size_t k_object_header_bytes = 16;
constexpr uint64_t k_object_alignment = 8;

uint64_t heap_number(std::span<const std::byte> bytes, size_t at, size_t count) {
  uint64_t value = 0;
  for (size_t i = count; i-- > 0;) value = value << 8 | std::to_integer<uint64_t>(bytes[at + i]);
  return value;
}

}  // namespace

std::optional<uint64_t> heap_collection_bytes(std::span<const std::byte> bytes) {
  const auto same = [](uint8_t a, std::byte b) { return std::byte{a} == b; };
  if (bytes.size() < k_heap_header_bytes ||
      !std::equal(k_heap_signature.begin(), k_heap_signature.end(), bytes.begin(), same))
    return std::nullopt;
  return heap_number(bytes, k_length_at, sizeof(uint64_t));
}

// The length of the free space, whose index is 0, includes its header.
bool heap_objects_end(std::span<const std::byte> collection) {
  size_t at = k_heap_header_bytes;
  while (at + k_object_header_bytes <= collection.size()) {
    const uint64_t length = heap_number(collection, at + k_length_at, sizeof(uint64_t));
    const bool free = heap_number(collection, at, 2) == 0;
    if (length > collection.size() - at || (free && length == 0)) return false;
    const uint64_t padded = (length + k_object_alignment - 1) / k_object_alignment * k_object_alignment;
    at += free ? length : k_object_header_bytes + padded;
  }
  return true;
}

}  // namespace scorpio::format::hdf5
