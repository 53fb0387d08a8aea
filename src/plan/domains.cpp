#include "plan/domains.h"

#include <algorithm>
#include <numeric>

namespace scorpio::plan {

namespace {

constexpr uint64_t k_last_byte = uint64_t{1} << 62;  // no file has more

// First unit of the contiguous share of I/O rank `owner` of `n`: inverse of owner_of's division.
uint64_t share_begin(uint64_t units, int owner, int n) {
  const auto o = static_cast<uint64_t>(owner), k = static_cast<uint64_t>(n);
  return (o * units + k - 1) / k;
}

}  // namespace

DomainRule undivided(DomainRule rule, uint64_t chunk_bytes) {
  if (chunk_bytes <= 1) return rule;
  rule.contiguous = false;
  const uint64_t share = std::gcd(rule.region_bytes, chunk_bytes);
  // Chunks that have so little in common with regions all have one owner, as if all were one block.
  const bool together = chunk_bytes > k_last_byte / (rule.region_bytes / share);
  const uint64_t unit = together ? k_last_byte / rule.region_bytes * rule.region_bytes
                                 : rule.region_bytes / share * chunk_bytes;
  rule.block_bytes = (std::max(rule.block_bytes, unit) + unit - 1) / unit * unit;
  return rule;
}

RegionWalk::RegionWalk(const DomainRule& rule, ByteRange variable, std::span<const ByteRange> touched)
    : rule_(rule), touched_(touched) {
  const uint64_t size = rule.region_bytes;
  const uint64_t unit = std::max(size, rule.block_bytes);
  regions_per_unit_ = unit / size;
  const uint64_t first = variable.begin / size;
  const uint64_t last = (variable.end + size - 1) / size;
  if (rule.contiguous) {
    // Only whole blocks inside the variable: a block shared with a neighbour keeps the owner its number
    // gives.
    inner_begin_ = (variable.begin + unit - 1) / unit * unit / size;
    inner_end_ = variable.end / unit * unit / size;
  }
  const uint64_t units = inner_end_ > inner_begin_ ? (inner_end_ - inner_begin_) / regions_per_unit_ : 0;
  const bool split = units > 0 && units >= static_cast<uint64_t>(rule.io_ranks);
  if (!split) {
    inner_begin_ = inner_end_ = 0;
    lanes_.push_back({0, first, last});
    return;
  }
  if (first < inner_begin_) lanes_.push_back({0, first, inner_begin_});
  for (int o = 0; o < rule.io_ranks; ++o) {
    lanes_.push_back({0, inner_begin_ + share_begin(units, o, rule.io_ranks) * regions_per_unit_,
                      inner_begin_ + share_begin(units, o + 1, rule.io_ranks) * regions_per_unit_});
  }
  if (inner_end_ < last) lanes_.push_back({0, inner_end_, last});
}

int RegionWalk::owner_of(uint64_t number) const {
  if (number >= inner_begin_ && number < inner_end_) {
    const uint64_t units = (inner_end_ - inner_begin_) / regions_per_unit_;
    const uint64_t place = (number - inner_begin_) / regions_per_unit_;
    return static_cast<int>(place * static_cast<uint64_t>(rule_.io_ranks) / units);
  }
  const uint64_t unit = std::max(rule_.region_bytes, rule_.block_bytes);
  return static_cast<int>(number * rule_.region_bytes / unit % static_cast<uint64_t>(rule_.io_ranks));
}

// Moves (at, number) on to the next touched region before `limit`; false when there is none.
bool RegionWalk::next_in_list(size_t& at, uint64_t& number, uint64_t limit) const {
  const uint64_t size = rule_.region_bytes;
  while (at < touched_.size() && touched_[at].end <= number * size) ++at;
  if (at == touched_.size()) return false;
  number = std::max(number, touched_[at].begin / size);
  return number < limit;
}

bool RegionWalk::next(Region& region) {
  while (!lanes_.empty()) {
    Lane& lane = lanes_[turn_];
    if (next_in_list(lane.at, lane.number, lane.limit)) {
      region = {lane.number, owner_of(lane.number)};
      ++lane.number;
      turn_ = (turn_ + 1) % lanes_.size();
      return true;
    }
    lanes_.erase(lanes_.begin() + static_cast<std::ptrdiff_t>(turn_));
    if (turn_ >= lanes_.size()) turn_ = 0;
  }
  return false;
}

}  // namespace scorpio::plan
