// A single allocation fails on one rank in a put to chunks with filters, in the sync that gives them
// addresses, in the close, in an open, or while a decomposition is made: all ranks return the same code, no
// rank waits for ever, and the next file of the I/O system is complete.
#include <functional>
#include <numeric>
#include <tuple>

#include "layout.h"
#include "session.h"
#include "support/allocations.h"

namespace scorpio::api_test {
namespace {

// More than these calls make; when they have made all of them, the loop ends before.
constexpr uint64_t k_most_allocations = 2000;
constexpr int64_t k_rows = 12, k_columns = 64;

// The parameters: the number of nodes, whether workers write, and the rank whose memory is used up.
class OutOfMemory : public testing::TestWithParam<std::tuple<const char*, const char*, int>> {
 protected:
  OutOfMemory() {
    mine_.resize(layout_.of(rank_in()).size());
    std::iota(mine_.begin(), mine_.end(), 1000.0 * rank_in());
  }

  bool fails() const { return rank_in() == std::get<2>(GetParam()) % ranks_in(); }
  int put(scorpio_file* file, int variable) const {
    return scorpio_put_darray(file, variable, rows_.get(), 0, SCORPIO_FLOAT64, mine_.data());
  }
  // Of chunks that do not end where the parts of the ranks end.
  static int define(scorpio_file* file, const char* name) {
    const int64_t dims[2] = {k_rows, k_columns}, chunk[2] = {5, 24};
    const int filters[2] = {2, 1}, parameters[2] = {0, 1};
    int variable = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file, name, SCORPIO_FLOAT64, 2, dims, &variable));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file, variable, chunk));
    EXPECT_SUCCESS(scorpio_variable_define_filters(file, variable, 2, filters, parameters));
    return variable;
  }
  scorpio_file* created() const {
    scorpio_file* file = nullptr;
    EXPECT_SUCCESS(scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    return file;
  }
  // The code of this rank, which all others have too.
  static int common(int code, const std::string& what) {
    const std::string text = last_text();
    int lowest = code, highest = code;
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_EQ(lowest, highest) << what << ", " << code << " on rank " << rank_in() << ": " << text;
    return lowest == highest ? lowest : SCORPIO_ERR_INTERNAL;
  }
  // Calls `action`, in which allocation `k` of this test's rank fails, for each k until there is none.
  void fail_each(const std::function<void(const std::string&)>& before,
                 const std::function<int(const std::string&)>& action,
                 const std::function<void(int, const std::string&)>& after) {
    bool reached = true;
    for (uint64_t k = 0; reached && k < k_most_allocations; ++k) {
      const std::string what = "allocation " + std::to_string(k);
      before(what);
      MPI_Barrier(MPI_COMM_WORLD);  // a put of before() may still need this rank
      int code = SCORPIO_OK;
      {
        const test::FailingAllocation one(fails() ? k : ~uint64_t{0} >> 1);
        code = action(what);
        reached = one.failed();
      }
      reached = !on_all(!reached);
      after(common(code, what), what);
    }
    EXPECT_FALSE(reached);
  }
  void expect_a_good_file() {
    scorpio_file* file = created();
    const int v = define(file, "v");
    EXPECT_SUCCESS(put(file, v));
    EXPECT_SUCCESS(scorpio_file_close(file));
    EXPECT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &file));
    std::vector<double> back(mine_.size());
    EXPECT_SUCCESS(
        scorpio_get_darray(file, object_of(file, "v"), rows_.get(), 0, SCORPIO_FLOAT64, back.data()));
    EXPECT_EQ(mine_, back);
    EXPECT_SUCCESS(scorpio_file_close(file));
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f.h5";
  const System system_{{{"nodes", std::get<0>(GetParam())},
                        {"asynchronous", std::get<1>(GetParam())},
                        {"staging_bytes", "1m"},
                        {"block_bytes", "4k"}}};
  const Layout layout_ = uniform_layout({k_rows, k_columns}, ranks_in());
  const Decomp rows_{system_, layout_};
  std::vector<double> mine_;
};

TEST_P(OutOfMemory, InAPutAndItsSync) {
  scorpio_file* file = nullptr;
  int v = -1;
  fail_each(
      [&](const std::string&) {
        file = created();
        v = define(file, "v");
        EXPECT_SUCCESS(put(file, v));
      },
      [&](const std::string&) {
        const int put_code = put(file, v);
        const int code = scorpio_file_sync(file);
        return code == SCORPIO_OK ? put_code : code;
      },
      [&](int code, const std::string& what) {
        EXPECT_TRUE(code == SCORPIO_OK || code == SCORPIO_ERR_MEMORY) << what << ": " << code;
        const int next = common(put(file, v), what + ", the next put");
        const int synced = common(scorpio_file_sync(file), what + ", the next sync");
        EXPECT_EQ(SCORPIO_OK, code != SCORPIO_OK ? SCORPIO_OK : next) << what;
        // Memory that is used up behind the last agreement of a sync is told by the next one.
        EXPECT_TRUE(code != SCORPIO_OK || synced == SCORPIO_OK || synced == SCORPIO_ERR_MEMORY) << what;
        (void)common(scorpio_file_close(file), what + ", the close");
      });
  expect_a_good_file();
}

TEST_P(OutOfMemory, InAClose) {
  scorpio_file* file = nullptr;
  fail_each(
      [&](const std::string&) {
        file = created();
        EXPECT_SUCCESS(put(file, define(file, "v")));
      },
      [&](const std::string&) { return scorpio_file_close(file); },
      [&](int code, const std::string& what) {
        EXPECT_TRUE(code == SCORPIO_OK || code == SCORPIO_ERR_MEMORY) << what << ": " << code;
      });
  expect_a_good_file();
}

TEST_P(OutOfMemory, InAnOpen) {
  expect_a_good_file();
  const bool asynchronous = std::string(std::get<1>(GetParam())) == "true";
  const scorpio_open_mode mode = asynchronous ? SCORPIO_WRITE : SCORPIO_READ;
  scorpio_file* file = nullptr;
  fail_each([&](const std::string&) { file = nullptr; },
            [&](const std::string&) {
              return scorpio_file_open(system_.get(), path_.c_str(), mode, nullptr, &file);
            },
            [&](int code, const std::string& what) {
              EXPECT_TRUE(code == SCORPIO_OK || code == SCORPIO_ERR_MEMORY)
                  << what << ": " << code << ", " << last_text();
              EXPECT_EQ(code == SCORPIO_OK, file != nullptr) << what;
              EXPECT_EQ(code, code == SCORPIO_OK ? scorpio_file_close(file) : code) << what;
            });
  expect_a_good_file();
}

class OutOfMemoryInADecomposition : public OutOfMemory {
 protected:
  void expect_one_code(const std::function<int(scorpio_decomp**)>& make) {
    scorpio_decomp* made = nullptr;
    fail_each([&](const std::string&) { made = nullptr; }, [&](const std::string&) { return make(&made); },
              [&](int code, const std::string& what) {
                EXPECT_TRUE(code == SCORPIO_OK || code == SCORPIO_ERR_MEMORY) << what << ": " << code;
                EXPECT_EQ(code == SCORPIO_OK, made != nullptr) << what;
                EXPECT_SUCCESS(scorpio_decomp_free(made));
              });
  }
};

// Each element of the array is held once, by all ranks, by some of them, or not at all.
TEST_P(OutOfMemoryInADecomposition, OfAnyKind) {
  const int64_t ranks = ranks_in(), rank = rank_in(), dims[2] = {4 * ranks, 6};
  expect_one_code(
      [&](scorpio_decomp** made) { return scorpio_decomp_uniform(system_.get(), 2, dims, made); });
  expect_one_code(
      [&](scorpio_decomp** made) { return scorpio_decomp_rows(system_.get(), 2, dims, 4, made); });
  const int64_t start[2] = {0, 0}, count[2] = {4, 6};
  expect_one_code([&](scorpio_decomp** made) {
    return scorpio_decomp_block(system_.get(), 2, dims, start, count, made);
  });
  std::vector<int64_t> index;
  for (int64_t i = 0; i < 12; ++i) index.push_back((7 * i + 5 * rank) % (dims[0] * dims[1]));
  expect_one_code([&](scorpio_decomp** made) {
    return scorpio_decomp_map(system_.get(), 2, dims, 12, index.data(), made);
  });
  const int64_t held = static_cast<int64_t>(mine_.size()) / k_columns;
  const int64_t extents[2] = {held + 2, k_columns + 1}, first[2] = {1, 1};
  expect_one_code([&](scorpio_decomp** made) {
    return scorpio_decomp_memory(system_.get(), rows_.get(), 2, extents, first, nullptr, made);
  });
}

INSTANTIATE_TEST_SUITE_P(Each, OutOfMemoryInADecomposition,
                         testing::Combine(testing::Values("1", "2", "3"), testing::Values("false"),
                                          testing::Values(0, 1, 2)));

INSTANTIATE_TEST_SUITE_P(Each, OutOfMemory,
                         testing::Combine(testing::Values("1", "3"), testing::Values("false", "true"),
                                          testing::Values(0, 2)));

}  // namespace
}  // namespace scorpio::api_test
