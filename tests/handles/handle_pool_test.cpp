// Which addresses are handles, whatever is asked for.
#include "capi/handle_pool.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace scorpio::capi {
namespace {

constexpr size_t k_bytes = 40;

TEST(HandlePool, KnowsWhatLives) {
  HandlePool pool(k_bytes);
  EXPECT_FALSE(pool.lives(nullptr));
  EXPECT_FALSE(pool.lives(&pool));
  std::vector<void*> handles;
  for (int i = 0; i < 1000; ++i) handles.push_back(pool.take());
  EXPECT_EQ(std::set<void*>(handles.begin(), handles.end()).size(), handles.size());
  for (size_t i = 0; i < handles.size(); i += 2) pool.give_back(handles[i]);
  for (size_t i = 0; i < handles.size(); ++i) EXPECT_EQ(pool.lives(handles[i]), i % 2 == 1) << i;
}

TEST(HandlePool, AnAddressInsideOfAHandleIsNone) {
  HandlePool pool(k_bytes);
  auto* const handle = static_cast<std::byte*>(pool.take());
  for (size_t i = 1; i < k_bytes; ++i) EXPECT_FALSE(pool.lives(handle + i)) << i;
  EXPECT_FALSE(pool.lives(handle - 1));
}

TEST(HandlePool, APlaceIsUsedAgainOnlyAfterManyOthersAreGone) {
  constexpr size_t k_resting = 100;
  HandlePool pool(k_bytes, k_resting);
  void* const first = pool.take();
  pool.give_back(first);
  for (size_t i = 0; i < k_resting; ++i) {
    void* const other = pool.take();
    ASSERT_NE(other, first) << i;
    ASSERT_FALSE(pool.lives(first));
    pool.give_back(other);
  }
  EXPECT_EQ(pool.take(), first) << "memory does not grow for ever";
}

TEST(HandlePool, GivenBackTwiceIsGivenBackOnce) {
  HandlePool pool(k_bytes, 0);
  void* const handle = pool.take();
  pool.give_back(handle);
  pool.give_back(handle);
  pool.give_back(&pool);
  EXPECT_NE(pool.take(), pool.take());
}

TEST(HandlePool, ThreadsTakeAndAskAtTheSameTime) {
  HandlePool pool(k_bytes, 10);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&pool] {
      for (int i = 0; i < 2000; ++i) {
        void* const one = pool.take();
        void* const two = pool.take();
        EXPECT_TRUE(pool.lives(one));
        pool.give_back(one);
        EXPECT_TRUE(pool.lives(two));
        pool.give_back(two);
      }
    });
  }
}

}  // namespace
}  // namespace scorpio::capi
