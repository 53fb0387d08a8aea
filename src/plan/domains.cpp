#include "plan/domains.h"

#include <algorithm>
#include <numeric>

namespace scorpio::plan {

namespace {

// Longer blocks of a file domain, which would serve no file, are not made: their multiples stay numbers.
constexpr uint64_t k_most_domain_bytes = uint64_t{1} << 62;

// The first block of the contiguous share of I/O rank `owner` of `n`; the inverse of the division in
// owner_of.
uint64_t share_begin(uint64_t blocks, int owner, int n) {
  const auto o = static_cast<uint64_t>(owner), k = static_cast<uint64_t>(n);
  return (o * blocks + k - 1) / k;
}

}  // namespace

Unit DomainRule::unit_at(uint64_t byte) const {
  const uint64_t number = number_at(byte);
  return {number, owner_by_number(number), bytes_of(number)};
}

int DomainRule::owner_by_number(uint64_t number) const {
  const uint64_t begin = begin_of(number);
  const uint64_t stretch =
      begin < k_chunk_space ? begin / owned_bytes() : number >> (begin - k_chunk_space) / k_chunk_range_bytes;
  return static_cast<int>(stretch % static_cast<uint64_t>(io_ranks)) * owner_step;
}

// A block that the variable shares with a neighbour keeps the owner that its number gives.
ByteRange DomainRule::divided_part(ByteRange variable) const {
  if (variable.begin >= k_chunk_space) return {0, 0};
  const uint64_t block = owned_bytes();
  const ByteRange inner{(variable.begin + block - 1) / block * block, variable.end / block * block};
  const uint64_t blocks = inner.end > inner.begin ? inner.size() / block : 0;
  return blocks > 0 && blocks >= static_cast<uint64_t>(io_ranks) ? inner : ByteRange{0, 0};
}

DomainRule undivided(DomainRule rule, uint64_t chunk_bytes) {
  if (chunk_bytes <= 1) return rule;
  rule.contiguous = rule.balanced = false;
  const uint64_t share = std::gcd(rule.unit_bytes, chunk_bytes);
  // If chunks and units have hardly a common divisor, all chunks have one owner, as if they were one block.
  const bool together = chunk_bytes > k_most_domain_bytes / (rule.unit_bytes / share);
  const uint64_t owned = together ? k_most_domain_bytes / rule.unit_bytes * rule.unit_bytes
                                  : rule.unit_bytes / share * chunk_bytes;
  rule.block_bytes = (std::max(rule.block_bytes, owned) + owned - 1) / owned * owned;
  return rule;
}

UnitWalk::UnitWalk(const DomainRule& rule, ByteRange variable, std::span<const ByteRange> touched)
    : rule_(rule), touched_(touched) {
  units_per_block_ = rule.owned_bytes() / rule.unit_bytes;
  const uint64_t first = rule.number_at(variable.begin);
  const uint64_t last = rule.number_from(variable.end);
  const ByteRange inner = rule.contiguous ? rule.divided_part(variable) : ByteRange{0, 0};
  if (inner.size() == 0) {
    divide(first, last);
    return;
  }
  inner_begin_ = rule.number_at(inner.begin);
  inner_end_ = rule.number_at(inner.end);
  const uint64_t blocks = (inner_end_ - inner_begin_) / units_per_block_;
  if (first < inner_begin_) lanes_.push_back({0, first, inner_begin_});
  for (int o = 0; o < rule.io_ranks; ++o) {
    lanes_.push_back({0, inner_begin_ + share_begin(blocks, o, rule.io_ranks) * units_per_block_,
                      inner_begin_ + share_begin(blocks, o + 1, rule.io_ranks) * units_per_block_});
  }
  if (inner_end_ < last) lanes_.push_back({0, inner_end_, last});
}

void UnitWalk::add_lane(uint64_t first, uint64_t last) {
  const auto at = std::ranges::partition_point(
      touched_, [&](const ByteRange& range) { return range.end <= rule_.begin_of(first); });
  lanes_.push_back({static_cast<size_t>(at - touched_.begin()), first, last});
}

// Ranges of whole blocks, which begin with different owners. In the space of chunks the order is that of the
// chunks, because incomplete chunks take memory.
void UnitWalk::divide(uint64_t first, uint64_t last) {
  if (rule_.ranges == 1 || touched_.empty() || touched_.front().begin >= k_chunk_space)
    return add_lane(first, last);
  const uint64_t begin = rule_.number_at(touched_.front().begin) / units_per_block_;
  const uint64_t end = (rule_.number_from(touched_.back().end) + units_per_block_ - 1) / units_per_block_;
  const auto owners = static_cast<uint64_t>(rule_.io_ranks), ranges = static_cast<uint64_t>(rule_.ranges);
  uint64_t blocks = (end - begin + ranges - 1) / ranges;
  if (blocks > owners) blocks += (owners - (blocks - 1) % owners) % owners;
  for (uint64_t block = begin; block < end; block += blocks) {
    const uint64_t limit = std::min(end, block + blocks);
    add_lane(std::max(first, block * units_per_block_), std::min(last, limit * units_per_block_));
  }
}

int UnitWalk::owner_of(uint64_t number) const {
  if (number < inner_begin_ || number >= inner_end_) return rule_.owner_by_number(number);
  const uint64_t blocks = (inner_end_ - inner_begin_) / units_per_block_;
  const uint64_t place = (number - inner_begin_) / units_per_block_;
  return static_cast<int>(place * static_cast<uint64_t>(rule_.io_ranks) / blocks) * rule_.owner_step;
}

// Advances (at, number) to the next accessed unit before `limit`; returns false if there is none.
bool UnitWalk::next_in_list(size_t& at, uint64_t& number, uint64_t limit) const {
  while (at < touched_.size() && touched_[at].end <= rule_.begin_of(number)) ++at;
  if (at == touched_.size()) return false;
  number = std::max(number, rule_.number_at(touched_[at].begin));
  return number < limit;
}

bool UnitWalk::next(Unit& unit) {
  while (!lanes_.empty()) {
    Lane& lane = lanes_[turn_];
    if (next_in_list(lane.at, lane.number, lane.limit)) {
      unit = {lane.number, owner_of(lane.number), rule_.bytes_of(lane.number)};
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
