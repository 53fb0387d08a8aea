// File domains: the bytes of a file that each I/O rank writes and reads, and their order. The raw space of a
// file is divided into units; a staging slot holds one unit at a time, or parts of several. The owner of a
// unit depends on its number and on the definitions, never on a flush, so that a block always has one writer.
// Pure arithmetic, the same on every rank.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_range.h"
#include "decomp/runs.h"

namespace scorpio::plan {

struct Unit {
  uint64_t number = 0;  // ascends with the bytes
  int owner = 0;        // index among the I/O ranks
  ByteRange bytes;
};

// From this address on raw space holds the chunks of variables, in ranges by size: in range `c`, of 2^55
// bytes, each aligned piece of `unit_bytes` << c bytes has one owner.
inline constexpr uint64_t k_chunk_space = uint64_t{1} << 61;
inline constexpr uint64_t k_chunk_range_bytes = uint64_t{1} << 55;
inline constexpr int k_chunk_ranges = 64;

// The division of raw space into units, and the owners of the units.
struct DomainRule {
  uint64_t unit_bytes = 1u << 20;
  uint64_t block_bytes = 1u << 20;  // units smaller than a block share the block's owner
  int io_ranks = 1;                 // that have units
  bool contiguous =
      false;  // the units of an I/O rank in a variable are consecutive (groups); otherwise owners alternate
  int ranges = 1;  // into which a variable is divided, and from which units are used in turn

  int owner_step = 1;  // the indexes of these I/O ranks among all of them are the multiples of it
  // Contiguous, of equal bytes, and not aligned: units are smaller than blocks and have owners of their own,
  // so that I/O ranks share blocks. For comparison with aligned domains alone.
  bool balanced = false;

  // The first byte of the unit with this number.
  uint64_t begin_of(uint64_t number) const { return number * unit_bytes; }
  ByteRange bytes_of(uint64_t number) const { return {begin_of(number), begin_of(number + 1)}; }
  // The number of the unit that contains `byte`.
  uint64_t number_at(uint64_t byte) const { return byte / unit_bytes; }
  // The number of the first unit that begins at `byte` or later.
  uint64_t number_from(uint64_t byte) const { return (byte + unit_bytes - 1) / unit_bytes; }
  // The range with one owner: a unit, or a block of several units.
  uint64_t owned_bytes() const { return balanced ? unit_bytes : std::max(unit_bytes, block_bytes); }
  // For alternating domains, and in the space of chunks, the number alone determines the owner.
  int owner_by_number(uint64_t number) const;
  Unit unit_at(uint64_t byte) const;
  // The bytes of `variable` that contiguous domains divide among the I/O ranks: whole blocks inside of it, at
  // least one for each I/O rank. Empty if they divide none; each unit then has the owner that alternating
  // domains give it.
  ByteRange divided_part(ByteRange variable) const;
};

// The rule, changed so that each range of `chunk_bytes` bytes, counted from byte 0, has one owner. The owner
// depends on the number of the unit alone, also if domains would be contiguous. The size of units does not
// change.
DomainRule undivided(DomainRule rule, uint64_t chunk_bytes);

// The units that the byte ranges of one variable overlap, in the order in which all ranks use them: ascending
// with alternating owners; with contiguous domains the units of the owners are interleaved, so that all
// owners write at the same time. With several ranges (DomainRule) the units of the ranges are interleaved:
// the nodes often hold consecutive parts of a variable, and would otherwise send and receive one after
// another.
class UnitWalk {
 public:
  // `variable`: all bytes of the variable. `touched`: sorted, disjoint parts of it, which must remain valid.
  UnitWalk(const DomainRule& rule, ByteRange variable, std::span<const ByteRange> touched);

  // Returns false after the last unit.
  bool next(Unit& unit);

 private:
  bool next_in_list(size_t& at, uint64_t& number, uint64_t limit) const;
  int owner_of(uint64_t number) const;
  void divide(uint64_t first, uint64_t last);
  void add_lane(uint64_t first, uint64_t last);

  DomainRule rule_;
  std::span<const ByteRange> touched_;
  uint64_t inner_begin_ = 0;  // units of whole blocks inside the variable: [inner_begin_, inner_end_)
  uint64_t inner_end_ = 0;
  uint64_t units_per_block_ = 1;  // 1 also if units are larger than blocks
  struct Lane {                   // one ascending sequence of units
    size_t at;
    uint64_t number;
    uint64_t limit;
  };
  std::vector<Lane> lanes_;
  size_t turn_ = 0;
};

}  // namespace scorpio::plan
