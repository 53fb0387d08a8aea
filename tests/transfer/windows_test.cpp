// The windows in which parts of any variables are moved, on ranks that are threads: against what the ranks
// touch, unit by unit.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include "session/thread_group.h"
#include "transfer/combined_flow.h"

namespace scorpio::transfer {
namespace {

constexpr uint64_t k_window_unit_bytes = 8;
constexpr uint64_t k_most_units = 64u << 10;  // of a window
constexpr size_t k_element_bytes = 3;         // some lie in two units

plan::DomainRule rule() {
  plan::DomainRule rule;
  rule.unit_bytes = rule.block_bytes = k_window_unit_bytes;
  return rule;
}

struct Window {
  ByteRange bytes;
  std::vector<ByteRange> touched;
  bool continues;
};

// Of one rank.
using Elements = std::vector<int64_t>;  // sorted

std::vector<decomp::Run> runs_of(const Elements& elements) {
  std::vector<decomp::Run> runs;
  for (const int64_t element : elements) runs.push_back({element, std::ssize(runs), 1});
  return runs;
}

// As every rank of a job sees them; each holds `held` [ranks] of one array at byte `begin`. `gathers`: as in
// comm::RangePhase.
std::vector<std::vector<Window>> windows_of(const std::vector<Elements>& held, uint64_t begin, bool gathers) {
  const int ranks = static_cast<int>(held.size());
  test::MeetingPlace place(ranks);
  std::vector<decomp::RunList> runs;
  Reach all;
  for (const Elements& elements : held) {
    runs.emplace_back(runs_of(elements));
    for (const int64_t element : elements) {
      const uint64_t at = begin + static_cast<uint64_t>(element) * k_element_bytes;
      all.add({at, at + k_element_bytes});
    }
  }
  std::vector<std::vector<Window>> seen(held.size());
  std::vector<uint64_t> received(held.size());
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      const auto mine = static_cast<size_t>(rank);
      const test::ThreadGroup comm(place, rank);
      std::vector<exchange::Part> parts{
          {.begin = begin, .element_bytes = k_element_bytes, .runs = &runs[mine]}};
      CombinedFlow flow(rule(), all, {all}, {}, std::move(parts), false);
      for (;;) {
        const Result<bool> more = flow.next_window({comm, gathers, received[mine]});
        ASSERT_TRUE(more.ok()) << more.status().text();
        if (!*more) return;
        const exchange::Flow& now = flow.flow();
        seen[mine].push_back({now.variable, {now.touched.begin(), now.touched.end()}, now.continues});
        ASSERT_FALSE(now.exact);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return seen;
}

// What all ranks touch in each unit: from the first byte to the last.
std::vector<ByteRange> touched_by(const std::vector<Elements>& held, uint64_t begin) {
  std::map<uint64_t, ByteRange> units;
  for (const Elements& elements : held) {
    for (const int64_t element : elements) {
      for (uint64_t i = 0; i < k_element_bytes; ++i) {
        const uint64_t at = begin + static_cast<uint64_t>(element) * k_element_bytes + i;
        ByteRange& touched = units.try_emplace(at / k_window_unit_bytes, ByteRange{at, at}).first->second;
        touched = {std::min(touched.begin, at), std::max(touched.end, at + 1)};
      }
    }
  }
  std::vector<ByteRange> all;
  for (const auto& [number, touched] : units) all.push_back(touched);
  return all;
}

void expect_right(const std::vector<Elements>& held, uint64_t begin, bool gathers) {
  const auto seen = windows_of(held, begin, gathers);
  std::vector<ByteRange> touched;
  uint64_t end = 0;
  for (const Window& window : seen.front()) {
    EXPECT_EQ(window.continues, !touched.empty());
    EXPECT_EQ(0u, window.bytes.begin % k_window_unit_bytes);
    EXPECT_LE(end, window.bytes.begin);
    EXPECT_LE(window.bytes.size(), k_most_units * k_window_unit_bytes);
    EXPECT_FALSE(window.touched.empty()) << "a window in which nobody moves anything";
    end = window.bytes.end;
    for (const ByteRange& range : window.touched) {
      EXPECT_TRUE(window.bytes.begin <= range.begin && range.end <= window.bytes.end);
      touched.push_back(range);
    }
  }
  EXPECT_TRUE(touched_by(held, begin) == touched);
  for (const std::vector<Window>& other : seen) {
    ASSERT_EQ(seen.front().size(), other.size());
    for (size_t i = 0; i < other.size(); ++i) {
      EXPECT_TRUE(seen.front()[i].bytes == other[i].bytes);
      EXPECT_TRUE(seen.front()[i].touched == other[i].touched);
    }
  }
}

constexpr auto k_window_elements = static_cast<int64_t>(k_most_units * k_window_unit_bytes / k_element_bytes);

TEST(Windows, SkipWhatNobodyTouches) {
  const std::vector<Elements> held{{0, 100 * k_window_elements}, {50 * k_window_elements + 7}, {}};
  EXPECT_EQ(3u, windows_of(held, 40, false).front().size());
  for (const bool gathers : {false, true}) expect_right(held, 40, gathers);
}

TEST(Windows, FollowEachOtherWhereRanksTouchEverything) {
  Elements all;
  for (int64_t i = 0; i < 2 * k_window_elements + 100; i += 2) all.push_back(i);
  EXPECT_EQ(3u, windows_of({all}, 0, false).front().size());
  for (const bool gathers : {false, true}) expect_right({all, {1}}, 0, gathers);
}

TEST(Windows, HoldWhatRanksTouchWhereverThatIs) {
  std::mt19937 random(7);
  for (int round = 0; round < 8; ++round) {
    std::vector<Elements> held(1 + random() % 3);
    for (Elements& elements : held) {
      for (auto n = random() % 12; n > 0; --n)
        elements.push_back(static_cast<int64_t>(random() % 4) * k_window_elements +
                           static_cast<int64_t>(random() % 30) - 5);
      std::erase_if(elements, [](int64_t element) { return element < 0; });
      std::sort(elements.begin(), elements.end());
      elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    }
    expect_right(held, random() % 100, round % 2 == 1);
    ASSERT_FALSE(HasFailure()) << "in round " << round;
  }
}

}  // namespace
}  // namespace scorpio::transfer
