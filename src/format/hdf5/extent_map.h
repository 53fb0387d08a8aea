// Bytes by file address: the part of a file that is held in memory. Local; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace scorpio::format::hdf5 {

class ExtentMap {
 public:
  void put(uint64_t address, std::span<const std::byte> bytes);
  void erase(uint64_t begin, uint64_t end);
  void clear();

  // Copies the known bytes of [address, address + out.size()) to `out` and leaves the others unchanged.
  void overlay(uint64_t address, std::span<std::byte> out) const;
  bool covers(uint64_t begin, uint64_t end) const;
  // Whether exactly these bytes are known at `address`, in one extent.
  bool holds(uint64_t address, std::span<const std::byte> bytes) const;
  // The end of the extent that contains `address`, if there is one.
  std::optional<uint64_t> end_of_extent_at(uint64_t address) const;

  uint64_t bytes() const { return bytes_; }

 private:
  using Extents = std::map<uint64_t, std::vector<std::byte>>;
  Extents::const_iterator at(uint64_t address) const;

  Extents extents_;  // disjoint, not empty
  uint64_t bytes_ = 0;
};

}  // namespace scorpio::format::hdf5
