// A full disk in the middle of a combined write: the same code on all ranks, and what was there before is
// intact.
#include <numeric>

#include "classic_file.h"

namespace scorpio::classic_test {
namespace {

constexpr int64_t k_columns = 5000;

class FullDisk : public testing::Test {
 protected:
  Settings settings(const std::string& faults) const {
    return {{"staging_bytes", "64k"},
            {"block_bytes", "4k"},
            {"format", "cdf2"},
            {"io_ranks", ranks_in() > 1 ? "2" : "1"},
            {"store_faults", faults}};
  }

  // Record r of v, by rank r mod ranks; value of element i: 10 r + i mod 7 + offset. Collective: the wait's
  // code.
  static int post_records(scorpio_file* file, int v, int64_t first, int64_t end, int offset) {
    std::vector<std::vector<int32_t>> data;
    for (int64_t r = first; r < end; ++r) {
      if (r % ranks_in() != rank_in()) continue;
      std::vector<int32_t>& record = data.emplace_back(k_columns);
      for (size_t i = 0; i < record.size(); ++i) record[i] = value(r, static_cast<int64_t>(i), offset);
      const int64_t start[] = {r, 0}, count[] = {1, k_columns};
      const scorpio_access access = scorpio_hyperslab(v, start, count, SCORPIO_INT32, record.data());
      EXPECT_SUCCESS(scorpio_iput(file, &access, nullptr));
    }
    return scorpio_wait(file, SCORPIO_ALL_REQUESTS, nullptr, nullptr);
  }

  static int32_t value(int64_t r, int64_t i, int offset) {
    return static_cast<int32_t>(10 * r + i % 7) + offset;
  }

  void make(const std::string& path, int offset) const {
    const System system(settings(""));
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    (void)write(file, 0, 6, offset);
    EXPECT_SUCCESS(scorpio_file_close(file));
  }

  // Of a new file, records [first, end).
  static int write(scorpio_file* file, int64_t first, int64_t end, int offset) {
    int t = -1, x = -1, v = -1;
    EXPECT_SUCCESS(scorpio_dimension_define(file, "t", SCORPIO_UNLIMITED, &t));
    EXPECT_SUCCESS(scorpio_dimension_define(file, "x", k_columns, &x));
    const int dims[] = {t, x};
    EXPECT_SUCCESS(scorpio_variable_define_on(file, "v", SCORPIO_INT32, 2, dims, &v));
    const int ended = scorpio_define_end(file);
    return ended == SCORPIO_OK ? post_records(file, v, first, end, offset) : ended;
  }

  // The first six records are as make() made them.
  void expect_intact(const std::string& path, int offset) const {
    const System system(settings(""));
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    const std::vector<int32_t> all = all_of<int32_t>(file, 0, SCORPIO_INT32);
    ASSERT_LE(static_cast<size_t>(6 * k_columns), all.size());
    for (int64_t g = 0; g < 6 * k_columns; ++g) {
      ASSERT_EQ(value(g / k_columns, g % k_columns, offset), all[static_cast<size_t>(g)]) << g;
    }
    EXPECT_SUCCESS(scorpio_file_close(file));
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "a.nc";
};

// Each rank is the one whose disk is full, in turn; ranks that do not write never see it.
TEST_F(FullDisk, ANewFileDoesNotReplaceTheOldOne) {
  make(path_, 1);
  for (int full = 0; full < ranks_in(); ++full) {
    const System system(settings(rank_in() == full ? "write:4+=ENOSPC" : ""));
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    const int waited = write(file, 0, 12, 3);
    const int closed = scorpio_file_close(file);
    const std::string text = last_text();
    EXPECT_TRUE(api_test::equal_on_all(std::to_string(waited) + " " + std::to_string(closed)));
    EXPECT_TRUE(closed == SCORPIO_OK || closed == SCORPIO_ERR_NO_SPACE) << text;
    EXPECT_TRUE(waited == SCORPIO_OK || waited == SCORPIO_ERR_NO_SPACE) << waited;
    EXPECT_TRUE(closed != SCORPIO_OK || waited == SCORPIO_OK) << "the failure of the wait is forgotten";
    if (full == 0) {
      EXPECT_EQ(SCORPIO_ERR_NO_SPACE, closed);
    }
    expect_intact(path_, closed == SCORPIO_OK ? 3 : 1);
    if (closed == SCORPIO_OK) make(path_, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(1, folder_.files());
  }
}

TEST_F(FullDisk, RecordsThatWereThereStay) {
  for (const char* when : {"1", "3", "2+"}) {
    make(path_, 1);
    {
      const System system(settings(rank_in() == 0 ? std::string("write:") + when + "=ENOSPC" : ""));
      scorpio_file* file = nullptr;
      ASSERT_SUCCESS(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file));
      const int waited = post_records(file, 0, 6, 18, 5);
      const int synced = scorpio_file_sync(file);
      EXPECT_EQ(SCORPIO_ERR_NO_SPACE, synced);
      const int closed = scorpio_file_close(file);
      EXPECT_NE(SCORPIO_OK, closed);
      EXPECT_TRUE(api_test::equal_on_all(std::to_string(waited) + " " + std::to_string(synced) + " " +
                                         std::to_string(closed)));
    }
    expect_intact(path_, 1);
  }
}

TEST_F(FullDisk, DefinitionsThatMoveDataLeaveTheOldForm) {
  make(path_, 1);
  for (const char* rule : {"open:2=ENOSPC", "write:1=ENOSPC", "write:5=ENOSPC", "write:2+=ENOSPC",
                           "truncate:1=ENOSPC", "rename:1=EIO"}) {
    SCOPED_TRACE(rule);
    {
      const System system(settings(rank_in() == 0 ? rule : ""));
      scorpio_file* file = nullptr;
      const int opened = scorpio_file_open(system.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file);
      EXPECT_TRUE(api_test::equal_on_all(std::to_string(opened)));
      if (opened != SCORPIO_OK) continue;
      int ended = scorpio_define_begin(file);
      if (ended == SCORPIO_OK) {
        const std::string text(3000, 'x');
        EXPECT_SUCCESS(scorpio_attribute_put(file, SCORPIO_GLOBAL, "long", SCORPIO_TEXT, text.size(), 0,
                                             nullptr, SCORPIO_TEXT, text.data()));
        ended = scorpio_define_end(file);
      }
      const int closed = scorpio_file_close(file);
      EXPECT_TRUE(api_test::equal_on_all(std::to_string(ended) + " " + std::to_string(closed)));
      if (ended != SCORPIO_OK) {
        EXPECT_NE(SCORPIO_OK, closed);
      }
    }
    expect_intact(path_, 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(1, folder_.files());
}

}  // namespace
}  // namespace scorpio::classic_test
