#include "transfer/strips.h"

#include <algorithm>

#include "transfer/stored_ranges.h"

namespace scorpio::transfer {

namespace {

constexpr uint64_t k_most_units = 64u << 10;

// `stored`, divided at the boundaries of units.
std::vector<ByteRange> cut_at_units(const std::vector<ByteRange>& stored, const plan::DomainRule& rule) {
  std::vector<ByteRange> pieces;
  for (const ByteRange& range : stored) {
    for (uint64_t at = range.begin; at < range.end;) {
      const uint64_t end = std::min(range.end, rule.bytes_of(rule.number_at(at)).end);
      pieces.push_back({at, end});
      at = end;
    }
  }
  return pieces;
}

// The strip in which the slab has this byte.
uint64_t strip_at(const std::vector<ByteRange>& slabs, uint64_t byte, uint64_t strips) {
  const auto behind = std::upper_bound(slabs.begin(), slabs.end(), byte,
                                       [](uint64_t b, const ByteRange& slab) { return b < slab.begin; });
  if (behind == slabs.begin()) return 0;
  const ByteRange& slab = *std::prev(behind);
  const uint64_t strip_bytes = (slab.end - slab.begin + strips - 1) / strips;
  return std::min(strips - 1, (byte - slab.begin) / strip_bytes);
}

using Strip = std::vector<ByteRange>;

// If units are assigned to the I/O ranks in turn, the same pieces of all variables may belong to one I/O
// rank.
bool balanced(const Strip& strip, const plan::DomainRule& rule) {
  plan::UnitWalk walk(rule, {strip.front().begin, strip.back().end}, strip);
  std::vector<uint64_t> units_of(static_cast<size_t>(rule.io_ranks), 0);
  uint64_t all = 0;
  plan::Unit unit;
  for (; walk.next(unit); ++all) ++units_of[static_cast<size_t>(unit.owner / rule.owner_step)];
  const uint64_t most = *std::max_element(units_of.begin(), units_of.end());
  const uint64_t share = all / units_of.size();
  return most <= share + share / 2 + 1;
}

void merge(Strip& into, const Strip& strip) {
  const auto added = into.insert(into.end(), strip.begin(), strip.end());
  std::inplace_merge(into.begin(), added, into.end(),
                     [](const ByteRange& x, const ByteRange& y) { return x.begin < y.begin; });
}

std::vector<Strip> balance(const std::vector<Strip>& strips, const plan::DomainRule& rule) {
  std::vector<Strip> all;
  for (const Strip& strip : strips) {
    if (strip.empty()) continue;
    if (all.empty() || balanced(all.back(), rule)) {
      all.push_back(strip);
    } else {
      merge(all.back(), strip);
    }
  }
  for (Strip& strip : all) strip = stored_ranges(strip, {strip.front().begin, strip.back().end});
  return all;
}

}  // namespace

std::vector<std::vector<ByteRange>> strips_of(const std::vector<ByteRange>& stored,
                                              const std::vector<ByteRange>& slabs,
                                              const plan::DomainRule& rule, uint64_t units_at_once) {
  if (stored.empty()) return {};
  const uint64_t units = rule.number_from(stored.back().end) - rule.number_at(stored.front().begin);
  const bool worth_while = units <= k_most_units && units >= 2 * slabs.size();
  const uint64_t strips = worth_while ? (units + units_at_once - 1) / units_at_once : 1;
  if (strips <= 1) return {stored};
  std::vector<Strip> all(strips);
  uint64_t unit = ~uint64_t{0}, strip = 0;
  for (const ByteRange& piece : cut_at_units(stored, rule)) {
    if (rule.number_at(piece.begin) != unit) {
      unit = rule.number_at(piece.begin);
      strip = strip_at(slabs, piece.begin, strips);
    }
    all[strip].push_back(piece);
  }
  return balance(all, rule);
}

}  // namespace scorpio::transfer
