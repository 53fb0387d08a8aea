// What an I/O rank did for a file while no call was made, and how much waited for it. A plain value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace scorpio::observe {

struct Meanwhile {
  uint64_t communication_ns = 0;  // of the I/O rank, inside calls: copying to staging memory and messages
  uint64_t encode_ns = 0;         // of its worker
  uint64_t write_ns = 0;          // of its worker, with metadata and without encoding
  uint64_t writes = 0;            // of its worker
  uint64_t bytes = 0;             // of these
  // The most full slots of the file that waited to be written, and the most bytes of their units.
  uint64_t queued_slots = 0;
  uint64_t queued_bytes = 0;

  void add(const Meanwhile& other) {
    communication_ns += other.communication_ns;
    encode_ns += other.encode_ns;
    write_ns += other.write_ns;
    writes += other.writes;
    bytes += other.bytes;
    queued_slots = std::max(queued_slots, other.queued_slots);
    queued_bytes = std::max(queued_bytes, other.queued_bytes);
  }
  auto values() const {
    return std::array{communication_ns, encode_ns, write_ns, writes, bytes, queued_slots, queued_bytes};
  }
};
// The names of values(), in their order.
inline constexpr std::array k_meanwhile_names = {
    "communication_ns", "encode_ns", "write_ns", "writes", "bytes", "queued_slots", "queued_bytes"};
inline constexpr size_t k_meanwhile_values = k_meanwhile_names.size();

}  // namespace scorpio::observe
