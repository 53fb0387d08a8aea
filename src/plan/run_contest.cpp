#include "plan/run_contest.h"

#include <algorithm>
#include <utility>

#include "decomp/intervals.h"

namespace scorpio::plan {

using decomp::Interval;

namespace {

constexpr size_t k_words_per_run = 3;

void append_run(std::vector<int64_t>& words, const HeldRun& run) {
  words.insert(words.end(), {run.begin, run.end, run.rank});
}

std::vector<HeldRun> runs_in(std::span<const int64_t> words) {
  std::vector<HeldRun> runs;
  runs.reserve(words.size() / k_words_per_run);
  for (size_t i = 0; i + 2 < words.size(); i += k_words_per_run)
    runs.push_back({words[i], words[i + 1], static_cast<int32_t>(words[i + 2])});
  return runs;
}

bool begins_before(const HeldRun& a, const HeldRun& b) { return a.begin < b.begin; }

}  // namespace

RunContest::RunContest(const Butterfly& butterfly, const Slices& slices, std::vector<HeldRun> own)
    : butterfly_(butterfly), end_(slices.places()), runs_(std::move(own)) {}

std::vector<int64_t> RunContest::give(int step) {
  std::vector<int64_t> words;
  if (butterfly_.partner(step) == butterfly_.rank()) return words;
  if (step == 0 && butterfly_.takes_part()) return words;
  const int64_t middle = begin_ + (end_ - begin_) / 2;
  const bool upper = step > 0 && butterfly_.upper(step);
  std::vector<HeldRun> kept;
  for (const HeldRun& run : runs_) {
    const HeldRun low{run.begin, std::min(run.end, middle), run.rank};
    const HeldRun high{std::max(run.begin, middle), run.end, run.rank};
    const bool has_low = low.begin < low.end, has_high = high.begin < high.end;
    if (step == 0) {
      append_run(words, run);
    } else {
      if (upper ? has_high : has_low) kept.push_back(upper ? high : low);
      if (upper ? has_low : has_high) append_run(words, upper ? low : high);
    }
  }
  runs_ = std::move(kept);
  if (step > 0) (upper ? begin_ : end_) = middle;
  return words;
}

void RunContest::take(std::span<const int64_t> words) {
  if (words.empty()) return;
  const size_t before = runs_.size();
  const std::vector<HeldRun> theirs = runs_in(words);
  runs_.insert(runs_.end(), theirs.begin(), theirs.end());
  std::inplace_merge(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(before), runs_.end(),
                     begins_before);
  remove_overlaps(runs_, losers_);
}

std::vector<Interval> RunContest::held() const {
  std::vector<Interval> held;
  if (butterfly_.takes_part()) {
    for (const HeldRun& run : runs_) append(held, {run.begin, run.end});
  }
  return held;
}

std::vector<int64_t> RunContest::give_back(int step) {
  std::vector<int64_t> words;
  if (butterfly_.partner(step) == butterfly_.rank()) return words;
  const auto first = std::stable_partition(losers_.begin(), losers_.end(), [&](const HeldRun& run) {
    return !butterfly_.passes_on(step, run.rank);
  });
  words.reserve(static_cast<size_t>(losers_.end() - first) * k_words_per_run);
  for (auto run = first; run != losers_.end(); ++run) append_run(words, *run);
  losers_.erase(first, losers_.end());
  return words;
}

void RunContest::take_back(std::span<const int64_t> words) {
  const std::vector<HeldRun> theirs = runs_in(words);
  losers_.insert(losers_.end(), theirs.begin(), theirs.end());
}

std::vector<Interval> RunContest::lost() const {
  std::vector<Interval> lost;
  lost.reserve(losers_.size());
  for (const HeldRun& run : losers_) lost.push_back({run.begin, run.end});
  std::ranges::sort(lost, {}, &Interval::begin);
  return lost;
}

}  // namespace scorpio::plan
