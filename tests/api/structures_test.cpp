// Arrays of structures with ghost cells: every component is a variable of the file, posted with a map.
#include <algorithm>
#include <vector>

#include "session.h"

namespace scorpio::api_test {
namespace {

constexpr int k_components = 9;
constexpr int64_t k_rows = 37, k_columns = 301, k_ghosts = 2;  // of a rank
constexpr double k_untouched = -1;

double value_of(int component, int64_t row, int64_t column) {
  return 1e6 * component + static_cast<double>(row * k_columns + column);
}

struct Case {
  const char* name;
  const char* format;
  int nodes;
  Settings more;
};

Settings settings_of(const Case& given) {
  Settings all = given.more;
  all.emplace_back("format", given.format);
  all.emplace_back("nodes", std::to_string(std::min(given.nodes, ranks_in())));
  all.emplace_back("io_ranks", std::to_string(std::min(2, ranks_in())));
  return all;
}

class Structures : public testing::TestWithParam<Case> {
 protected:
  Structures() : system_(settings_of(GetParam())) {
    EXPECT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    const int64_t dims[2] = {k_rows * ranks_in(), k_columns};
    // Of a classic file doubles lie at multiples of 4 then, so that units cut them.
    int four_bytes = 0;
    EXPECT_SUCCESS(scorpio_variable_define(file_, "four_bytes", SCORPIO_INT32, 0, nullptr, &four_bytes));
    for (int c = 0; c < k_components; ++c) {
      const std::string name = "c" + std::to_string(c);
      const scorpio_type type = c % 4 == 3 ? SCORPIO_FLOAT32 : SCORPIO_FLOAT64;
      EXPECT_SUCCESS(scorpio_variable_define(file_, name.c_str(), type, 2, dims, &variable_[c]));
    }
    EXPECT_SUCCESS(scorpio_define_end(file_));
  }
  ~Structures() override {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    on_all(true);
  }

  static constexpr int64_t k_wide = k_columns + 2 * k_ghosts;
  static size_t place(int component, int64_t row, int64_t column) {
    return static_cast<size_t>(((row + k_ghosts) * k_wide + column + k_ghosts) * k_components + component);
  }
  static std::vector<double> cells(bool filled) {
    std::vector<double> all(static_cast<size_t>((k_rows + 2 * k_ghosts) * k_wide * k_components),
                            k_untouched);
    for (int c = 0; filled && c < k_components; ++c) {
      for (int64_t row = 0; row < k_rows; ++row) {
        for (int64_t column = 0; column < k_columns; ++column)
          all[place(c, row, column)] = value_of(c, row + rank_in() * k_rows, column);
      }
    }
    return all;
  }

  // Of this rank's rows all but the last `left_out` of each component.
  void move(std::vector<double>& cells, bool reading, int64_t left_out) {
    const int64_t start[2] = {k_rows * rank_in(), 0}, count[2] = {k_rows - left_out, k_columns};
    const int64_t map[2] = {k_wide * k_components, k_components};
    for (int c = 0; c < k_components; ++c) {
      scorpio_access access =
          scorpio_hyperslab(variable_[c], start, count, SCORPIO_FLOAT64, &cells[place(c, 0, 0)]);
      access.map = map;
      if (reading) {
        ASSERT_SUCCESS(scorpio_iget(file_, &access, nullptr));
      } else {
        ASSERT_SUCCESS(scorpio_iput(file_, &access, nullptr));
      }
    }
    ASSERT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  }

  // By another rank than wrote it, and not as structures.
  void expect_next_ranks_rows(int64_t rows) {
    const int64_t owner = (rank_in() + 1) % ranks_in();
    const int64_t start[2] = {owner * k_rows, 0}, count[2] = {rows, k_columns};
    for (int c = 0; c < k_components; ++c) {
      std::vector<double> data(static_cast<size_t>(rows * k_columns), k_untouched);
      const scorpio_access access =
          scorpio_hyperslab(variable_[c], start, count, SCORPIO_FLOAT64, data.data());
      ASSERT_SUCCESS(scorpio_get_n(file_, 1, &access));
      for (int64_t i = 0; i < rows * k_columns; ++i) {
        ASSERT_EQ(value_of(c, owner * k_rows + i / k_columns, i % k_columns), data[static_cast<size_t>(i)])
            << c << " " << i;
      }
    }
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "structures";
  const System system_;
  scorpio_file* file_ = nullptr;
  int variable_[k_components] = {};
};

TEST_P(Structures, AreWrittenAndReadBackWithoutTheirGhosts) {
  std::vector<double> written = cells(true);
  move(written, false, 0);
  expect_next_ranks_rows(k_rows);
  std::vector<double> read = cells(false);
  move(read, true, 0);
  EXPECT_TRUE(read == written);
}

TEST_P(Structures, LeaveOutWhatTheyDoNotHold) {
  std::vector<double> first = cells(true), second = cells(true);
  move(first, false, 0);
  std::fill(second.begin(), second.end(), 5.0);
  move(second, false, k_rows - 2);  // the first two rows of each rank
  for (int c = 0; c < k_components; ++c) {
    for (int64_t column = 0; column < k_columns; ++column)
      first[place(c, 0, column)] = first[place(c, 1, column)] = 5.0;
  }
  std::vector<double> read = cells(false);
  move(read, true, 0);
  EXPECT_TRUE(read == first);
}

// Of overlapping parts the later one counts, however the parts lie in memory.
TEST_P(Structures, OverlappingPartsAreWrittenInOrder) {
  std::vector<double> dense(k_rows * k_columns, 5.0), written = cells(true);
  const int64_t start[2] = {k_rows * rank_in(), 0}, count[2] = {k_rows, k_columns};
  const int64_t map[2] = {k_wide * k_components, k_components};
  for (int c = 0; c < k_components; ++c) {
    const scorpio_access before =
        scorpio_hyperslab(variable_[c], start, count, SCORPIO_FLOAT64, dense.data());
    scorpio_access then =
        scorpio_hyperslab(variable_[c], start, count, SCORPIO_FLOAT64, &written[place(c, 0, 0)]);
    then.map = map;
    ASSERT_SUCCESS(scorpio_iput(file_, &before, nullptr));
    ASSERT_SUCCESS(scorpio_iput(file_, &then, nullptr));
  }
  ASSERT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  std::vector<double> read = cells(false);
  move(read, true, 0);
  EXPECT_TRUE(read == written);
}

// Rank 0, which is an I/O rank, puts its variables one by one where the others put structures.
TEST_P(Structures, BesideAnIoRankWithoutAny) {
  std::vector<double> written = cells(true);
  for (int round = 0; round < 3; ++round) {
    if (rank_in() == 0) {
      ASSERT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    } else {
      move(written, false, 0);
    }
  }
  std::vector<double> read = cells(false);
  if (rank_in() == 0) {
    ASSERT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  } else {
    move(read, true, 0);
    EXPECT_TRUE(read == written);
  }
}

const Settings k_small_units{{"staging_bytes", "64KiB"}, {"staging_files", "1"}, {"block_bytes", "512"}};

INSTANTIATE_TEST_SUITE_P(
    Files, Structures,
    testing::Values(Case{"classic", "cdf5", 1, {}}, Case{"hdf5", "hdf5", 1, {}},
                    Case{"few_slots", "cdf5", 1, {{"staging_bytes", "1MiB"}}},
                    Case{"gathered", "cdf5", 1, {{"staging_bytes", "1MiB"}, {"gather_writes", "true"}}},
                    Case{"nodes", "cdf5", 3, {{"staging_bytes", "4MiB"}}}, Case{"toy", "toy", 1, {}},
                    Case{"toy_large", "toy_large", 2, k_small_units},
                    Case{"two_nodes", "cdf5", 2, k_small_units}),
    [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace scorpio::api_test
