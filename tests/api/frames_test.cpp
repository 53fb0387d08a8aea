// A decomposition of all dimensions of a variable but the first: one index along the first at a time, also
// where that is of fixed length.
#include <cstdint>
#include <limits>
#include <numeric>

#include "accesses.h"
#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

constexpr int64_t k_frames = 5, k_rows = 37, k_columns = 11;

struct Case {
  const char* format;
  const char* domains;
};

class Frames : public testing::TestWithParam<Case> {
 protected:
  Frames()
      : system_({{"staging_bytes", "256k"},
                 {"block_bytes", "4k"},
                 {"format", GetParam().format},
                 {"domains", GetParam().domains}}),
        rows_(system_, layout_) {
    EXPECT_SUCCESS(
        scorpio_file_create(system_.get(), (folder_ / "f").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    int dimensions[3];
    const char* names[3] = {"month", "row", "column"};
    const int64_t extents[3] = {k_frames, k_rows, k_columns};
    for (size_t d = 0; d < 3; ++d)
      EXPECT_SUCCESS(scorpio_dimension_define(file_, names[d], extents[d], &dimensions[d]));
    for (int v = 0; v < 2; ++v) {
      const std::string name(1, static_cast<char>('a' + v));
      EXPECT_SUCCESS(
          scorpio_variable_define_on(file_, name.c_str(), SCORPIO_FLOAT64, 3, dimensions, &variables_[v]));
    }
    EXPECT_SUCCESS(scorpio_variable_define_on(file_, "flat", SCORPIO_FLOAT64, 2, dimensions + 1, &flat_));
  }
  ~Frames() override {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    on_all(true);
  }

  static double value_of(int variable, int64_t frame, int64_t element) {
    return 1e6 * variable + 1e4 * static_cast<double>(frame) + static_cast<double>(element);
  }
  std::vector<double> part(int variable, int64_t frame) const {
    std::vector<double> values;
    for (const int64_t element : layout_.of(rank_in())) values.push_back(value_of(variable, frame, element));
    return values;
  }
  void put(int variable, int64_t frame) {
    EXPECT_SUCCESS(scorpio_put_darray(file_, variables_[variable], rows_.get(), frame, SCORPIO_FLOAT64,
                                      part(variable, frame).data()));
  }
  // Reads both variables whole, on each rank.
  void expect_all() {
    for (int v = 0; v < 2; ++v) {
      std::vector<double> all(static_cast<size_t>(k_frames * k_rows * k_columns));
      const int64_t start[3] = {0, 0, 0}, count[3] = {k_frames, k_rows, k_columns};
      const scorpio_access access =
          scorpio_hyperslab(variables_[v], start, count, SCORPIO_FLOAT64, all.data());
      EXPECT_SUCCESS(scorpio_get(file_, &access));
      int64_t wrong = 0;
      for (size_t i = 0; i < all.size(); ++i) {
        const auto at = static_cast<int64_t>(i);
        wrong += all[i] != value_of(v, at / (k_rows * k_columns), at % (k_rows * k_columns)) ? 1 : 0;
      }
      EXPECT_EQ(0, wrong) << "variable " << v;
    }
  }

  const TemporaryFolder folder_;
  const Layout layout_ = uniform_layout({k_rows, k_columns}, ranks_in());
  const System system_;
  const Decomp rows_;
  scorpio_file* file_ = nullptr;
  int variables_[2] = {-1, -1};
  int flat_ = -1;
};

TEST_P(Frames, ArePutAndGotOneByOne) {
  for (const int64_t frame : {3, 0, 4, 1, 2}) {
    put(0, frame);
    put(1, k_frames - 1 - frame);
  }
  expect_all();
  for (int64_t frame = 0; frame < k_frames; ++frame) {
    std::vector<double> got(part(1, frame).size(), -1);
    EXPECT_SUCCESS(scorpio_get_darray(file_, variables_[1], rows_.get(), frame, SCORPIO_FLOAT64, got.data()));
    EXPECT_EQ(part(1, frame), got);
  }
}

TEST_P(Frames, OfSeveralVariablesAndOfPosts) {
  for (int64_t frame = 0; frame < k_frames; ++frame) {
    const std::vector<double> a = part(0, frame), b = part(1, frame);
    if (frame % 2 == 0) {
      const int64_t records[2] = {frame, frame};
      const void* data[2] = {a.data(), b.data()};
      EXPECT_SUCCESS(put_n(file_, darrays(2, variables_, rows_.get(), records, SCORPIO_FLOAT64, data)));
      continue;
    }
    EXPECT_SUCCESS(iput(file_, scorpio_darray(variables_[0], rows_.get(), frame, SCORPIO_FLOAT64, a.data())));
    EXPECT_SUCCESS(iput(file_, scorpio_darray(variables_[1], rows_.get(), frame, SCORPIO_FLOAT64, b.data())));
    EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  }
  expect_all();
}

// The whole variable and a part of it have the same domains, so that the later put is what stays.
TEST_P(Frames, ReplaceWhatAPutOfTheWholeWrote) {
  const Layout whole = uniform_layout({k_frames, k_rows, k_columns}, ranks_in());
  const Decomp decomp(system_, whole);
  const std::vector<double> other(whole.of(rank_in()).size(), -7);
  for (int v = 0; v < 2; ++v) {
    EXPECT_SUCCESS(scorpio_put_darray(file_, variables_[v], decomp.get(), 0, SCORPIO_FLOAT64, other.data()));
    for (int64_t frame = 0; frame < k_frames; ++frame) put(v, frame);
  }
  expect_all();
}

TEST_P(Frames, OuterDimensionsOfOneDoNotCount) {
  const Layout one = uniform_layout({1, k_rows, k_columns}, 1);
  const bool first = rank_in() == 0;
  scorpio_decomp* decomp = nullptr;
  const int64_t dims[3] = {1, k_rows, k_columns}, start[3] = {0, 0, 0}, all[3] = {1, k_rows, k_columns},
                none[3] = {0, 0, 0};
  ASSERT_SUCCESS(scorpio_decomp_block(system_.get(), 3, dims, start, first ? all : none, &decomp));
  std::vector<double> data(first ? one.of(0).size() : 0);
  std::iota(data.begin(), data.end(), 0.5);
  EXPECT_SUCCESS(scorpio_put_darray(file_, flat_, decomp, 0, SCORPIO_FLOAT64, data.data()));
  EXPECT_SUCCESS(scorpio_put_darray(file_, variables_[0], decomp, 2, SCORPIO_FLOAT64, data.data()));
  std::vector<double> got(data.size()), of_frame(data.size());
  EXPECT_SUCCESS(scorpio_get_darray(file_, flat_, decomp, 0, SCORPIO_FLOAT64, got.data()));
  EXPECT_SUCCESS(scorpio_get_darray(file_, variables_[0], decomp, 2, SCORPIO_FLOAT64, of_frame.data()));
  EXPECT_EQ(data, got);
  EXPECT_EQ(data, of_frame);
  EXPECT_SUCCESS(scorpio_decomp_free(decomp));
}

TEST_P(Frames, ThatAreNotThereAreRefused) {
  std::vector<double> data = part(0, 0);
  const auto get = [&](int64_t frame) {
    return scorpio_get_darray(file_, variables_[0], rows_.get(), frame, SCORPIO_FLOAT64, data.data());
  };
  put(0, 0);
  EXPECT_EQ(SCORPIO_ERR_SHAPE, get(k_frames));
  EXPECT_NE(std::string::npos, last_text().find("there are 5")) << last_text();
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, get(-2));
  scorpio_request request;
  EXPECT_EQ(SCORPIO_ERR_SHAPE,
            iput(file_,
                 scorpio_darray(variables_[0], rows_.get(), std::numeric_limits<int64_t>::max(),
                                SCORPIO_FLOAT64, data.data()),
                 &request));
  EXPECT_SUCCESS(get(0));
}

INSTANTIATE_TEST_SUITE_P(Formats, Frames,
                         testing::Values(Case{"hdf5", "cyclic"}, Case{"hdf5", "contiguous"},
                                         Case{"cdf5", "cyclic"}, Case{"cdf1", "cyclic"},
                                         Case{"toy", "cyclic"}, Case{"toy_large", "contiguous"}),
                         [](const auto& test) {
                           return std::string(test.param.format) + "_" + test.param.domains;
                         });

}  // namespace
}  // namespace scorpio::api_test
