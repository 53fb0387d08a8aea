#include "scale/exchange_counts.h"

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

#include "plan/run_contest.h"

namespace scorpio::scale {

namespace {

using decomp::Interval;
using plan::Butterfly;
using plan::HeldRun;

constexpr int64_t k_elements = 1000, k_runs = 20;
// Of comm/swap.cpp: what fits the first message of a list.
constexpr size_t k_first_values = 511;

// `ranks`: a power of four.
std::vector<HeldRun> runs_of(int rank, int ranks, Held held) {
  const int64_t total = ranks * k_elements,
                side = int64_t{1} << (std::countr_zero(static_cast<unsigned>(ranks)) / 2);
  const int64_t place = held == Held::transposed ? rank % side * side + rank / side : rank;
  std::mt19937_64 random(held == Held::the_same ? 1 : static_cast<uint64_t>(rank) + 1);
  const auto draw = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  std::vector<Interval> drawn;
  for (int64_t i = 0; i < k_runs; ++i) {
    const bool near = held == Held::neighbours || held == Held::transposed;
    const int64_t begin = near ? std::min(total - 1, place * k_elements + i * 55 + draw(20)) : draw(total);
    drawn.push_back({begin, std::min(total, begin + 1 + draw(30))});
  }
  std::ranges::sort(drawn, {}, &Interval::begin);
  std::vector<HeldRun> runs;
  for (const Interval& i : drawn) {
    if (!runs.empty() && i.begin <= runs.back().end) {
      runs.back().end = std::max(runs.back().end, i.end);
    } else {
      runs.push_back({i.begin, i.end, rank});
    }
  }
  return runs;
}

class Job {
 public:
  Job(int ranks, Held held) : slices_(ranks, ranks * k_elements, 1), costs_(static_cast<size_t>(ranks)) {
    for (int rank = 0; rank < ranks; ++rank) {
      butterflies_.emplace_back(rank, ranks);
      contests_.emplace_back(butterflies_.back(), slices_, runs_of(rank, ranks, held));
    }
  }

  ExchangeCounts count() {
    const int last = butterflies_.front().last_step();
    for (int step = 0; step <= last; ++step) {
      swap(
          step, [&](plan::RunContest& rank) { return rank.give(step); },
          [](plan::RunContest& rank, const auto& words) { rank.take(words); });
    }
    ExchangeCounts counts;
    counts.coverage = coverage_bytes();
    for (int step = last; step >= 0; --step) {
      swap(
          step, [&](plan::RunContest& rank) { return rank.give_back(step); },
          [](plan::RunContest& rank, const auto& words) { rank.take_back(words); });
    }
    counts.ranks = static_cast<int>(costs_.size());
    for (size_t r = 0; r < costs_.size(); ++r) {
      counts.messages = std::max(counts.messages, costs_[r].messages);
      counts.most_sent = std::max(counts.most_sent, costs_[r].sent);
      counts.most_lists = std::max(counts.most_lists, costs_[r].lists);
      counts.sent += static_cast<double>(costs_[r].sent) / counts.ranks;
      counts.lists += static_cast<double>(costs_[r].lists) / counts.ranks;
      for (const Interval& i : contests_[r].lost()) counts.lost += static_cast<uint64_t>(i.end - i.begin);
    }
    // The last swaps, of the coverage, have as many partners.
    counts.messages += static_cast<uint64_t>(last) + 1;
    return counts;
  }

 private:
  struct Cost {
    uint64_t messages = 0, sent = 0, lists = 0;
  };

  template <typename Give, typename Take>
  void swap(int step, Give&& give, Take&& take) {
    std::vector<std::vector<int64_t>> words(contests_.size());
    for (size_t r = 0; r < contests_.size(); ++r) {
      words[r] = give(contests_[r]);
      if (butterflies_[r].partner(step) == static_cast<int>(r)) continue;
      costs_[r].messages += words[r].size() > k_first_values ? 2 : 1;
      costs_[r].sent += (1 + words[r].size()) * sizeof(int64_t);
    }
    for (size_t r = 0; r < contests_.size(); ++r) {
      const auto partner = static_cast<size_t>(butterflies_[r].partner(step));
      if (partner == r) continue;
      take(contests_[r], words[partner]);
      const uint64_t lists =
          contests_[r].bytes() + (words[r].size() + words[partner].size()) * sizeof(int64_t);
      costs_[r].lists = std::max(costs_[r].lists, lists);
    }
  }

  // By the rank with the most.
  uint64_t coverage_bytes() const {
    std::vector<plan::Coverage> buckets(static_cast<size_t>(slices_.buckets()));
    for (size_t r = 0; r < buckets.size(); ++r) {
      plan::BucketCoverage coverage;
      coverage.add(contests_[r].held());
      buckets[r] = coverage.take();
    }
    uint64_t bytes = 0;
    while (buckets.size() > 1) {
      size_t most = 0;
      std::vector<plan::Coverage> pairs;
      for (size_t i = 0; i < buckets.size(); i += 2) {
        most = std::max({most, buckets[i].intervals.size(), buckets[i + 1].intervals.size()});
        pairs.push_back(plan::joined(std::move(buckets[i]), buckets[i + 1]));
      }
      bytes += (2 + 2 * most) * sizeof(int64_t);
      buckets = std::move(pairs);
    }
    return bytes;
  }

  plan::Slices slices_;
  std::vector<Butterfly> butterflies_;
  std::vector<plan::RunContest> contests_;
  std::vector<Cost> costs_;
};

}  // namespace

ExchangeCounts counts_of_exchange(int ranks, Held held) { return Job(ranks, held).count(); }

}  // namespace scorpio::scale
