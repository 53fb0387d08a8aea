#include "format/hdf5/extent_map.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace scorpio::format::hdf5 {
namespace {

// Adjacent extents are joined up to this size, so that appending takes little time. One that has reached the
// second size gets memory for all of it, because memory that is given back and allocated again must be
// cleared by the system once more.
constexpr size_t k_join_bytes = size_t{1} << 20;
constexpr size_t k_reserve_bytes = size_t{64} << 10;

uint64_t end_of(const std::pair<const uint64_t, std::vector<std::byte>>& extent) {
  return extent.first + extent.second.size();
}

std::ptrdiff_t offset(uint64_t address, uint64_t base) { return static_cast<std::ptrdiff_t>(address - base); }

}  // namespace

ExtentMap::Extents::const_iterator ExtentMap::at(uint64_t address) const {
  auto it = extents_.upper_bound(address);
  if (it == extents_.begin() || end_of(*std::prev(it)) <= address) return extents_.end();
  return std::prev(it);
}

bool ExtentMap::holds(uint64_t address, std::span<const std::byte> bytes) const {
  const auto it = at(address);
  if (it == extents_.end() || end_of(*it) < address + bytes.size()) return false;
  return std::equal(bytes.begin(), bytes.end(), it->second.begin() + offset(address, it->first));
}

void ExtentMap::put(uint64_t address, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  auto it = extents_.upper_bound(address);
  if (it != extents_.begin() && end_of(*std::prev(it)) >= address + bytes.size()) {
    auto& held = *std::prev(it);
    std::copy(bytes.begin(), bytes.end(), held.second.begin() + offset(address, held.first));
    return;
  }
  erase(address, address + bytes.size());
  bytes_ += bytes.size();
  it = extents_.upper_bound(address);
  if (it != extents_.begin() && end_of(*std::prev(it)) == address &&
      std::prev(it)->second.size() + bytes.size() <= k_join_bytes) {
    auto& held = std::prev(it)->second;
    if (held.size() + bytes.size() > k_reserve_bytes) held.reserve(k_join_bytes);
    held.insert(held.end(), bytes.begin(), bytes.end());
    return;
  }
  extents_.emplace_hint(it, address, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

void ExtentMap::erase(uint64_t begin, uint64_t end) {
  auto it = extents_.upper_bound(begin);
  if (it != extents_.begin() && end_of(*std::prev(it)) > begin) --it;
  while (it != extents_.end() && it->first < end) {
    const uint64_t first = it->first;
    std::vector<std::byte> held = std::move(it->second);
    const uint64_t last = first + held.size();
    it = extents_.erase(it);
    bytes_ -= std::min(last, end) - std::max(first, begin);
    if (last > end)
      extents_.emplace_hint(it, end, std::vector(held.begin() + offset(end, first), held.end()));
    if (first < begin) {
      held.resize(begin - first);
      extents_.emplace(first, std::move(held));
    }
  }
}

void ExtentMap::clear() {
  extents_.clear();
  bytes_ = 0;
}

void ExtentMap::overlay(uint64_t address, std::span<std::byte> out) const {
  const uint64_t end = address + out.size();
  auto it = extents_.upper_bound(address);
  if (it != extents_.begin() && end_of(*std::prev(it)) > address) --it;
  for (; it != extents_.end() && it->first < end; ++it) {
    const uint64_t from = std::max(address, it->first);
    const uint64_t to = std::min(end, end_of(*it));
    std::copy(it->second.begin() + offset(from, it->first), it->second.begin() + offset(to, it->first),
              out.begin() + offset(from, address));
  }
}

std::optional<uint64_t> ExtentMap::end_of_extent_at(uint64_t address) const {
  const auto it = at(address);
  if (it == extents_.end()) return std::nullopt;
  return end_of(*it);
}

bool ExtentMap::covers(uint64_t begin, uint64_t end) const {
  while (begin < end) {
    const auto next = end_of_extent_at(begin);
    if (!next) return false;
    begin = *next;
  }
  return true;
}

}  // namespace scorpio::format::hdf5
