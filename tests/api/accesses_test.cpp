// What an access can describe, and the calls of n accesses: offsets, maps and strides of several hyperslabs,
// decompositions beside them, sharing, and what is refused.
#include "accesses.h"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

using Values = std::vector<int32_t>;

// v [rows][k_columns], with k_rows rows for each rank; s without dimensions; w as v, of float64.
class Accesses : public testing::TestWithParam<const char*> {
 protected:
  static constexpr int64_t k_rows = 4, k_columns = 6;

  Accesses() {
    const OptionList options(Settings{{"format", GetParam()}});
    EXPECT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
    EXPECT_SUCCESS(scorpio_variable_define(file_, "v", SCORPIO_INT32, 2, dims_, &v_));
    EXPECT_SUCCESS(scorpio_variable_define(file_, "w", SCORPIO_FLOAT64, 2, dims_, &w_));
    EXPECT_SUCCESS(scorpio_variable_define(file_, "s", SCORPIO_INT32, 0, nullptr, &s_));
    EXPECT_SUCCESS(scorpio_put_darray(file_, v_, rows_.get(), 0, SCORPIO_INT32, zeros_.data()));
    EXPECT_SUCCESS(scorpio_put_darray(file_, w_, rows_.get(), 0, SCORPIO_INT32, zeros_.data()));
  }
  ~Accesses() override {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    on_all(true);
  }

  int64_t first_row() const { return k_rows * rank_in(); }
  Values get(int variable) {
    Values all(static_cast<size_t>(dims_[0] * dims_[1]), -1);
    const scorpio_access access = scorpio_hyperslab(variable, zero_, dims_, SCORPIO_INT32, all.data());
    EXPECT_SUCCESS(scorpio_get(file_, &access));
    return all;
  }
  // Of this rank's rows.
  Values mine(int variable) {
    const Values all = get(variable);
    const auto begin = all.begin() + first_row() * k_columns;
    return {begin, begin + k_rows * k_columns};
  }
  int test_all() const {
    int done = -1;
    EXPECT_SUCCESS(scorpio_test(file_, SCORPIO_ALL_REQUESTS, nullptr, &done));
    return done;
  }
  int wait_all() const { return scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr); }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f";
  const System system_;
  const int64_t zero_[2] = {0, 0}, dims_[2] = {k_rows * ranks_in(), k_columns};
  const Layout layout_ = uniform_layout({dims_[0], dims_[1]}, ranks_in());
  const Decomp rows_{system_, layout_};
  const Values zeros_ = Values(k_rows * k_columns, 0);
  scorpio_file* file_ = nullptr;
  int v_ = -1, w_ = -1, s_ = -1;
};

// Three hyperslabs: a row, a part of one, and every second element of the next; in another order in memory.
struct Three {
  explicit Three(int64_t first_row) : start{first_row, 0, first_row + 1, 2, first_row + 2, 0} {}
  int64_t start[6];
  int64_t count[6] = {1, 6, 1, 2, 1, 3};
  int64_t stride[6] = {1, 1, 1, 1, 1, 2};
  int64_t offset[3] = {7, 14, 1};
  Values data = {90, 31, 32, 33, 94, 95, 96, 11, 12, 13, 14, 15, 16, 97, 21, 22, 98};
  const Values expected = {11, 12, 13, 14, 15, 16, 0, 0, 21, 22, 0, 0, 31, 0, 32, 0, 33, 0, 0, 0, 0, 0, 0, 0};
  scorpio_access of(int variable) {
    scorpio_access access = scorpio_hyperslab(variable, start, count, SCORPIO_INT32, data.data());
    access.n = 3;
    access.stride = stride;
    access.offset = offset;
    return access;
  }
};

TEST_P(Accesses, HyperslabsBeginWhereTheOffsetsSay) {
  EXPECT_SUCCESS(scorpio_buffer_attach(file_, 1000));
  Three three(first_row());
  const Values given = three.data;
  for (const int variable : {v_, w_}) {
    if (variable == v_) {
      const scorpio_access access = three.of(variable);
      EXPECT_SUCCESS(scorpio_put(file_, &access));
    } else {
      EXPECT_SUCCESS(bput(file_, three.of(variable)));
      three.data.assign(given.size(), -7);
      EXPECT_SUCCESS(wait_all());
    }
    EXPECT_EQ(three.expected, mine(variable));
    three.data.assign(given.size(), -1);
    const scorpio_access access = three.of(variable);
    EXPECT_SUCCESS(scorpio_get(file_, &access));
    Values expected = given;
    for (size_t i = 0; i < expected.size(); ++i) expected[i] = given[i] >= 90 ? -1 : given[i];
    EXPECT_EQ(expected, three.data);
    three.data = given;
  }
}

// A box and its neighbour, column by column in memory, the second one backwards from its end.
TEST_P(Accesses, AMapIsTheSameForAllHyperslabs) {
  const int64_t start[4] = {first_row(), 0, first_row() + 2, 0}, count[4] = {2, 3, 2, 3};
  const int64_t offset[2] = {5, 11}, map[2] = {-3, -1};
  Values data(12);
  std::iota(data.begin(), data.end(), 1);
  scorpio_access access = scorpio_hyperslab(v_, start, count, SCORPIO_INT32, data.data());
  access.n = 2;
  access.offset = offset;
  access.map = map;
  EXPECT_SUCCESS(scorpio_put(file_, &access));
  EXPECT_EQ((Values{6, 5, 4, 0, 0, 0, 3, 2, 1, 0, 0, 0, 12, 11, 10, 0, 0, 0, 9, 8, 7, 0, 0, 0}), mine(v_));
  Values back(12, -1);
  access.data = back.data();
  EXPECT_SUCCESS(iget(file_, access));
  EXPECT_SUCCESS(wait_all());
  EXPECT_EQ(data, back);
}

TEST_P(Accesses, OffsetsOfRecords) {
  EXPECT_SUCCESS(scorpio_define_begin(file_));
  int dims[2], r = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "time", SCORPIO_UNLIMITED, &dims[0]));
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "x", 2 * ranks_in(), &dims[1]));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "r", SCORPIO_INT32, 2, dims, &r));
  EXPECT_SUCCESS(scorpio_define_end(file_));
  const int64_t start[4] = {0, 2 * rank_in(), 2, 2 * rank_in()}, count[4] = {2, 2, 1, 2}, offset[2] = {3, 0};
  const Values data = {5, 6, -1, 1, 2, 3, 4};
  scorpio_access access = hyperslabs(r, 2, start, count, SCORPIO_INT32, data.data());
  access.offset = offset;
  EXPECT_SUCCESS(scorpio_put(file_, &access));
  Values got(6, -1);
  const int64_t three[2] = {3, 2};
  const scorpio_access all = scorpio_hyperslab(r, start, three, SCORPIO_INT32, got.data());
  EXPECT_SUCCESS(scorpio_get(file_, &all));
  EXPECT_EQ((Values{1, 2, 3, 4, 5, 6}), got);
}

// Each rank's elements backwards, with a hole in the buffer, and an element that the rank holds twice.
TEST_P(Accesses, ABufferedPutByADecompositionWithHoles) {
  std::vector<std::vector<int64_t>> index(static_cast<size_t>(ranks_in()));
  const int64_t n = k_rows * k_columns;
  for (int rank = 0; rank < ranks_in(); ++rank) {
    for (int64_t i = n; i-- > 0;)
      index[static_cast<size_t>(rank)].push_back(i == 3 ? -1 : rank * n + (i == 10 ? 11 : i));
  }
  const Decomp decomp(system_, map_layout({dims_[0], dims_[1]}, index));
  Values data(static_cast<size_t>(n)), expected(data.size());
  std::iota(data.begin(), data.end(), 1);
  for (size_t i = 0; i < data.size(); ++i) expected[data.size() - 1 - i] = data[i];
  expected[3] = 0;
  expected[11] = std::exchange(expected[10], 0);
  EXPECT_SUCCESS(scorpio_buffer_attach(file_, 1000));
  EXPECT_SUCCESS(bput(file_, scorpio_darray(v_, decomp.get(), 0, SCORPIO_INT32, data.data())));
  data.assign(data.size(), -7);
  EXPECT_SUCCESS(wait_all());
  EXPECT_SUCCESS(scorpio_buffer_detach(file_));
  EXPECT_EQ(expected, mine(v_));
}

TEST_P(Accesses, SeveralDecompositionsAndTypesInOneCall) {
  const Layout other = uniform_layout({1, dims_[0], dims_[1]}, ranks_in());  // all of it on rank 0
  const Decomp on_one(system_, other);
  const Values ints(static_cast<size_t>(dims_[0] * dims_[1]), 3);
  const std::vector<double> doubles(k_rows * k_columns, 4.0);
  const uint64_t before = system_.counter("operations");
  EXPECT_SUCCESS(put_n(file_, {scorpio_darray(v_, rows_.get(), 0, SCORPIO_INT32, ints.data()),
                               scorpio_darray(w_, rows_.get(), 0, SCORPIO_FLOAT64, doubles.data())}));
  EXPECT_EQ(before + 1, system_.counter("operations")) << "consecutive accesses by one decomposition";
  EXPECT_EQ(Values(zeros_.size(), 3), mine(v_));
  EXPECT_EQ(Values(zeros_.size(), 4), mine(w_));
  EXPECT_SUCCESS(put_n(file_, {scorpio_darray(v_, rows_.get(), 0, SCORPIO_FLOAT64, doubles.data()),
                               scorpio_darray(w_, on_one.get(), 0, SCORPIO_INT32, ints.data())}));
  EXPECT_EQ(Values(zeros_.size(), 4), mine(v_));
  EXPECT_EQ(Values(zeros_.size(), 3), mine(w_));
  Values part(zeros_.size(), -1);
  std::vector<double> all(ints.size(), -1);
  EXPECT_SUCCESS(get_n(file_, {scorpio_darray(v_, rows_.get(), 0, SCORPIO_INT32, part.data()),
                               scorpio_darray(w_, on_one.get(), 0, SCORPIO_FLOAT64, all.data())}));
  EXPECT_EQ(Values(zeros_.size(), 4), part);
  EXPECT_EQ(std::vector<double>(ints.size(), rank_in() == 0 ? 3 : -1), all);
}

TEST_P(Accesses, DecompositionsBesideHyperslabsOfSomeRanks) {
  const Values fives(k_rows * k_columns, 5);
  const int64_t start[2] = {first_row(), 0}, count[2] = {1, 1};
  const int32_t six = 6;
  std::vector<scorpio_access> accesses = {scorpio_darray(v_, rows_.get(), 0, SCORPIO_INT32, fives.data())};
  if (rank_in() == 0) accesses.push_back(scorpio_hyperslab(s_, nullptr, nullptr, SCORPIO_INT32, &six));
  accesses.push_back(scorpio_hyperslab(v_, start, count, SCORPIO_INT32, &six));
  EXPECT_SUCCESS(put_n(file_, accesses));
  Values expected = fives;
  expected[0] = 6;
  EXPECT_EQ(expected, mine(v_));
  int32_t scalar = 0;
  EXPECT_SUCCESS(scorpio_get_scalar(file_, s_, SCORPIO_INT32, &scalar));
  EXPECT_EQ(6, scalar);
  accesses[0].fill = &six;
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, put_n(file_, accesses)) << "only all ranks know what none of them holds";
}

TEST_P(Accesses, OfOneRankAndOfAllInOneCall) {
  const int64_t start[2] = {0, 0}, second[2] = {1, 0}, own[2] = {first_row() + 2, 0}, row[2] = {1, k_columns};
  const Values seven(k_columns, 7), eight(k_columns, 8), nine(k_columns, 10 + rank_in());
  const int root = ranks_in() - 1;
  scorpio_access one =
      scorpio_hyperslab(rank_in() == root ? v_ : 99, start, row, SCORPIO_INT32, seven.data());
  one.sharing = SCORPIO_ONE_RANK;
  one.root = root;
  scorpio_access all = scorpio_hyperslab(v_, second, row, SCORPIO_INT32, eight.data());
  all.sharing = SCORPIO_ALL_RANKS;
  const scorpio_access each = scorpio_hyperslab(v_, own, row, SCORPIO_INT32, nine.data());
  const uint64_t before = system_.sum("bytes_placed");
  EXPECT_SUCCESS(put_n(file_, {one, all, each}));
  EXPECT_EQ(static_cast<uint64_t>(ranks_in() + 2) * k_columns * 4, system_.sum("bytes_placed") - before)
      << "one copy of what all ranks give";
  const Values got = get(v_);
  for (int64_t i = 0; i < k_columns; ++i) {
    EXPECT_EQ(7, got[static_cast<size_t>(i)]);
    EXPECT_EQ(8, got[static_cast<size_t>(k_columns + i)]);
    for (int rank = 0; rank < ranks_in(); ++rank)
      EXPECT_EQ(10 + rank, got[static_cast<size_t>((k_rows * rank + 2) * k_columns + i)]);
  }
  // One that only some ranks give for themselves may be anywhere; what is shared must be in one order.
  EXPECT_SUCCESS(put_n(file_, rank_in() == 0 ? std::vector<scorpio_access>{each, one, all}
                                             : std::vector<scorpio_access>{one, all}));
  if (ranks_in() == 1) return;
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, put_n(file_, rank_in() == 0 ? std::vector<scorpio_access>{all, one}
                                                              : std::vector<scorpio_access>{one, all}));
  EXPECT_NE(std::string::npos, last_text().find("all ranks, rank " + std::to_string(root))) << last_text();
  all.variable = rank_in() == root ? 99 : v_;
  EXPECT_EQ(SCORPIO_ERR_HANDLE, put_n(file_, {all, each})) << "all ranks are checked";
  EXPECT_EQ(root, last_origin());
}

TEST_P(Accesses, RequestsArePostedAllOrNone) {
  const int64_t start[2] = {first_row(), 0}, row[2] = {1, k_columns}, far[2] = {dims_[0], 0};
  const Values seven(k_columns, 7);
  const scorpio_access right = scorpio_hyperslab(v_, start, row, SCORPIO_INT32, seven.data());
  const scorpio_access wrong = scorpio_hyperslab(v_, far, row, SCORPIO_INT32, seven.data());
  const scorpio_access bad[] = {right, right, wrong}, good[] = {right, right};
  scorpio_request requests[3] = {4711, 4711, 4711};
  EXPECT_SUCCESS(scorpio_buffer_attach(file_, 1000));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_iput_n(file_, 3, bad, requests));
  EXPECT_NE(std::string::npos, last_text().find("access 2")) << last_text();
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_bput_n(file_, 3, bad, nullptr));
  for (const scorpio_request request : requests) EXPECT_EQ(SCORPIO_REQUEST_NULL, request);
  EXPECT_EQ(1, test_all());
  EXPECT_SUCCESS(scorpio_buffer_detach(file_));
  EXPECT_SUCCESS(wait_all());
  EXPECT_EQ(zeros_, mine(v_));

  EXPECT_SUCCESS(scorpio_iput_n(file_, 2, good, requests));
  EXPECT_GT(requests[0], 0);
  EXPECT_GT(requests[1], requests[0]);
  EXPECT_SUCCESS(scorpio_wait(file_, 2, requests, nullptr));
  Values got(k_columns, -1);
  const scorpio_access back = scorpio_hyperslab(v_, start, row, SCORPIO_INT32, got.data());
  EXPECT_SUCCESS(scorpio_iget_n(file_, 1, &back, nullptr));
  EXPECT_EQ(0, test_all());
  EXPECT_SUCCESS(wait_all());
  EXPECT_EQ(seven, got);
  EXPECT_SUCCESS(scorpio_iput_n(file_, 0, nullptr, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iput_n(file_, -1, good, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iget_n(file_, 1, nullptr, nullptr));
}

TEST_P(Accesses, ATestSaysWhetherRequestsAreCompleted) {
  const int64_t start[2] = {first_row(), 0}, row[2] = {1, k_columns};
  const Values seven(k_columns, 7);
  const scorpio_access access = scorpio_hyperslab(v_, start, row, SCORPIO_INT32, seven.data());
  scorpio_request ids[4];
  for (scorpio_request& id : ids) EXPECT_SUCCESS(scorpio_iput(file_, &access, &id));
  const auto done = [&](scorpio_request request) {
    int is = -1;
    EXPECT_SUCCESS(scorpio_test(file_, 1, &request, &is));
    return is;
  };
  scorpio_request waited = ids[0], cancelled = ids[1];
  EXPECT_EQ(0, done(ids[0]));
  EXPECT_SUCCESS(scorpio_wait(file_, 1, &waited, nullptr));
  EXPECT_SUCCESS(scorpio_cancel(file_, 1, &cancelled));
  for (const int i : {0, 1}) EXPECT_EQ(1, done(ids[i]));
  for (const int i : {2, 3}) EXPECT_EQ(0, done(ids[i]));
  int all = -1;
  EXPECT_SUCCESS(scorpio_test(file_, 4, ids, &all));
  EXPECT_EQ(0, all);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_SUCCESS(scorpio_test(file_, 4, ids, &all));
  EXPECT_EQ(1, all);
  EXPECT_EQ(1, done(SCORPIO_REQUEST_NULL));
  EXPECT_EQ(1, test_all());
  const scorpio_request never = ids[3] + 1, negative = -5;
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_test(file_, 1, &never, &all));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_test(file_, 1, &negative, &all));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_test(file_, -3, ids, &all));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_test(file_, 1, ids, nullptr));
}

TEST_P(Accesses, Scalars) {
  EXPECT_SUCCESS(scorpio_put_scalar(file_, s_, SCORPIO_FLOAT64, std::vector<double>{42.0}.data()));
  int64_t value = 0;
  EXPECT_SUCCESS(scorpio_get_scalar(file_, s_, SCORPIO_INT64, &value));
  EXPECT_EQ(42, value);
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_put_scalar(file_, v_, SCORPIO_INT64, &value));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_get_scalar(file_, 99, SCORPIO_INT64, &value));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_get_scalar(file_, s_, SCORPIO_INT64, nullptr));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_file_sync(file_)) << "of the put, which no get has returned";
  const Values ones = {1};
  const scorpio_access access = scorpio_hyperslab(s_, nullptr, nullptr, SCORPIO_INT32, ones.data());
  EXPECT_SUCCESS(put_of_rank(file_, ranks_in() - 1, access));
  EXPECT_SUCCESS(scorpio_get_scalar(file_, s_, SCORPIO_INT64, &value));
  EXPECT_EQ(1, value);
}

// Ranks give other data: those of the root are put, without a message.
TEST_P(Accesses, APutOfAllRanksTakesTheDataOfItsRoot) {
  const int64_t start[4] = {1, 2, 2, 0}, count[4] = {1, 2, 2, 3}, stride[4] = {1, 3, 1, 2};
  const int64_t offset[2] = {1, 8}, map[2] = {3, -1};
  for (const int root : {0, ranks_in() - 1}) {
    Values data(16);
    std::iota(data.begin(), data.end(), 100 * (rank_in() + 1));
    scorpio_access access = scorpio_hyperslab(v_, start, count, SCORPIO_INT32, data.data());
    access.n = 2;
    access.stride = stride;
    access.offset = offset;
    access.map = map;
    access.sharing = SCORPIO_ALL_RANKS;
    access.root = root;
    const uint64_t messages = system_.sum("messages"), agreements = system_.sum("agreements");
    const uint64_t placed = system_.sum("bytes_placed");
    EXPECT_SUCCESS(scorpio_put(file_, &access));
    EXPECT_EQ(messages, system_.sum("messages"));
    EXPECT_EQ(agreements, system_.sum("agreements"));
    EXPECT_EQ(8 * sizeof(int32_t), system_.sum("bytes_placed") - placed) << "one copy";
    const Values got = get(v_);
    const int32_t first = 100 * (root + 1);
    const auto at = [&](int64_t row, int64_t column) {
      return got[static_cast<size_t>(row * k_columns + column)];
    };
    EXPECT_EQ(first + 1, at(1, 2));
    EXPECT_EQ(first, at(1, 5));
    for (int64_t row = 0; row < 2; ++row) {
      for (int64_t k = 0; k < 3; ++k) EXPECT_EQ(first + 8 + 3 * row - k, at(2 + row, 2 * k));
    }
    EXPECT_EQ(0, at(1, 3));
    EXPECT_EQ(0, at(2, 1));
    Values back(16, -1);
    access.data = back.data();
    EXPECT_SUCCESS(scorpio_get(file_, &access));
    for (const size_t i : {0, 1, 6, 7, 8, 9, 10, 11}) EXPECT_EQ(first + static_cast<int32_t>(i), back[i]);
    for (const size_t i : {2, 3, 4, 5, 12, 13}) EXPECT_EQ(-1, back[i]);
  }
}

TEST_P(Accesses, OnlyTheRootOfAPutOfAllRanksNeedsData) {
  const int root = ranks_in() - 1;
  const int64_t start[2] = {0, 0}, row[2] = {1, k_columns};
  const Values seven(k_columns, 7);
  scorpio_access access =
      scorpio_hyperslab(v_, start, row, SCORPIO_INT32, rank_in() == root ? seven.data() : nullptr);
  access.sharing = SCORPIO_ALL_RANKS;
  access.root = root;
  EXPECT_SUCCESS(scorpio_put(file_, &access));
  const Values got = get(v_);
  EXPECT_EQ(seven, Values(got.begin(), got.begin() + k_columns));
  access.root = ranks_in();
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_get(file_, &access));
  EXPECT_NE(std::string::npos, last_text().find("root rank")) << last_text();
}

// Other hyperslabs, other roots and other numbers of hyperslabs are found at the next synchronisation point.
TEST_P(Accesses, PutsOfAllRanksThatDiffer) {
  if (ranks_in() == 1) GTEST_SKIP() << "for several ranks";
  const int64_t start[4] = {0, 0, 3, 0}, row[4] = {1, k_columns, 1, k_columns};
  const Values seven(2 * k_columns, 7);
  scorpio_access same = scorpio_hyperslab(0, start, row, SCORPIO_INT32, seven.data());
  same.sharing = SCORPIO_ALL_RANKS;
  const bool differs = rank_in() == 1;
  scorpio_access elsewhere = same, of_another = same, two = same;
  if (differs) {
    elsewhere.start = start + 2;
    of_another.root = 1;
    two.n = 2;
  }
  for (const std::string nodes : {"1", "2"}) {
    const System system(Settings{{"nodes", nodes}});
    for (const scorpio_access& access : {elsewhere, of_another, two}) {
      const OptionList options(Settings{{"format", GetParam()}});
      scorpio_file* file = nullptr;
      int v = -1;
      EXPECT_SUCCESS(scorpio_file_create(system.get(), (folder_ / "g").c_str(), SCORPIO_FORMAT_DEFAULT,
                                         options.get(), &file));
      EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 2, dims_, &v));
      if (GetParam() != std::string("hdf5")) {
        EXPECT_SUCCESS(scorpio_define_end(file));
      }
      scorpio_access given = access;
      given.variable = v;
      (void)scorpio_put(file, &given);
      EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_file_sync(file));
      EXPECT_TRUE(equal_on_all(last_text()));
      EXPECT_NE(std::string::npos, last_text().find("count (1, 6) of rank ")) << last_text();
      EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_file_close(file));
    }
  }
}

// More records than one operation holds, in the second of two hyperslabs.
TEST_P(Accesses, ManyRecordsOfAllRanks) {
  constexpr int64_t k_records = 2500;
  EXPECT_SUCCESS(scorpio_define_begin(file_));
  int dims[2], r = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "time", SCORPIO_UNLIMITED, &dims[0]));
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "x", 2, &dims[1]));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "r", SCORPIO_INT32, 2, dims, &r));
  EXPECT_SUCCESS(scorpio_define_end(file_));
  const int64_t start[4] = {0, 0, 1, 0}, count[4] = {1, 2, k_records, 2}, stride[4] = {1, 1, 2, 1};
  Values data(2 * (k_records + 1));
  std::iota(data.begin(), data.end(), 1);
  scorpio_access access = hyperslabs(r, 2, start, count, SCORPIO_INT32, data.data());
  access.stride = stride;
  access.sharing = SCORPIO_ALL_RANKS;
  EXPECT_SUCCESS(scorpio_put(file_, &access));
  int64_t extents[2] = {0, 0};
  EXPECT_SUCCESS(scorpio_variable_inquire(file_, r, nullptr, nullptr, nullptr, extents, 2));
  EXPECT_EQ(2 * k_records, extents[0]);
  Values got(data.size(), -1);
  access.data = got.data();
  EXPECT_SUCCESS(scorpio_get(file_, &access));
  EXPECT_EQ(data, got);
  const int64_t behind = 2 * k_records, one[2] = {1, 2}, from[2] = {behind, 0};
  scorpio_access last = scorpio_hyperslab(r, from, one, SCORPIO_INT32, got.data());
  last.sharing = SCORPIO_ALL_RANKS;
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_get(file_, &last));
  EXPECT_TRUE(equal_on_all(last_text()));
}

TEST_P(Accesses, FieldsThatContradictEachOtherAreRefused) {
  const int64_t start[2] = {0, 0}, row[2] = {1, k_columns};
  const Values seven(k_rows * k_columns, 7);
  const scorpio_access slab = scorpio_hyperslab(v_, start, row, SCORPIO_INT32, seven.data());
  const scorpio_access part = scorpio_darray(v_, rows_.get(), 0, SCORPIO_INT32, seven.data());
  const auto refused = [&](scorpio_access access, const std::string& word) {
    for (const auto& post : {scorpio_iput, scorpio_iget}) {
      EXPECT_EQ(SCORPIO_ERR_ARGUMENT, post(file_, &access, nullptr)) << word;
      EXPECT_NE(std::string::npos, last_text().find(word)) << last_text();
    }
    EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_get(file_, &access)) << word;
    EXPECT_TRUE(equal_on_all(last_text()));
  };
  const auto with = [](scorpio_access access, auto&& set) {
    set(access);
    return access;
  };
  refused(with(slab, [](auto& a) { a.n = 0; }), "n = 0");
  refused(with(slab, [](auto& a) { a.n = -1; }), "n = -1");
  refused(scorpio_darray(v_, nullptr, 0, SCORPIO_INT32, seven.data()), "decomp is NULL");
  refused(with(slab, [](auto& a) { a.record = 2; }), "record = 2");
  refused(with(slab, [](auto& a) { a.count = nullptr; }), "'count'");
  refused(with(slab, [&](auto& a) { a.fill = seven.data(); }), "fill");
  refused(with(slab, [&](auto& a) { a.variable = s_, a.n = 2; }), "no dimensions");
  refused(with(slab, [&](auto& a) { a.variable = s_, a.n = 0, a.start = nullptr; }), "no dimensions");
  refused(with(slab, [](auto& a) { a.sharing = static_cast<scorpio_sharing>(3); }), "sharing = 3");
  refused(with(part, [](auto& a) { a.n = 1; }), "set n to 0");
  refused(with(part, [&](auto& a) { a.start = start; }), "decomp to NULL");
  refused(with(part, [&](auto& a) { a.map = start; }), "decomp to NULL");
  refused(with(part, [](auto& a) { a.sharing = SCORPIO_ALL_RANKS; }), "sharing = 1");
  scorpio_access access = with(slab, [](auto& a) { a.sharing = SCORPIO_ALL_RANKS; });
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iput(file_, &access, nullptr)) << "a request is of one rank";
  access = with(part, [&](auto& a) { a.fill = seven.data(); });
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iput(file_, &access, nullptr));
  // Nothing at all, which a rank without hyperslabs gives.
  scorpio_access nothing{};
  nothing.variable = v_;
  nothing.type = SCORPIO_INT32;
  EXPECT_SUCCESS(scorpio_put(file_, rank_in() == 0 ? &nothing : &slab));
}

INSTANTIATE_TEST_SUITE_P(Formats, Accesses, testing::Values("hdf5", "cdf5"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace scorpio::api_test
