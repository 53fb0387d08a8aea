// Requests for parts whose elements other ranks hold too: the rank with the request writes all of its
// elements.
#include <algorithm>
#include <memory>

#include "accesses.h"
#include "layout.h"
#include "reference.h"

namespace scorpio::api_test {
namespace {

constexpr int32_t k_before = -5;

// Rank r holds [3r, 3r + 5] backwards, the middle ones twice: each shares elements with its neighbours.
Layout overlapping_layout() {
  std::vector<std::vector<int64_t>> index;
  for (int r = 0; r < ranks_in(); ++r) {
    std::vector<int64_t> part;
    for (int64_t i = 5; i >= 0; --i) part.push_back(3 * r + i);
    part.insert(part.end(), {-1, 3 * r + 2, 3 * r + 3});
    index.push_back(part);
  }
  return map_layout({3 * ranks_in() + 3}, std::move(index));
}

Layout everything_layout() {
  std::vector<int64_t> all;
  for (int64_t i = 0; i < 40; ++i) all.push_back(i);
  return map_layout({40}, std::vector<std::vector<int64_t>>(static_cast<size_t>(ranks_in()), all));
}

// What an element may be when these ranks have posted: of each the last of its own.
std::vector<std::vector<int32_t>> candidates(const Layout& layout, const std::vector<int>& posting,
                                             uint64_t call) {
  std::vector<std::vector<int32_t>> values(static_cast<size_t>(elements_of(layout.dims)));
  for (const int rank : posting) {
    Reference<int32_t> own(layout.dims);
    Layout alone = layout;
    for (size_t r = 0; r < alone.index.size(); ++r) {
      if (static_cast<int>(r) != rank) alone.index[r].clear();
    }
    own.put(alone, call);
    for (const int64_t g : layout.of(rank)) {
      if (g >= 0) values[static_cast<size_t>(g)].push_back(own[g]);
    }
  }
  return values;
}

struct Case {
  const char* format;
  const char* nodes;
  const char* combine;
};

class SharedElements : public testing::TestWithParam<Case> {
 protected:
  SharedElements()
      : system_(Settings{{"nodes", GetParam().nodes},
                         {"combine", GetParam().combine},
                         {"format", GetParam().format},
                         {"staging_bytes", "64k"},
                         {"block_bytes", "512"}}) {}

  // A variable that is k_before all over, then posts of these ranks.
  void post(const Layout& layout, const std::vector<int>& posting, uint64_t call) {
    const Decomp parts(system_, layout);
    const int64_t elements = elements_of(layout.dims);
    const Layout rows = uniform_layout(layout.dims, ranks_in());
    const Decomp even(system_, rows);
    scorpio_file* file = nullptr;
    int variable = -1;
    const std::string path = folder_ / ("f" + std::to_string(call));
    ASSERT_SUCCESS(scorpio_file_create(system_.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    ASSERT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, &elements, &variable));
    ASSERT_SUCCESS(scorpio_variable_fill_define(file, variable, 1, &k_before));
    ASSERT_SUCCESS(scorpio_define_end(file));
    const std::vector<int32_t> data = data_of<int32_t>(layout, rank_in(), call);
    for (const int rank : posting) {
      if (rank != rank_in()) continue;
      EXPECT_SUCCESS(iput(file, scorpio_darray(variable, parts.get(), 0, SCORPIO_INT32, data.data())));
    }
    EXPECT_SUCCESS(scorpio_wait(file, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    std::vector<int32_t> got(rows.of(rank_in()).size());
    EXPECT_SUCCESS(scorpio_get_darray(file, variable, even.get(), 0, SCORPIO_INT32, got.data()));
    const auto allowed = candidates(layout, posting, call);
    for (size_t i = 0; i < got.size(); ++i) {
      const int64_t g = rows.of(rank_in())[i];
      std::vector<int32_t> values = allowed[static_cast<size_t>(g)];
      if (values.empty()) values = {k_before};
      EXPECT_NE(values.end(), std::find(values.begin(), values.end(), got[i]))
          << "element " << g << " is " << got[i];
    }
    EXPECT_SUCCESS(scorpio_file_close(file));
  }

  const TemporaryFolder folder_;
  const System system_;
};

TEST_P(SharedElements, OneRankAlonePosts) {
  uint64_t call = 0;
  for (int rank = 0; rank < ranks_in(); ++rank) {
    post(overlapping_layout(), {rank}, ++call);
    post(everything_layout(), {rank}, ++call);
  }
}

TEST_P(SharedElements, WhatSeveralPostIsOfOneOfThem) {
  const std::vector<int> all = in_order(ranks_in());
  const std::vector<int> ends{0, ranks_in() - 1};
  uint64_t call = 0;
  for (const Layout& layout : {overlapping_layout(), everything_layout()}) {
    post(layout, all, ++call);
    if (ranks_in() > 1) post(layout, ends, ++call);
  }
}

// What all put together is of the highest rank, as ever.
TEST_P(SharedElements, TheHighestRankWinsInAPut) {
  const Layout layout = overlapping_layout();
  const Decomp parts(system_, layout);
  scorpio_file* file = nullptr;
  int variable = -1;
  ASSERT_SUCCESS(
      scorpio_file_create(system_.get(), (folder_ / "f").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  ASSERT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, layout.dims.data(), &variable));
  const std::vector<int32_t> data = data_of<int32_t>(layout, rank_in(), 9);
  EXPECT_SUCCESS(scorpio_put_darray(file, variable, parts.get(), 0, SCORPIO_INT32, data.data()));
  Reference<int32_t> reference(layout.dims);
  reference.put(layout, 9);
  expect_part(file, variable, parts, layout, reference, rank_in());
  EXPECT_SUCCESS(scorpio_file_close(file));
}

INSTANTIATE_TEST_SUITE_P(Cases, SharedElements,
                         testing::Values(Case{"hdf5", "0", "true"}, Case{"hdf5", "2", "true"},
                                         Case{"cdf5", "0", "false"}, Case{"cdf2", "2", "true"},
                                         Case{"toy", "0", "true"}, Case{"toy_large", "2", "false"}));

}  // namespace
}  // namespace scorpio::api_test
