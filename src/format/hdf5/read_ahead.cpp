#include "format/hdf5/read_ahead.h"

#include <algorithm>
#include <cstring>

namespace scorpio::format::hdf5 {
namespace {

constexpr uint64_t k_block_bytes = uint64_t{64} << 10;
constexpr size_t k_blocks = 256;

}  // namespace

Status ReadAhead::read(storage::StoredFile& file, uint64_t address, std::span<std::byte> out) {
  while (!out.empty()) {
    const uint64_t skip = address % k_block_bytes;
    const size_t take = static_cast<size_t>(std::min<uint64_t>(out.size(), k_block_bytes - skip));
    SCORPIO_ASSIGN(const auto bytes, block(file, address / k_block_bytes));
    std::memcpy(out.data(), bytes.data() + skip, take);
    out = out.subspan(take);
    address += take;
  }
  return {};
}

Result<std::span<const std::byte>> ReadAhead::block(storage::StoredFile& file, uint64_t number) {
  if (const auto held = blocks_.find(number); held != blocks_.end())
    return std::span(std::as_const(held->second));
  std::vector<std::byte> bytes(k_block_bytes);
  SCORPIO_TRY(file.read_at(bytes, number * k_block_bytes).status());
  if (blocks_.size() >= k_blocks) blocks_.clear();
  return std::span(std::as_const(blocks_.emplace(number, std::move(bytes)).first->second));
}

}  // namespace scorpio::format::hdf5
