// Which addresses are handles, whatever is asked for.
#include "capi/handle_pool.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
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
  constexpr size_t k_resting = 1000;
  HandlePool pool(k_bytes, k_resting);
  void* const first = pool.take();
  pool.give_back(first);
  const auto take_other = [&] {
    void* const other = pool.take();
    EXPECT_EQ(pool.lives(first), other == first);
    pool.give_back(other);
    return other;
  };
  for (size_t i = 0; i < k_resting; ++i) ASSERT_NE(take_other(), first) << i;
  size_t more = 0;
  while (more < 10 * k_resting && take_other() != first) ++more;
  EXPECT_LT(more, 10 * k_resting) << "addresses do not grow for ever";
}

// Whenever it is released: the places around it may have been used again several times.
TEST(HandlePool, AHandleThatLivedLongIsNotUsedAgainSoonEither) {
  constexpr size_t k_resting = 1000;
  HandlePool pool(k_bytes, k_resting);
  for (size_t before = 0; before < 5000; before += 7) {
    void* const old = pool.take();
    for (size_t i = 0; i < before; ++i) pool.give_back(pool.take());
    pool.give_back(old);
    for (size_t i = 0; i < k_resting; ++i) {
      void* const other = pool.take();
      ASSERT_NE(other, old) << before << ' ' << i;
      pool.give_back(other);
    }
  }
}

TEST(HandlePool, ManyLiveAtOnce) {
  HandlePool pool(k_bytes, 100);
  std::set<void*> living;
  std::vector<void*> order;
  for (size_t i = 0; i < 20000; ++i) {
    order.push_back(pool.take());
    ASSERT_TRUE(living.insert(order.back()).second) << i;
    if (i % 3 != 2) continue;
    living.erase(order[i / 2]);
    pool.give_back(order[i / 2]);
  }
  for (void* const handle : order) ASSERT_EQ(pool.lives(handle), living.count(handle) != 0);
}

// The pages in memory from the lowest to the highest of the addresses.
size_t resident_pages(const std::vector<void*>& handles) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto [lowest, highest] = std::minmax_element(handles.begin(), handles.end(), std::less<>());
  const uintptr_t begin = reinterpret_cast<uintptr_t>(*lowest) / page * page;
  const uintptr_t end = (reinterpret_cast<uintptr_t>(*highest) / page + 1) * page;
  std::vector<unsigned char> resident((end - begin) / page);
  EXPECT_EQ(mincore(reinterpret_cast<void*>(begin), end - begin, resident.data()), 0);
  return static_cast<size_t>(
      std::count_if(resident.begin(), resident.end(), [](unsigned char r) { return r % 2 == 1; }));
}

TEST(HandlePool, ReleasedHandlesTakeNoMemory) {
  HandlePool pool(k_bytes);
  std::vector<void*> handles;
  for (int i = 0; i < 10000; ++i) handles.push_back(pool.take());
  const size_t used = resident_pages(handles);
  EXPECT_GE(used, 10000 * k_bytes / static_cast<size_t>(sysconf(_SC_PAGESIZE)));
  void* const last = handles.back();
  handles.pop_back();
  for (void* const handle : handles) pool.give_back(handle);
  EXPECT_LE(resident_pages(handles), 1U) << "the page of the last handle";
  EXPECT_TRUE(pool.lives(last));
  EXPECT_FALSE(pool.lives(handles.front()));
}

TEST(HandlePool, OneAfterTheOtherTakesNoMemory) {
  HandlePool pool(k_bytes);
  std::vector<void*> handles;
  for (int i = 0; i < 10000; ++i) {
    handles.push_back(pool.take());
    pool.give_back(handles.back());
  }
  EXPECT_LE(resident_pages(handles), 1U);
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
