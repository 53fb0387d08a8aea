// Errors of one rank in collective calls: all ranks learn the same.
#include "classic_file.h"

namespace scorpio::classic_test {
namespace {

class Errors : public testing::Test {
 protected:
  bool last() const { return rank_in() == ranks_in() - 1; }
  bool several() const { return ranks_in() > 1; }

  // The metadata rank may still be at it when others have returned.
  int files() const {
    MPI_Barrier(MPI_COMM_WORLD);
    return folder_.files();
  }

  const TemporaryFolder folder_;
  const System system_;
  const std::string path_ = folder_ / "a.nc";
  const Decomp rows_{system_, api_test::uniform_layout({8}, ranks_in())};
  const std::vector<int32_t> part_ = std::vector<int32_t>(8, 3);
};

TEST_F(Errors, AnotherRecordOnOneRank) {
  if (!several()) GTEST_SKIP() << "for several ranks";
  ClassicFile file(system_, path_);
  const int t = file.dimension("t", SCORPIO_UNLIMITED), x = file.dimension("x", 8);
  const int v = file.variable("v", SCORPIO_INT32, {t, x});
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  (void)scorpio_put_darray(file.get(), v, rows_.get(), last() ? 4 : 3, SCORPIO_INT32, part_.data());
  EXPECT_SAME_FAILURE(SCORPIO_ERR_MISMATCH, scorpio_file_sync(file.get()));
  EXPECT_NE(SCORPIO_OK, file.close());
  EXPECT_EQ(0, files());
}

TEST_F(Errors, ANegativeRecordOnOneRank) {
  ClassicFile file(system_, path_);
  const int t = file.dimension("t", SCORPIO_UNLIMITED), x = file.dimension("x", 8);
  const int v = file.variable("v", SCORPIO_INT32, {t, x});
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  const int code =
      scorpio_put_darray(file.get(), v, rows_.get(), last() ? -2 : 0, SCORPIO_INT32, part_.data());
  if (last()) {
    EXPECT_EQ(SCORPIO_ERR_ARGUMENT, code);
  }
  EXPECT_SAME_FAILURE(SCORPIO_ERR_ARGUMENT, scorpio_file_sync(file.get()));
  // Nothing is lost where no rank took part.
  EXPECT_EQ(several() ? SCORPIO_ERR_ARGUMENT : SCORPIO_OK, file.close());
}

TEST_F(Errors, RecordsWhereThereAreNone) {
  ClassicFile file(system_, path_);
  const int t = file.dimension("t", SCORPIO_UNLIMITED), x = file.dimension("x", 8);
  const int fixed = file.variable("fixed", SCORPIO_INT32, {x}), v = file.variable("v", SCORPIO_INT32, {t, x});
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  EXPECT_FAILURE(SCORPIO_ERR_ARGUMENT,
                 scorpio_put_darray(file.get(), fixed, rows_.get(), 1, SCORPIO_INT32, part_.data()), "fixed",
                 "1");
  EXPECT_FAILURE(SCORPIO_ERR_ARGUMENT,
                 scorpio_put_darray(file.get(), v, rows_.get(), -1, SCORPIO_INT32, part_.data()), "v", "-1");
  // All ranks were wrong alike: nothing is lost.
  EXPECT_SAME_FAILURE(SCORPIO_ERR_ARGUMENT, scorpio_file_sync(file.get()));
  EXPECT_SUCCESS(scorpio_put_darray(file.get(), fixed, rows_.get(), 0, SCORPIO_INT32, part_.data()));
  EXPECT_SUCCESS(scorpio_put_darray(file.get(), v, rows_.get(), 2, SCORPIO_INT32, part_.data()));
  std::vector<int32_t> got(8, -1);
  EXPECT_SAME_FAILURE(SCORPIO_ERR_SHAPE,
                      scorpio_get_darray(file.get(), v, rows_.get(), 3, SCORPIO_INT32, got.data()));
  EXPECT_SUCCESS(scorpio_get_darray(file.get(), v, rows_.get(), 2, SCORPIO_INT32, got.data()));
  const int64_t start[] = {3, 0}, count[] = {1, 8};
  const scorpio_access behind = scorpio_hyperslab(v, start, count, SCORPIO_INT32, got.data());
  EXPECT_NE(SCORPIO_OK, scorpio_get(file.get(), &behind));
  EXPECT_NE(std::string::npos, last_text().find("v")) << last_text();
  EXPECT_NE(SCORPIO_OK, scorpio_iget(file.get(), &behind, nullptr));
  EXPECT_SUCCESS(file.close());
}

TEST_F(Errors, AWrongArgumentOfPutNOnOneRank) {
  if (!several()) GTEST_SKIP() << "for several ranks";
  for (int wrong = 0; wrong < 6; ++wrong) {
    // With a negative number a rank is in another call than the others, which ends the I/O system.
    System system;
    if (wrong == 3) system.expect_ended();
    const Decomp rows(system, api_test::uniform_layout({8}, ranks_in()));
    ClassicFile file(system, path_);
    const int x = file.dimension("x", 8);
    const int a = file.variable("a", SCORPIO_INT32, {x}), b = file.variable("b", SCORPIO_INT32, {x});
    const int c = file.variable("c", SCORPIO_TEXT, {x});
    EXPECT_SUCCESS(scorpio_define_end(file.get()));
    std::vector<int> variables{a, b};
    const void* data[] = {part_.data(), part_.data()};
    int n = 2;
    scorpio_type type = SCORPIO_INT32;
    if (last()) {
      if (wrong == 0) variables[1] = 17;
      if (wrong == 1) variables[1] = a;
      if (wrong == 2) variables[1] = c;
      if (wrong == 3) n = -1;
      if (wrong == 4) type = static_cast<scorpio_type>(99);
    }
    const int32_t fill_value = wrong == 5 && last() ? 8 : 7;
    const void* fill[] = {&fill_value, nullptr};
    const auto accesses = api_test::darrays(2, variables.data(), rows.get(), nullptr, type, data, fill);
    const int code = scorpio_put_n(file.get(), n, accesses.data());
    if (last() && wrong != 5) {
      EXPECT_NE(SCORPIO_OK, code) << wrong;
    }
    const int synced = scorpio_file_sync(file.get());
    EXPECT_NE(SCORPIO_OK, synced) << wrong;
    EXPECT_TRUE(api_test::equal_on_all(std::to_string(synced) + last_text())) << wrong;
    EXPECT_NE(SCORPIO_OK, file.close());
    EXPECT_EQ(0, files());
  }
}

TEST_F(Errors, DefinitionsThatDiffer) {
  if (!several()) GTEST_SKIP() << "for several ranks";
  for (int what = 0; what < 7; ++what) {
    ClassicFile file(system_, path_);
    if (what == 6) {
      EXPECT_SUCCESS(scorpio_file_fill_set(file.get(), last() ? 1 : 0, nullptr));
    }
    const int x = file.dimension(what == 0 && last() ? "y" : "x", what == 1 && last() ? 7 : 8);
    const int v = file.variable("v", what == 2 && last() ? SCORPIO_INT16 : SCORPIO_INT32, {x});
    if (what == 3) {
      EXPECT_SUCCESS(file.text("v", "units", last() ? "m" : "s"));
    }
    if (what == 4) {
      EXPECT_SUCCESS(scorpio_variable_fill_define(file.get(), v, last() ? 1 : 0, nullptr));
    }
    if (what == 5 && last()) (void)file.variable("more", SCORPIO_INT8, {});
    EXPECT_SAME_FAILURE(SCORPIO_ERR_MISMATCH, scorpio_define_end(file.get()));
    EXPECT_NE(std::string::npos, last_text().find("definitions")) << what << ": " << last_text();
    EXPECT_NE(SCORPIO_OK, file.close());
    EXPECT_EQ(0, files()) << what;
  }
}

// A file that holds data is not changed.
TEST_F(Errors, DefinitionsThatDifferLater) {
  if (!several()) GTEST_SKIP() << "for several ranks";
  ClassicFile file(system_, path_);
  const int v = file.variable("v", SCORPIO_INT32, {file.dimension("x", 8)});
  EXPECT_SUCCESS(scorpio_put_darray(file.get(), v, rows_.get(), 0, SCORPIO_INT32, part_.data()));
  file.reopen(SCORPIO_WRITE);
  EXPECT_SUCCESS(scorpio_define_begin(file.get()));
  EXPECT_SUCCESS(file.text("/", "history", std::string(3000, 'h')));
  EXPECT_SUCCESS(file.text("v", "units", last() ? "m" : "s"));
  EXPECT_SAME_FAILURE(SCORPIO_ERR_MISMATCH, scorpio_define_end(file.get()));
  EXPECT_NE(SCORPIO_OK, scorpio_put_darray(file.get(), v, rows_.get(), 0, SCORPIO_INT32, part_.data()));
  EXPECT_SAME_FAILURE(SCORPIO_ERR_MISMATCH, file.close());
  EXPECT_EQ(1, files());
  scorpio_file* again = nullptr;
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &again));
  EXPECT_EQ(std::vector<int32_t>(8, 3), all_of<int32_t>(again, v, SCORPIO_INT32));
  int count = -1;
  EXPECT_SUCCESS(scorpio_attribute_count(again, SCORPIO_GLOBAL, &count));
  EXPECT_EQ(0, count);
  EXPECT_SUCCESS(scorpio_file_close(again));
}

// The text names the definition that failed.
TEST_F(Errors, ADefinitionThatFailsOnOneRank) {
  if (!several()) GTEST_SKIP() << "for several ranks";
  ClassicFile file(system_, path_);
  int id = -1;
  (void)scorpio_dimension_define(file.get(), "x", last() ? -5 : 5, &id);
  EXPECT_SAME_FAILURE(SCORPIO_ERR_ARGUMENT, scorpio_define_end(file.get()));
  EXPECT_NE(SCORPIO_OK, file.close());
}

TEST_F(Errors, WaitsWithAWrongRequestOnOneRank) {
  ClassicFile file(system_, path_);
  const int t = file.dimension("t", SCORPIO_UNLIMITED);
  const int v = file.variable("v", SCORPIO_INT32, {t});
  EXPECT_SUCCESS(scorpio_define_end(file.get()));
  int32_t value = 10 + rank_in();
  const int64_t start = rank_in(), count = 1;
  const scorpio_access access = scorpio_hyperslab(v, &start, &count, SCORPIO_INT32, &value);
  scorpio_request request[2] = {};
  EXPECT_SUCCESS(scorpio_iput(file.get(), &access, &request[0]));
  request[1] = last() ? 999 : SCORPIO_REQUEST_NULL;
  EXPECT_SAME_FAILURE(SCORPIO_ERR_HANDLE, scorpio_wait(file.get(), 2, request, nullptr));
  EXPECT_EQ(0, file.records(t));
  request[1] = SCORPIO_REQUEST_NULL;
  EXPECT_SUCCESS(scorpio_wait(file.get(), 2, request, nullptr));
  EXPECT_EQ(ranks_in(), file.records(t));
  const std::vector<int32_t> all = all_of<int32_t>(file.get(), v, SCORPIO_INT32);
  for (int r = 0; r < ranks_in(); ++r) EXPECT_EQ(10 + r, all[static_cast<size_t>(r)]);
  EXPECT_SUCCESS(file.close());
}

TEST_F(Errors, PutOfARankThatDoesNotExist) {
  ClassicFile file(system_, path_);
  const int v = file.variable("v", SCORPIO_INT32, {});
  int32_t value = 1;
  const scorpio_access access = scorpio_hyperslab(v, nullptr, nullptr, SCORPIO_INT32, &value);
  EXPECT_SAME_FAILURE(SCORPIO_ERR_ARGUMENT, put_of_rank(file.get(), ranks_in(), access));
  EXPECT_SAME_FAILURE(SCORPIO_ERR_ARGUMENT, put_of_rank(file.get(), -7, access));
  // Of the other ranks nothing counts but whose access it is.
  const scorpio_access none = scorpio_hyperslab(99, nullptr, nullptr, SCORPIO_TEXT, nullptr);
  EXPECT_SUCCESS(put_of_rank(file.get(), ranks_in() - 1, last() ? access : none));
  EXPECT_SAME_FAILURE(SCORPIO_ERR_HANDLE, put_of_rank(file.get(), 0, none));
  EXPECT_SAME_FAILURE(SCORPIO_ERR_HANDLE, put_of_all(file.get(), none));
  EXPECT_SAME_FAILURE(SCORPIO_ERR_HANDLE, scorpio_file_sync(file.get()));
  EXPECT_SAME_FAILURE(SCORPIO_ERR_ARGUMENT, scorpio_put(file.get(), nullptr));
  EXPECT_EQ(std::vector<int32_t>{1}, all_of<int32_t>(file.get(), v, SCORPIO_INT32));
  if (ranks_in() > 1) {  // each names another: none would put, or several
    EXPECT_SAME_FAILURE(SCORPIO_ERR_MISMATCH, put_of_rank(file.get(), last() ? 0 : 1, access));
    EXPECT_SAME_FAILURE(SCORPIO_ERR_MISMATCH,
                        last() ? scorpio_wait(file.get(), SCORPIO_ALL_REQUESTS, nullptr, nullptr)
                               : put_of_rank(file.get(), 0, access));
    EXPECT_SUCCESS(put_of_all(file.get(), access));
  }
  EXPECT_SUCCESS(file.close());
}

// A put that no rank has part in still adds its record.
TEST_F(Errors, RecordsWithoutElements) {
  ClassicFile file(system_, path_);
  const int t = file.dimension("t", SCORPIO_UNLIMITED), x = file.dimension("x", 8);
  const int v = file.variable("v", SCORPIO_INT32, {t, x});
  EXPECT_SUCCESS(scorpio_variable_fill_define(file.get(), v, 1, nullptr));
  const std::vector<std::vector<int64_t>> nothing(static_cast<size_t>(ranks_in()));
  const Decomp none(system_, api_test::map_layout({8}, nothing));
  EXPECT_SUCCESS(scorpio_put_darray(file.get(), v, none.get(), 2, SCORPIO_INT32, nullptr));
  file.reopen(SCORPIO_READ);
  EXPECT_EQ(3, file.records(t));
  EXPECT_EQ(std::vector<int32_t>(24, -2147483647), all_of<int32_t>(file.get(), v, SCORPIO_INT32));
  EXPECT_SUCCESS(file.close());
}

}  // namespace
}  // namespace scorpio::classic_test
