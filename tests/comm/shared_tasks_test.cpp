// Tasks that an owner offers to the ranks of its node, which are threads here: each is carried out once, by
// whoever comes first, and a failure gives it back as it was.
#include "comm/shared_tasks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace scorpio::comm {
namespace {

using Outcome = SharedTasks::Outcome;
using Progress = SharedTasks::Progress;

constexpr size_t k_bytes = 64;
constexpr std::byte k_recipe{7};

class Node {
 public:
  explicit Node(int owners = 2)
      : owners_(owners), boards_(SharedTasks::bytes(owners) / sizeof(Line)), shared_(100 * k_bytes) {}

  // Of one rank. A task adds its recipe to each byte.
  SharedTasks rank(int owner, SharedTasks::Body body = add) {
    return {{memory(), shared_, owners_, owner, 8}, std::move(body)};
  }
  std::byte* memory() { return reinterpret_cast<std::byte*>(boards_.data()); }
  std::span<std::byte> bytes(size_t number) { return std::span(shared_).subspan(number * k_bytes, k_bytes); }

  static Result<Outcome> add(std::span<const std::byte> recipe, std::span<std::byte> bytes) {
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(static_cast<int>(byte) + static_cast<int>(recipe[0]));
    return Outcome{bytes.size() / 2, 3, {0.5, 0.25}};
  }

 private:
  struct alignas(64) Line {
    std::byte bytes[64]{};
  };
  int owners_;
  std::vector<Line> boards_;
  std::vector<std::byte> shared_;
};

TEST(SharedTasks, AnotherRankCarriesATaskOut) {
  Node node;
  SharedTasks owner = node.rank(0), other = node.rank(-1);
  EXPECT_FALSE(other.help());
  const std::optional<int> task = owner.offer({&k_recipe, 1}, node.bytes(5));
  ASSERT_TRUE(task);
  EXPECT_FALSE(owner.help()) << "an owner takes its own tasks back";
  EXPECT_TRUE(other.help());
  EXPECT_FALSE(other.help());
  EXPECT_FALSE(owner.take_back(*task));
  Outcome outcome;
  EXPECT_EQ(Progress::done, owner.progress(*task, outcome));
  EXPECT_EQ(k_bytes / 2, outcome.bytes);
  EXPECT_EQ(3u, outcome.flags);
  EXPECT_EQ((std::array{0.5, 0.25}), outcome.figures);
  EXPECT_EQ(std::byte{7}, node.bytes(5)[k_bytes - 1]);
  EXPECT_EQ(std::byte{0}, node.bytes(6)[0]);
}

TEST(SharedTasks, AResultMayBeLongerThanTheTask) {
  Node node;
  const std::vector<std::byte> tail(SharedTasks::k_tail_bytes, std::byte{9});
  SharedTasks owner = node.rank(0);
  SharedTasks other = node.rank(-1, [&](auto, std::span<std::byte> bytes) -> Result<Outcome> {
    return Outcome{bytes.size(), 0, {}, tail};
  });
  const std::optional<int> task = owner.offer({&k_recipe, 1}, node.bytes(5));
  ASSERT_TRUE(task && other.help());
  Outcome outcome;
  EXPECT_EQ(Progress::done, owner.progress(*task, outcome));
  EXPECT_EQ(k_bytes, outcome.bytes);
  EXPECT_EQ(tail, outcome.tail);
}

TEST(SharedTasks, WhatWasTakenBackIsNotCarriedOut) {
  Node node;
  SharedTasks owner = node.rank(1), other = node.rank(0);
  const std::optional<int> task = owner.offer({&k_recipe, 1}, node.bytes(0));
  ASSERT_TRUE(task);
  EXPECT_TRUE(owner.take_back(*task));
  EXPECT_FALSE(other.help());
  EXPECT_EQ(std::byte{0}, node.bytes(0)[0]);
}

TEST(SharedTasks, AFailureOrAnExceptionEndsTheTask) {
  Node node;
  SharedTasks owner = node.rank(0);
  SharedTasks fails =
      node.rank(-1, [](auto, auto) -> Result<Outcome> { return failure(Code::memory, "no"); });
  SharedTasks throws = node.rank(-1, [](auto, auto) -> Result<Outcome> { throw std::runtime_error("no"); });
  for (SharedTasks* other : {&fails, &throws}) {
    const std::optional<int> task = owner.offer({&k_recipe, 1}, node.bytes(0));
    ASSERT_TRUE(task);
    EXPECT_TRUE(other->help());
    Outcome outcome;
    EXPECT_EQ(Progress::failed, owner.progress(*task, outcome));
  }
}

TEST(SharedTasks, NotMoreThanThereIsRoomFor) {
  Node node;
  SharedTasks owner = node.rank(0), other = node.rank(-1);
  for (int i = 0; i < SharedTasks::k_tasks; ++i)
    EXPECT_TRUE(owner.offer({&k_recipe, 1}, node.bytes(static_cast<size_t>(i))));
  EXPECT_FALSE(owner.offer({&k_recipe, 1}, node.bytes(99)));
  EXPECT_TRUE(owner.take_back(3));
  EXPECT_TRUE(owner.offer({&k_recipe, 1}, node.bytes(99)));
  std::vector<std::byte> elsewhere(k_bytes), long_recipe(SharedTasks::k_recipe_bytes + 1);
  EXPECT_TRUE(other.help());
  Outcome outcome;
  EXPECT_EQ(Progress::done, owner.progress(0, outcome));
  EXPECT_FALSE(owner.offer({&k_recipe, 1}, elsewhere)) << "other ranks do not have this memory";
  EXPECT_FALSE(owner.offer(long_recipe, node.bytes(0)));
}

TEST(SharedTasks, NotMoreRanksAtATimeThanAllowed) {
  Node node;
  SharedTasks owner = node.rank(0), other = node.rank(-1);
  int more = 0;
  SharedTasks first = node.rank(-1, [&](auto, auto bytes) -> Result<Outcome> {
    for (int i = 0; i < 20; ++i) more += node.rank(-1).help() ? 1 : 0;
    return Outcome{bytes.size(), 0, {}};
  });
  for (size_t i = 0; i < 20; ++i) EXPECT_TRUE(owner.offer({&k_recipe, 1}, node.bytes(i)));
  EXPECT_TRUE(first.help());
  EXPECT_EQ(19, more) << "one after the other";
  EXPECT_FALSE(other.help());
  SharedTasks none{{node.memory(), node.bytes(0), 2, -1, 0}, Node::add};
  EXPECT_TRUE(owner.offer({&k_recipe, 1}, node.bytes(30)));
  EXPECT_FALSE(none.help());
}

// Two owners and two more ranks take all of the memory with tasks of an eighth of it.
TEST(SharedTasks, FewerRanksAtATimeIfTasksAreLong) {
  Node node;
  SharedTasks owner = node.rank(0), other = node.rank(-1);
  EXPECT_EQ(8u, owner.helpers_with(0));
  EXPECT_EQ(8u, owner.helpers_with(5 * k_bytes));
  EXPECT_EQ(2u, owner.helpers_with(100 * k_bytes / 8));
  EXPECT_EQ(0u, owner.helpers_with(100 * k_bytes / 4));
  const auto offered = [&](size_t first, size_t number) {
    const std::span<std::byte> bytes(node.bytes(first).data(), number * k_bytes);
    return owner.offer({&k_recipe, 1}, bytes);
  };
  for (size_t i = 0; i < 5; ++i) EXPECT_TRUE(offered(i * 12, 12));
  EXPECT_EQ(2u, other.helpers());
  int second = 0, third = 0;
  SharedTasks inner = node.rank(-1, [&](auto, auto bytes) -> Result<Outcome> {
    third += node.rank(-1).help() ? 1 : 0;
    return Outcome{bytes.size(), 0, {}};
  });
  SharedTasks outer = node.rank(-1, [&](auto, auto bytes) -> Result<Outcome> {
    second += inner.help() ? 1 : 0;
    return Outcome{bytes.size(), 0, {}};
  });
  EXPECT_TRUE(outer.help());
  EXPECT_EQ(1, second);
  EXPECT_EQ(0, third);
  EXPECT_TRUE(offered(0, 30));
  EXPECT_EQ(0u, other.helpers());
  EXPECT_FALSE(other.help()) << "the owner does it";
}

// Two owners, or two threads of one, offer, take back and wait; other ranks help until both have finished.
class Owners : public testing::TestWithParam<int> {};

TEST_P(Owners, EachTaskIsCarriedOutOnce) {
  Node node;
  std::atomic<int> at_work = 2, helped = 0;
  const auto owner_of = [&](int number) {
    SharedTasks mine = node.rank(number % GetParam());
    for (int round = 0; round < 2000; ++round) {
      const size_t first = static_cast<size_t>(number) * 50;
      std::vector<int> tasks;
      for (size_t i = 0; i < 6; ++i) {
        std::ranges::fill(node.bytes(first + i), std::byte{1});
        tasks.push_back(mine.offer({&k_recipe, 1}, node.bytes(first + i)).value());
      }
      for (size_t i = 0; i < tasks.size(); ++i) {
        if (i % 2 == 0) std::this_thread::yield();
        Outcome outcome;
        const bool back = mine.take_back(tasks[i]);
        if (!back) {
          while (mine.progress(tasks[i], outcome) == Progress::under_way) mine.nap(tasks[i]);
        }
        const std::byte expected{back ? uint8_t{1} : uint8_t{8}};
        ASSERT_TRUE(std::ranges::all_of(node.bytes(first + i), [&](std::byte b) { return b == expected; }));
      }
    }
    --at_work;
  };
  std::vector<std::thread> threads;
  for (int number : {0, 1}) threads.emplace_back(owner_of, number);
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      SharedTasks other = node.rank(-1);
      while (at_work > 0) {
        if (other.help()) ++helped;
        std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LT(0, helped);
}

INSTANTIATE_TEST_SUITE_P(SharedTasks, Owners, testing::Values(1, 2));

}  // namespace
}  // namespace scorpio::comm
