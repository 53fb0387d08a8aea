#include "plan/held_cells.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/attempt.h"
#include "comm/agree.h"
#include "plan/butterfly.h"

namespace scorpio::plan {

using decomp::Interval;

namespace {

constexpr int64_t k_bits = 64;

uint64_t bits_from(int64_t cell) { return ~uint64_t{0} << (cell % k_bits); }

}  // namespace

int64_t cell_elements(int64_t total) {
  return std::max<int64_t>(1, total / k_most_cells + (total % k_most_cells > 0 ? 1 : 0));
}

Cells::Cells(int64_t total)
    : cell_(cell_elements(total)), words_(static_cast<size_t>((total / cell_ + k_bits) / k_bits)) {}

void Cells::add(const Interval& elements) {
  if (elements.begin >= elements.end) return;
  const int64_t first = elements.begin / cell_, last = (elements.end - 1) / cell_;
  for (int64_t word = first / k_bits; word <= last / k_bits; ++word) {
    uint64_t bits = ~uint64_t{0};
    if (word == first / k_bits) bits &= bits_from(first);
    if (word == last / k_bits) bits &= ~(bits_from(last) << 1);
    words_[static_cast<size_t>(word)] |= static_cast<int64_t>(bits);
  }
}

void Cells::add(const decomp::StridedRange& range) {
  for (int64_t k = 0; k < range.count; ++k) {
    const int64_t begin = range.begin + k * range.stride;
    add(Interval{begin, begin + range.length});
  }
}

void Cells::add(const decomp::RunList& runs) {
  const Interval all = runs.hull();
  runs.for_each_span(all.begin, all.end, [this](const Interval& span) { add(span); });
}

void Cells::unite(std::span<const int64_t> words) {
  for (size_t i = 0; i < std::min(words.size(), words_.size()); ++i) words_[i] |= words[i];
}

// The first cell from `cell` on that is held, or is not; `end` if there is none before.
int64_t Cells::first_cell(int64_t cell, int64_t end, bool held) const {
  while (cell < end) {
    const auto word = static_cast<uint64_t>(words_[static_cast<size_t>(cell / k_bits)]);
    const uint64_t bits = (held ? word : ~word) & bits_from(cell);
    if (bits != 0) return std::min(end, cell / k_bits * k_bits + std::countr_zero(bits));
    cell = (cell / k_bits + 1) * k_bits;
  }
  return end;
}

Interval Cells::next(int64_t begin, int64_t end) const {
  if (begin >= end) return {end, end};
  const int64_t last = (end - 1) / cell_ + 1;
  const int64_t first = first_cell(begin / cell_, last, true);
  const int64_t behind = first_cell(first, last, false);
  return {std::clamp(first * cell_, begin, end), std::min(behind * cell_, end)};
}

namespace {

// A rank that has failed swaps empty lists until the ranks agree: the others wait for these.
class Union {
 public:
  Union(const comm::Group& comm, int64_t total, const decomp::RunList& own) : comm_(comm) {
    attempt(so_far_, [&] {
      auto cells = std::make_shared<Cells>(total);
      cells->add(own);
      cells_ = std::move(cells);
    });
  }

  // The ranks beyond the largest power of two are in the lists of others, and get the result of these.
  Result<HeldCells> of_all() {
    const Butterfly butterfly(comm_.rank(), comm_.size());
    for (int step = 0; step <= butterfly.last_step(); ++step) swap(butterfly.partner(step));
    swap(butterfly.partner(0));
    SCORPIO_TRY(comm::agree(comm_, so_far_));
    return HeldCells{std::move(cells_)};
  }

 private:
  void swap(int partner) {
    const bool any = so_far_.ok() && partner != comm_.rank();
    const Result<std::vector<int64_t>> received =
        comm_.swap(any ? cells_->words() : std::span<const int64_t>(), partner);
    so_far_ = first_failure(so_far_, received.status());
    attempt(so_far_, [&] { cells_->unite(*received); });
  }

  const comm::Group& comm_;
  Status so_far_;
  std::shared_ptr<Cells> cells_;
};

}  // namespace

Result<HeldCells> gather_cells(const comm::Group& comm, int64_t total, const decomp::RunList& own) {
  return Union(comm, total, own).of_all();
}

HeldIntervals::HeldIntervals(std::span<const Interval> coverage, const HeldCells& cells, int64_t most_gap)
    : coverage_(coverage), cells_(cells), most_gap_(most_gap) {
  if (!coverage_.empty()) from_ = coverage_.front().begin;
  open_ = next_stretch();
}

// The next one with a gap before it; empty after the last one.
Interval HeldIntervals::next_stretch() {
  while (at_ < coverage_.size()) {
    const int64_t end = coverage_[at_].end;
    Interval found{from_, end};
    if (cells_.cells != nullptr) {
      found = cells_.cells->next(from_ + cells_.origin, end + cells_.origin);
      found.begin -= cells_.origin;
      found.end -= cells_.origin;
    }
    from_ = found.end;
    if (from_ >= end && ++at_ < coverage_.size()) from_ = coverage_[at_].begin;
    if (found.begin < found.end) return found;
  }
  return {0, 0};
}

std::vector<Interval> HeldIntervals::next(size_t most) {
  std::vector<Interval> part;
  while (any_left() && part.size() < most) {
    Interval now = open_;
    open_ = next_stretch();
    while (any_left() && open_.begin - now.end <= most_gap_) {
      now.end = open_.end;
      open_ = next_stretch();
    }
    part.push_back(now);
  }
  return part;
}

}  // namespace scorpio::plan
