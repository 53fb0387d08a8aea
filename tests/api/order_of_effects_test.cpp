// The order of effects that data.h states: collective puts, gets and nonblocking requests of the same
// elements.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <utility>

#include "accesses.h"
#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

struct Case {
  const char* format;
  const char* nodes;
  const char* domains;
};

constexpr int64_t k_share = 5;

using Values = std::vector<int32_t>;

class OrderOfEffects : public testing::TestWithParam<Case> {
 protected:
  OrderOfEffects()
      : system_(
            Settings{{"nodes", ranks_in() > 1 ? GetParam().nodes : "1"}, {"domains", GetParam().domains}}) {
    const OptionList options(Settings{{"format", GetParam().format}});
    EXPECT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
    EXPECT_SUCCESS(scorpio_variable_define(file_, "v", SCORPIO_INT32, 1, &all_, &v_));
    if (classic()) {
      EXPECT_SUCCESS(scorpio_define_end(file_));
    }
  }
  ~OrderOfEffects() override {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    on_all(true);
  }
  bool classic() const { return GetParam().format != std::string("hdf5"); }

  // The ways to put a value into all elements, in each of which another rank puts an element.
  using Put = std::function<int(int32_t)>;
  std::vector<std::pair<std::string, Put>> puts() {
    return {{"by rows", [this](int32_t value) { return put_by(rows_, value); }},
            {"by other rows", [this](int32_t value) { return put_by(back_, value); }},
            {"hyperslabs of each rank",
             [this](int32_t value) {
               const scorpio_access access = part_of(rank_in() + 1, same(value).data());
               return scorpio_put(file_, &access);
             }},
            {"a hyperslab of one rank",
             [this](int32_t value) { return put_of_rank(file_, ranks_in() - 1, whole(value)); }},
            {"a hyperslab of all ranks", [this](int32_t value) { return put_of_all(file_, whole(value)); }}};
  }
  int put_by(const Decomp& decomp, int32_t value) {
    return scorpio_put_darray(file_, v_, decomp.get(), 0, SCORPIO_INT32, same(value).data());
  }
  const Values& same(int32_t value) { return values_ = Values(static_cast<size_t>(all_), value); }
  // The share of a rank, counted around.
  scorpio_access part_of(int rank, const int32_t* data) {
    start_ = k_share * (rank % ranks_in());
    return scorpio_hyperslab(v_, &start_, &share_, SCORPIO_INT32, data);
  }
  scorpio_access whole(int32_t value) {
    return scorpio_hyperslab(v_, &zero_, &all_, SCORPIO_INT32, same(value).data());
  }
  // A request of this rank alone, for the share of the next one. `data` lasts longer than it.
  scorpio_request post(const Values& data) {
    scorpio_request request = SCORPIO_REQUEST_NULL;
    EXPECT_SUCCESS(iput(file_, part_of(rank_in() + 1, data.data()), &request));
    return request;
  }

  Values get() {
    Values got(static_cast<size_t>(all_), -1);
    const scorpio_access access = scorpio_hyperslab(v_, &zero_, &all_, SCORPIO_INT32, got.data());
    EXPECT_SUCCESS(scorpio_get(file_, &access));
    return got;
  }
  void expect(int32_t value, const std::string& what) {
    EXPECT_EQ(Values(static_cast<size_t>(all_), value), get()) << what;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f";
  const int64_t all_ = k_share * ranks_in(), share_ = k_share, zero_ = 0;
  const System system_;
  const Layout layout_ = uniform_layout({all_}, ranks_in());
  const Layout back_layout_ = map_layout({all_}, [this] {
    std::vector<std::vector<int64_t>> index(layout_.index.rbegin(), layout_.index.rend());
    return index;
  }());
  const Decomp rows_{system_, layout_}, back_{system_, back_layout_};
  scorpio_file* file_ = nullptr;
  int v_ = -1;
  int64_t start_ = 0;
  Values values_;
};

TEST_P(OrderOfEffects, TheLaterCollectivePutIsKept) {
  int32_t value = 0;
  for (const auto& [first, put_first] : puts()) {
    for (const auto& [second, put_second] : puts()) {
      EXPECT_SUCCESS(put_first(++value));
      EXPECT_SUCCESS(put_second(++value));
      expect(value, first + ", then " + second);
    }
  }
}

TEST_P(OrderOfEffects, InOneCallTheLaterAccessIsKept) {
  const Values one(static_cast<size_t>(all_), 1), two(static_cast<size_t>(all_), 2);
  const scorpio_access slabs[2] = {part_of(rank_in(), one.data()), part_of(rank_in(), two.data())};
  EXPECT_SUCCESS(scorpio_put_n(file_, 2, slabs));
  expect(2, "hyperslabs of one rank");
  const scorpio_access parts[2] = {scorpio_darray(v_, rows_.get(), 0, SCORPIO_INT32, two.data()),
                                   scorpio_darray(v_, back_.get(), 0, SCORPIO_INT32, one.data())};
  EXPECT_SUCCESS(scorpio_put_n(file_, 2, parts));
  expect(1, "decompositions");
  // Where ranks hold the same elements, the highest.
  const Layout everything = map_layout({all_}, [this] {
    std::vector<int64_t> every(static_cast<size_t>(all_));
    std::iota(every.begin(), every.end(), 0);
    return std::vector<std::vector<int64_t>>(static_cast<size_t>(ranks_in()), every);
  }());
  EXPECT_SUCCESS(put_by(Decomp(system_, everything), 10 + rank_in()));
  expect(10 + ranks_in() - 1, "ranks");
}

TEST_P(OrderOfEffects, AGetReturnsAllEarlierPuts) {
  int32_t value = 0;
  for (const auto& [name, put] : puts()) {
    SCOPED_TRACE(name);
    EXPECT_SUCCESS(put(++value));
    Values got(k_share, -1);
    EXPECT_SUCCESS(scorpio_get_darray(file_, v_, back_.get(), 0, SCORPIO_INT32, got.data()));
    EXPECT_EQ(Values(k_share, value), got);
    EXPECT_SUCCESS(put(++value));
    scorpio_access access = part_of(0, got.data());
    access.sharing = SCORPIO_ONE_RANK;
    access.root = ranks_in() - 1;
    EXPECT_SUCCESS(scorpio_get(file_, &access));
    EXPECT_EQ(Values(k_share, rank_in() == ranks_in() - 1 ? value : value - 1), got) << "of one rank";
    EXPECT_SUCCESS(put(++value));
    EXPECT_SUCCESS(iget(file_, part_of(rank_in() + 2, got.data())));
    EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    EXPECT_EQ(Values(k_share, value), got) << "of a request";
  }
}

TEST_P(OrderOfEffects, ARequestTakesEffectInTheCallThatCarriesItOut) {
  std::vector<std::pair<std::string, std::function<int()>>> calls = {
      {"wait", [this] { return scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr); }},
      {"sync", [this] { return scorpio_file_sync(file_); }},
      {"close", [this] {
         const int code = scorpio_file_close(std::exchange(file_, nullptr));
         EXPECT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
         return code;
       }}};
  if (classic()) calls.emplace_back("define_begin", [this] { return scorpio_define_begin(file_); });
  int32_t value = 0;
  for (const auto& [name, put] : puts()) {
    for (const auto& [end, call] : calls) {
      const std::string what = name + ", then " + end;
      EXPECT_SUCCESS(put(++value));
      const Values early(k_share, ++value);
      (void)post(early);
      expect(value - 1, "a get does not return what is only posted: " + what);
      EXPECT_SUCCESS(put(++value));
      expect(value, what);
      EXPECT_SUCCESS(call());
      expect(early[0], what);
      EXPECT_SUCCESS(put(++value));
      expect(value, "a put after " + what);
    }
  }
}

TEST_P(OrderOfEffects, InOneWaitPutsPrecedeGets) {
  EXPECT_SUCCESS(put_by(rows_, 1));
  Values got(k_share, -1);
  const Values two(k_share, 2), three(k_share, 3);
  EXPECT_SUCCESS(iget(file_, part_of(rank_in(), got.data())));
  scorpio_request requests[2] = {post(two), post(three)};
  std::swap(requests[0], requests[1]);  // the order of posting counts, not that of the wait
  EXPECT_SUCCESS(scorpio_wait(file_, 2, requests, nullptr));
  expect(3, "the put that was posted last");
  (void)post(two);
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  EXPECT_EQ(two, got) << "the get was posted first";
}

TEST_P(OrderOfEffects, CancelledRequestsHaveNone) {
  EXPECT_SUCCESS(put_by(rows_, 1));
  const Values two(k_share, 2);
  scorpio_request request = post(two);
  EXPECT_SUCCESS(scorpio_cancel(file_, 1, &request));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  expect(1, "cancelled");
}

INSTANTIATE_TEST_SUITE_P(Where, OrderOfEffects,
                         testing::Values(Case{"hdf5", "1", "cyclic"}, Case{"hdf5", "2", "cyclic"},
                                         Case{"cdf5", "1", "cyclic"}, Case{"cdf5", "2", "cyclic"},
                                         Case{"cdf5", "2", "contiguous"}),
                         [](const auto& test) {
                           return std::string(test.param.format) + "_on_" + test.param.nodes + "_" +
                                  test.param.domains;
                         });

}  // namespace
}  // namespace scorpio::api_test
