// File domains: which I/O rank writes and reads which bytes of a file, and in which order.
// A file is cut at multiples of the region size into regions; a region is what one staging slot holds. The
// owner of a region depends on its number and on the model, never on a flush, so that a block always has one
// writer. Pure arithmetic, the same on every rank.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decomp/runs.h"

namespace scorpio::plan {

// Half-open range of bytes of a file.
struct ByteRange {
  uint64_t begin;
  uint64_t end;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

struct DomainRule {
  uint64_t region_bytes = 1u << 20;
  uint64_t block_bytes = 1u << 20;  // regions smaller than a block share the block's owner
  int io_ranks = 1;
  bool contiguous = false;  // an I/O rank's regions of a variable lie together (groups), else they alternate
};

// The rule, but that the stretches of `chunk_bytes` bytes from byte 0 have one owner each: it follows from
// the number alone, also where domains would be contiguous. Regions still have the same size.
DomainRule undivided(DomainRule rule, uint64_t chunk_bytes);

struct Region {
  uint64_t number;  // the file's bytes [number * region_bytes, (number + 1) * region_bytes)
  int owner;        // index among the I/O ranks
};

// The regions that the byte ranges of one variable touch, in the order in which all ranks go through them:
// ascending with alternating owners; with contiguous domains the owners' regions are interleaved, so that all
// write at once.
class RegionWalk {
 public:
  // `variable`: all bytes of the variable. `touched`: sorted, disjoint parts of it; kept by reference.
  RegionWalk(const DomainRule& rule, ByteRange variable, std::span<const ByteRange> touched);

  // False at the end.
  bool next(Region& region);

 private:
  bool next_in_list(size_t& at, uint64_t& number, uint64_t limit) const;
  int owner_of(uint64_t number) const;

  DomainRule rule_;
  std::span<const ByteRange> touched_;
  uint64_t inner_begin_ = 0;  // regions of whole units inside the variable: [inner_begin_, inner_end_)
  uint64_t inner_end_ = 0;
  uint64_t regions_per_unit_ = 1;  // a unit has one owner: a region, or a block of several
  struct Lane {                    // one ascending walk; a single one unless domains are contiguous
    size_t at;
    uint64_t number;
    uint64_t limit;
  };
  std::vector<Lane> lanes_;
  size_t turn_ = 0;
};

}  // namespace scorpio::plan
