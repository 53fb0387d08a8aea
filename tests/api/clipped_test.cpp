// Values that were clipped in a put or a wait are returned by the next synchronisation point of any kind,
// once, and on all ranks.
#include <functional>

#include "accesses.h"
#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

// Nodes, exchange, and the number of files that are open already, after which files share staging memory.
struct Where {
  const char* nodes;
  const char* exchange;
  int open_before;
};

class Clipped : public testing::TestWithParam<Where> {
 protected:
  Clipped()
      : system_({{"staging_bytes", "256k"}, {"nodes", GetParam().nodes}, {"exchange", GetParam().exchange}}) {
    for (int i = 0; i < GetParam().open_before; ++i) {
      scorpio_file* other = nullptr;
      const std::string path = folder_ / ("other" + std::to_string(i));
      EXPECT_SUCCESS(
          scorpio_file_create(system_.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &other));
      others_.push_back(other);
    }
    const OptionList options(Settings{{"format", "cdf5"}});
    const std::string path = folder_ / "f";
    EXPECT_SUCCESS(
        scorpio_file_create(system_.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
    EXPECT_SUCCESS(scorpio_variable_define(file_, "v", SCORPIO_INT16, 1, layout_.dims.data(), &v_));
    EXPECT_SUCCESS(scorpio_variable_define(file_, "w", SCORPIO_INT16, 1, layout_.dims.data(), &w_));
    EXPECT_SUCCESS(scorpio_define_end(file_));
  }
  ~Clipped() override {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    for (scorpio_file* other : others_) EXPECT_SUCCESS(scorpio_file_close(other));
  }

  bool culprit() const { return rank_in() == ranks_in() - 1; }
  int told_here() const { return culprit() ? SCORPIO_ERR_RANGE : SCORPIO_OK; }
  std::vector<int32_t> values() const { return std::vector<int32_t>(4, culprit() ? 100000 : 7); }

  // Clips a value of `v` on the last rank.
  void put() {
    EXPECT_EQ(told_here(), scorpio_put_darray(file_, v_, decomp_.get(), 0, SCORPIO_INT32, values().data()));
  }
  void post() {
    posted_ = values();
    start_ = 4 * rank_in();
    count_ = 4;
    const scorpio_access part = scorpio_hyperslab(v_, &start_, &count_, SCORPIO_INT32, posted_.data());
    EXPECT_SUCCESS(scorpio_iput(file_, &part, nullptr));
  }
  void expect_told(int code, const std::string& what) {
    EXPECT_EQ(SCORPIO_ERR_RANGE, code) << what;
    EXPECT_TRUE(equal_on_all(code == SCORPIO_OK ? "" : last_text())) << what;
    if (code != SCORPIO_OK) {
      EXPECT_EQ(ranks_in() - 1, last_origin()) << what;
    }
    EXPECT_SUCCESS(scorpio_file_sync(file_)) << "told again after " << what;
  }
  int wait_all() { return scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr); }
  // This rank's part of `w`, or none of its elements.
  scorpio_access part_of_w(int64_t count) {
    start_ = 4 * rank_in();
    count_ = count;
    return scorpio_hyperslab(w_, &start_, &count_, SCORPIO_INT32, got_.data());
  }
  int get(int n) {
    const int ids[] = {w_};
    const void* const data[] = {got_.data()};
    return get_n(file_, darrays(n, ids, decomp_.get(), nullptr, SCORPIO_INT32, data));
  }
  int wait_for_get(int64_t count) {
    const scorpio_access part = part_of_w(count);
    EXPECT_SUCCESS(scorpio_iget(file_, &part, nullptr));
    return wait_all();
  }

  const TemporaryFolder folder_;
  const System system_;
  const Layout layout_ = uniform_layout({4 * ranks_in()}, ranks_in());
  const Decomp decomp_{system_, layout_};
  std::vector<scorpio_file*> others_;
  scorpio_file* file_ = nullptr;
  int v_ = -1, w_ = -1;
  std::vector<int32_t> posted_, got_ = std::vector<int32_t>(4, 0);
  int64_t start_ = 0, count_ = 0;
};

// Parts of a call with other decompositions are carried out one after the other.
TEST_P(Clipped, TheyDoNotHideTheFailureOfALaterPart) {
  const std::vector<int32_t> thousands(4, 1000);
  std::vector<int8_t> small(4), other(4);
  EXPECT_SUCCESS(scorpio_put_darray(file_, v_, decomp_.get(), 0, SCORPIO_INT32, thousands.data()));
  const Decomp second(system_, layout_);
  const scorpio_access parts[] = {scorpio_darray(v_, decomp_.get(), 0, SCORPIO_INT8, small.data()),
                                  scorpio_darray(4711, second.get(), 0, SCORPIO_INT8, other.data())};
  EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_get_n(file_, 1, parts));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_get_n(file_, 2, parts)) << last_text();
  EXPECT_TRUE(equal_on_all(last_text()));
}

INSTANTIATE_TEST_SUITE_P(Where, Clipped,
                         testing::Values(Where{"0", "auto", 0}, Where{"0", "auto", 8}, Where{"2", "auto", 0},
                                         Where{"2", "auto", 8}, Where{"0", "messages", 0}));

TEST_P(Clipped, APutIsToldAtAnySyncPoint) {
  const std::pair<std::string, std::function<int()>> sync_points[] = {
      {"sync", [&] { return scorpio_file_sync(file_); }},
      {"get", [&] { return get(1); }},
      {"get of no variables", [&] { return get(0); }},
      {"get of a hyperslab",
       [&] {
         const scorpio_access part = part_of_w(4);
         return scorpio_get(file_, &part);
       }},
      {"get_n of hyperslabs",
       [&] {
         const scorpio_access part = part_of_w(4);
         return scorpio_get_n(file_, 1, &part);
       }},
      {"put_n of nothing", [&] { return scorpio_put_n(file_, 0, nullptr); }},
      {"put of a hyperslab",
       [&] {
         const scorpio_access part = part_of_w(4);
         return put_of_rank(file_, 0, part);
       }},
      {"wait with gets", [&] { return wait_for_get(4); }},
      {"wait with gets of no elements", [&] { return wait_for_get(0); }},
      {"wait with a get of one rank",
       [&] {
         const scorpio_access part = part_of_w(0);
         if (rank_in() == 0) {
           EXPECT_SUCCESS(scorpio_iget(file_, &part, nullptr));
         }
         return wait_all();
       }},
  };
  for (const auto& [name, call] : sync_points) {
    put();
    expect_told(call(), name);
  }
  put();
  const int code = scorpio_define_begin(file_);
  EXPECT_SUCCESS(scorpio_define_end(file_));
  expect_told(code, "define_begin");
}

// A wait without gets is like a put: each rank returns its own clipped values at once, and those of the other
// ranks at the next synchronisation point.
TEST_P(Clipped, AWaitWithoutGetsTellsTheRankItself) {
  post();
  EXPECT_EQ(told_here(), wait_all());
  expect_told(scorpio_file_sync(file_), "a wait and a sync");
  post();
  EXPECT_EQ(told_here(), wait_all());
  expect_told(get(1), "a wait and a get");
}

TEST_P(Clipped, AWaitWithGetsTellsAllRanks) {
  for (const int64_t count : {4, 0}) {
    post();
    const scorpio_access part = scorpio_hyperslab(w_, &start_, &count, SCORPIO_INT32, got_.data());
    EXPECT_SUCCESS(scorpio_iget(file_, &part, nullptr));
    expect_told(wait_all(), "gets of " + std::to_string(count) + " elements");
  }
}

// Requests without a wait are carried out by the synchronisation point.
TEST_P(Clipped, PostsThatASyncCarriesOut) {
  post();
  expect_told(scorpio_file_sync(file_), "a sync with requests");
  post();
  const scorpio_access part = scorpio_hyperslab(w_, &start_, &count_, SCORPIO_INT32, got_.data());
  EXPECT_SUCCESS(scorpio_iget(file_, &part, nullptr));
  expect_told(scorpio_file_sync(file_), "a sync with requests of both kinds");
}

// A get also returns the failure of a put; the file lacks the data, so that the close returns it again.
TEST_P(Clipped, WhatAPutLostIsToldAtAGet) {
  scorpio_file* file = nullptr;
  int v = -1;
  EXPECT_SUCCESS(
      scorpio_file_create(system_.get(), (folder_ / "lost").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, layout_.dims.data(), &v));
  const std::vector<int32_t> data = values();
  (void)scorpio_put_darray(file, v, decomp_.get(), 0, SCORPIO_INT32, culprit() ? nullptr : data.data());
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_get_darray(file, v, decomp_.get(), 0, SCORPIO_INT32, got_.data()));
  EXPECT_EQ(ranks_in() - 1, last_origin());
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_file_close(file));
}

}  // namespace
}  // namespace scorpio::api_test
