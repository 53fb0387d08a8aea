// Option domains = auto in files: what the first put chooses is what explain has said and what the counters
// show, it stays as it is, and calls that differ between ranks make no rank wait.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

constexpr int64_t k_rows_of_rank = 8, k_columns = 512;  // a row of float64 is a block

class ChosenDomains : public testing::Test {
 protected:
  static Settings settings(const std::string& nodes, const std::string& domains = "auto") {
    return {{"nodes", nodes}, {"domains", domains}, {"block_bytes", "4k"}, {"staging_bytes", "64k"}};
  }
  static std::string all_nodes() { return std::to_string(ranks_in()); }

  std::vector<double> data_of(const Layout& layout) const {
    std::vector<double> data;
    for (const int64_t element : layout.of(rank_in())) data.push_back(static_cast<double>(element) + 0.5);
    return data;
  }

  struct Open {
    scorpio_file* file = nullptr;
    int v = -1;
  };
  Open create(const System& system, scorpio_format format = SCORPIO_FORMAT_HDF5) const {
    Open open;
    EXPECT_SUCCESS(scorpio_file_create(system.get(), (folder_ / "f").c_str(), format, nullptr, &open.file));
    EXPECT_SUCCESS(scorpio_variable_define(open.file, "v", SCORPIO_FLOAT64, 2, rows_.dims.data(), &open.v));
    return open;
  }

  std::string explained(const Open& open, const Decomp& decomp) const {
    std::vector<char> text(8192);
    size_t length = 0;
    EXPECT_SUCCESS(
        scorpio_explain_darray(open.file, open.v, decomp.get(), 0, text.data(), text.size(), &length));
    EXPECT_TRUE(equal_on_all(text.data()));
    return text.data();
  }

  int put(const Open& open, const Layout& layout, const Decomp& decomp) const {
    const std::vector<double> data = data_of(layout);
    return scorpio_put_darray(open.file, open.v, decomp.get(), 0, SCORPIO_FLOAT64, data.data());
  }

  void expect_values(const Open& open, const Layout& layout, const Decomp& decomp) const {
    std::vector<double> got(layout.of(rank_in()).size());
    EXPECT_SUCCESS(scorpio_get_darray(open.file, open.v, decomp.get(), 0, SCORPIO_FLOAT64, got.data()));
    EXPECT_EQ(got, data_of(layout));
  }

  const TemporaryFolder folder_;
  const Layout rows_ = uniform_layout({ranks_in() * k_rows_of_rank, k_columns}, ranks_in());
  // Elements of each row in turn.
  const Layout columns_ = [] {
    std::vector<std::vector<int64_t>> index(static_cast<size_t>(ranks_in()));
    for (int64_t i = 0; i < ranks_in() * k_rows_of_rank * k_columns; ++i)
      index[static_cast<size_t>(i % ranks_in())].push_back(i);
    return map_layout({ranks_in() * k_rows_of_rank, k_columns}, index);
  }();
};

TEST_F(ChosenDomains, RowsOfNodesTakeNoMessages) {
  std::vector<uint64_t> messages;
  for (const char* domains : {"cyclic", "auto"}) {
    const System system(settings(all_nodes(), domains));
    const Decomp rows(system, rows_);
    const Open open = create(system);
    EXPECT_SUCCESS(put(open, rows_, rows));
    EXPECT_SUCCESS(scorpio_file_sync(open.file));
    messages.push_back(system.sum("messages"));
    expect_values(open, rows_, rows);
    EXPECT_SUCCESS(scorpio_file_close(open.file));
  }
  EXPECT_EQ(messages[0] > 0, ranks_in() > 1);
  EXPECT_EQ(messages[1], 0u);
}

TEST_F(ChosenDomains, ExplainSaysBeforeWhatAPutChooses) {
  if (ranks_in() == 1) GTEST_SKIP() << "one I/O rank leaves no choice";
  for (const bool in_turn : {false, true}) {
    const Layout& layout = in_turn ? columns_ : rows_;
    const System system(settings(all_nodes()));
    EXPECT_NE(system.describe().find("domains = auto (API); in force: chosen for each file"),
              std::string::npos);
    const Decomp decomp(system, layout), other(system, in_turn ? rows_ : columns_);
    const Open open = create(system);
    const bool contiguous = !in_turn && ranks_in() > 1;
    const std::string kind = contiguous ? "contiguous" : "cyclic";
    const std::string before = explained(open, decomp);
    EXPECT_NE(before.find("file domains: " + kind + ","), std::string::npos) << before;
    EXPECT_NE(before.find("a put by this call chooses: " + kind), std::string::npos) << before;
    EXPECT_NE(before.find("estimated cost of a put: "), std::string::npos) << before;
    EXPECT_SUCCESS(put(open, layout, decomp));
    // It stays so, whatever is put later.
    EXPECT_SUCCESS(put(open, in_turn ? rows_ : columns_, other));
    const std::string after = explained(open, other);
    EXPECT_NE(after.find("file domains: " + kind + ","), std::string::npos) << after;
    EXPECT_NE(after.find("domains = auto (API); in force: " + kind), std::string::npos) << after;
    EXPECT_EQ(after.find("chooses"), std::string::npos) << after;
    expect_values(open, layout, decomp);
    EXPECT_SUCCESS(scorpio_file_close(open.file));
  }
}

// A variable of fewer blocks than I/O ranks leaves the choice to a later one; the file stays correct.
TEST_F(ChosenDomains, ASmallVariableDecidesNothing) {
  const System system(settings(all_nodes()));
  const Layout few = uniform_layout({ranks_in() * 3, 5}, ranks_in());
  const Decomp rows(system, rows_), small(system, few);
  Open open = create(system);
  const Open first{open.file, -1};
  int id = -1;
  EXPECT_SUCCESS(scorpio_variable_define(open.file, "w", SCORPIO_FLOAT64, 2, few.dims.data(), &id));
  const Open tiny{first.file, id};
  EXPECT_SUCCESS(put(tiny, few, small));
  const std::string text = explained(open, rows);
  EXPECT_EQ(text.find("a put by this call chooses: ") != std::string::npos, ranks_in() > 1) << text;
  EXPECT_SUCCESS(put(open, rows_, rows));
  expect_values(tiny, few, small);
  expect_values(open, rows_, rows);
  EXPECT_SUCCESS(scorpio_file_close(open.file));
}

// Nor does a get of no elements.
TEST_F(ChosenDomains, AGetOfNothingDecidesNothing) {
  const System system(settings(all_nodes()));
  const Decomp rows(system, rows_);
  const Open open = create(system);
  scorpio_access nothing = scorpio_hyperslab(open.v, nullptr, nullptr, SCORPIO_FLOAT64, nullptr);
  nothing.n = 0;
  nothing.sharing = SCORPIO_ALL_RANKS;
  EXPECT_SUCCESS(scorpio_get(open.file, &nothing));
  EXPECT_SUCCESS(put(open, rows_, rows));
  expect_values(open, rows_, rows);
  EXPECT_SUCCESS(scorpio_file_close(open.file));
}

TEST_F(ChosenDomains, RequestsAndFormatsWithoutAChoiceKeepCyclicDomains) {
  const System system(settings(all_nodes()));
  const Decomp rows(system, rows_);
  const Open open = create(system);
  EXPECT_SUCCESS(scorpio_wait(open.file, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  const std::string text = explained(open, rows);
  EXPECT_NE(text.find("in force: cyclic, without a count"), std::string::npos) << text;
  EXPECT_SUCCESS(put(open, rows_, rows));
  expect_values(open, rows_, rows);
  EXPECT_SUCCESS(scorpio_file_close(open.file));
  const Open classic = create(system, SCORPIO_FORMAT_CDF5);
  EXPECT_NE(explained(classic, rows).find("in force: cyclic, the only ones of this format"),
            std::string::npos);
  EXPECT_SUCCESS(put(classic, rows_, rows));
  EXPECT_SUCCESS(scorpio_file_close(classic.file));
}

// One rank passes another decomposition than the others to the first put, or one that does not fit: the file
// is lost, no rank waits, and the next file is as any other.
TEST_F(ChosenDomains, AFirstPutThatDiffersBetweenRanksMakesNoRankWait) {
  for (const std::string& nodes : {std::string("1"), std::to_string(std::min(2, ranks_in())), all_nodes()}) {
    for (const bool fits : {false, true}) {
      const System system(settings(nodes));
      const Layout wrong = uniform_layout({7, 5}, ranks_in());
      const Decomp rows(system, rows_), columns(system, columns_), other(system, wrong);
      const Open open = create(system);
      const bool odd = rank_in() == ranks_in() - 1;
      const Layout& layout = odd && fits ? columns_ : rows_;
      const int code = put(open, layout, odd ? (fits ? columns : other) : rows);
      if (odd && !fits) {
        EXPECT_EQ(code, SCORPIO_ERR_SHAPE);
      }
      const int synced = scorpio_file_sync(open.file);
      if (ranks_in() > 1) {
        EXPECT_NE(synced, SCORPIO_OK);
      }
      (void)scorpio_file_close(open.file);
      const Open next = create(system);
      EXPECT_SUCCESS(put(next, rows_, rows));
      expect_values(next, rows_, rows);
      EXPECT_SUCCESS(scorpio_file_close(next.file));
    }
  }
}

// The option writers: only so many I/O ranks open the file, evenly chosen, and the data are the same.
TEST_F(ChosenDomains, AFileHasOnlyAsManyWritersAsAreAskedFor) {
  for (const std::string& nodes : {std::string("1"), all_nodes()}) {
    for (const int n : {1, 2, ranks_in() - 1, ranks_in() + 1}) {
      if (n < 1) continue;
      for (const char* domains : {"auto", "cyclic", "contiguous"}) {
        Settings wished = settings(nodes, domains);
        wished.emplace_back("io_ranks", std::to_string(ranks_in()));
        wished.emplace_back("writers", std::to_string(n));
        const System system(wished);
        const Decomp rows(system, rows_), columns(system, columns_);
        const bool replaces = std::filesystem::exists(folder_ / "f");  // what is there is opened once more
        const Open open = create(system);
        EXPECT_SUCCESS(put(open, rows_, rows));
        EXPECT_SUCCESS(scorpio_file_sync(open.file));
        EXPECT_EQ(system.sum("opens"), static_cast<uint64_t>(std::min(n, ranks_in()) + (replaces ? 1 : 0)));
        expect_values(open, columns_, columns);
        const std::string text = explained(open, rows);
        EXPECT_NE(text.find("writers: " + std::to_string(std::min(n, ranks_in())) + " of them; "),
                  std::string::npos)
            << text;
        EXPECT_SUCCESS(scorpio_file_close(open.file));
      }
    }
  }
}

}  // namespace
}  // namespace scorpio::api_test
