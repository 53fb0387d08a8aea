// Every kind of decomposition, written by all ranks, read by HDF5 alone and read back by other decompositions
// and by fewer ranks.
#include <algorithm>

#include "layout.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

// What is asked of the decomposition is what was given.
void expect_asked(const Decomp& decomp, const Layout& layout, int rank) {
  const std::vector<int64_t>& given = layout.of(rank);
  int ndims = -1;
  int64_t held = -1;
  std::vector<int64_t> dims(layout.dims.size()), index(given.size());
  EXPECT_SUCCESS(
      scorpio_decomp_inquire(decomp.get(), &ndims, dims.data(), static_cast<int>(dims.size()), &held));
  EXPECT_EQ(layout.dims.size(), static_cast<size_t>(ndims));
  EXPECT_EQ(layout.dims, dims);
  EXPECT_EQ(std::ranges::count_if(given, [](int64_t at) { return at >= 0; }), held);
  EXPECT_SUCCESS(scorpio_decomp_index(decomp.get(), 0, static_cast<int64_t>(index.size()), index.data()));
  EXPECT_EQ(given, index) << layout.name;
}

// Writes with `layout`, compares with what HDF5 finds in the file, reads in three other ways.
void round_trip(const Layout& layout, const Settings& settings = {{"staging_bytes", "1m"}}) {
  const TemporaryFolder folder;
  const std::string path = folder / "file.h5";
  const int rank = rank_in(), ranks = ranks_in();
  Reference<int32_t> reference(layout.dims);
  reference.put(layout, 1);
  const auto ndims = static_cast<int>(layout.dims.size());
  {
    const System system(settings);
    const Decomp decomp(system, layout);
    scorpio_file* file = nullptr;
    int variable = -1;
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    ASSERT_SUCCESS(
        scorpio_variable_define(file, "group/v", SCORPIO_INT32, ndims, layout.dims.data(), &variable));
    expect_asked(decomp, layout, rank);
    EXPECT_SUCCESS(put<int32_t>(file, variable, decomp, layout, 1, rank));
    EXPECT_SUCCESS(scorpio_file_close(file));

    std::mt19937_64 random(7);
    std::vector<Layout> readers{layout, grid_layout(layout.dims, shuffled(ranks, random))};
    if (ndims > 0) readers.push_back(uniform_layout(layout.dims, ranks));
    ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    ASSERT_SUCCESS(scorpio_variable_find(file, "/group/v", &variable));
    for (const Layout& reader : readers) {
      expect_part(file, variable, Decomp(system, reader), reader, reference, rank);
    }
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
  if (rank == 0) {
    EXPECT_EQ(reference.elements(), stock_elements<int32_t>(path, "/group/v")) << layout.name;
    const System alone({{"staging_bytes", "1m"}}, MPI_COMM_SELF);
    const Layout whole = grid_layout(layout.dims, {0});
    scorpio_file* file = nullptr;
    int variable = -1;
    ASSERT_SUCCESS(scorpio_file_open(alone.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    ASSERT_SUCCESS(scorpio_variable_find(file, "group/v", &variable));
    expect_part(file, variable, Decomp(alone, whole, MPI_COMM_SELF), whole, reference, 0);
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
}

TEST(Decompositions, PartsOfAMapAndABlockAreAsked) {
  const System system;
  const Layout block = uniform_layout({7, 5}, ranks_in());
  const Decomp of_block(system, block), of_map(system, map_layout(block.dims, block.index));
  const auto local = static_cast<int64_t>(block.of(rank_in()).size());
  int is_block = -1, ndims = -1;
  std::vector<int64_t> start(2, 77), count(2, 77), some(2, 77);
  EXPECT_SUCCESS(scorpio_decomp_region(of_block.get(), &is_block, start.data(), count.data(), 2));
  EXPECT_EQ(1, is_block);
  EXPECT_EQ(local, count[0] * count[1]);
  if (local > 0) {
    EXPECT_EQ(block.of(rank_in()).front(), start[0] * 5 + start[1]);
  }
  EXPECT_SUCCESS(scorpio_decomp_region(of_map.get(), &is_block, some.data(), nullptr, 2));
  EXPECT_EQ(0, is_block);
  EXPECT_EQ((std::vector<int64_t>{77, 77}), some);
  EXPECT_SUCCESS(scorpio_decomp_inquire(of_map.get(), &ndims, some.data(), 1, nullptr));
  EXPECT_EQ(2, ndims);
  EXPECT_EQ((std::vector<int64_t>{7, 77}), some);
  EXPECT_SUCCESS(scorpio_decomp_inquire(of_map.get(), nullptr, nullptr, 0, nullptr));
  EXPECT_SUCCESS(scorpio_decomp_index(of_map.get(), local, 0, nullptr));
  if (local > 1) {
    EXPECT_SUCCESS(scorpio_decomp_index(of_map.get(), local - 1, 1, some.data()));
    EXPECT_EQ((std::vector<int64_t>{block.of(rank_in()).back(), 77}), some);
  }
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_decomp_index(of_map.get(), local, 1, some.data()));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_decomp_index(of_map.get(), 1, INT64_MAX, some.data()));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_decomp_index(of_map.get(), -1, 1, some.data()));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_decomp_index(of_map.get(), 0, -1, some.data()));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_decomp_index(of_map.get(), 0, 1, nullptr));
}

std::vector<std::vector<int64_t>> parts_of(int ranks) {
  return std::vector<std::vector<int64_t>>(static_cast<size_t>(ranks));
}

TEST(Decompositions, BlocksOfOneToFourDimensionsInAnyOrder) {
  std::mt19937_64 random(11);
  for (const Extents& dims : {Extents{1009}, Extents{37, 53}, Extents{17, 19, 13}, Extents{7, 9, 8, 11}}) {
    round_trip(grid_layout(dims, in_order(ranks_in())));
    round_trip(grid_layout(dims, shuffled(ranks_in(), random)));
  }
}

TEST(Decompositions, UniformRowsWithRemainder) {
  round_trip(uniform_layout({101, 7}, ranks_in()));
  round_trip(uniform_layout({1, 5}, ranks_in()));  // all but one rank hold nothing
}

TEST(Decompositions, RowsWithEmptyRanksAndARest) {
  std::vector<int64_t> rows;
  for (int r = 0; r < ranks_in(); ++r) rows.push_back(r % 2 == 0 ? 0 : 3 + r);
  round_trip(rows_layout({200, 9}, rows));
  std::fill(rows.begin(), rows.end(), 0);
  round_trip(rows_layout({20, 9}, rows));
  rows.back() = 20;
  round_trip(rows_layout({20, 9}, rows));
}

TEST(Decompositions, StridedHyperslabs) {
  std::vector<Slab> slabs;
  const int64_t ranks = ranks_in();
  for (int64_t r = 0; r < ranks; ++r) slabs.push_back({{r, 2 * r}, {ranks, 2 * ranks}, {5, 4}, {1, 2}});
  round_trip(strided_layout({5 * ranks, 8 * ranks}, slabs));
  for (Slab& slab : slabs) slab.count = {3, 0};
  round_trip(strided_layout({5 * ranks, 8 * ranks}, slabs));
}

TEST(Decompositions, ScatteredMapWithHoles) {
  auto index = parts_of(ranks_in());
  for (int64_t g = 0; g < 997; ++g) {
    auto& part = index[static_cast<size_t>((g * 7) % ranks_in())];
    if (g % 5 == 0) part.push_back(-1);
    if (g % 11 != 0) part.push_back(g);
  }
  for (auto& part : index) std::reverse(part.begin(), part.end());
  round_trip(map_layout({997}, std::move(index)));
}

TEST(Decompositions, MapOfNothing) { round_trip(map_layout({10, 10}, parts_of(ranks_in()))); }

TEST(Decompositions, ElementTwiceOnOneRankTakesTheLater) {
  auto index = parts_of(ranks_in());
  for (int64_t r = 0; r < ranks_in(); ++r) {
    index[static_cast<size_t>(r)] = {3 * r + 1, 3 * r, 3 * r + 1, -1, 3 * r + 2, 3 * r};
  }
  round_trip(map_layout({3 * ranks_in()}, std::move(index)));
}

TEST(Decompositions, HighestRankWinsWhereRanksOverlap) {
  std::vector<Extents> start, count;
  for (int64_t r = 0; r < ranks_in(); ++r) {
    start.push_back({r * 3, r});
    count.push_back({12, 20});
  }
  const Layout layout = block_layout({12 + 3 * ranks_in(), 40}, start, count);
  for (int i = 0; i < 20; ++i) round_trip(layout, {{"staging_bytes", "64k"}, {"block_bytes", "512"}});
}

TEST(Decompositions, AllRanksHoldEverything) {
  const std::vector<Extents> start(static_cast<size_t>(ranks_in()), {0, 0});
  const std::vector<Extents> count(static_cast<size_t>(ranks_in()), {50, 30});
  round_trip(block_layout({50, 30}, start, count));
}

TEST(Decompositions, ScalarAndZeroSize) {
  round_trip(grid_layout({}, in_order(ranks_in())));
  round_trip(uniform_layout({0, 4}, ranks_in()));
  round_trip(uniform_layout({4, 0}, ranks_in()));
}

TEST(Decompositions, MoreIoRanksThanData) {
  round_trip(uniform_layout({2}, ranks_in()), {{"io_ranks", std::to_string(ranks_in())}});
}

TEST(Decompositions, AnyNumberOfIoRanks) {
  std::mt19937_64 random(13);
  for (int n = 1; n <= ranks_in(); ++n) {
    for (const std::string domains : {"auto", "cyclic", "contiguous", "balanced"}) {
      round_trip(grid_layout({60, 50}, shuffled(ranks_in(), random)), {{"io_ranks", std::to_string(n)},
                                                                       {"staging_bytes", "64k"},
                                                                       {"block_bytes", "512"},
                                                                       {"domains", domains}});
    }
  }
}

TEST(Decompositions, PretendedNodes) {
  std::mt19937_64 random(17);
  for (int nodes = 2; nodes <= ranks_in(); ++nodes) {
    const Settings settings{
        {"nodes", std::to_string(nodes)}, {"staging_bytes", "64k"}, {"block_bytes", "512"}};
    round_trip(grid_layout({71, 61}, shuffled(ranks_in(), random)), settings);
    round_trip(random_layout({71, 61}, ranks_in(), random), settings);
  }
}

TEST(Decompositions, EverythingByMessages) {
  std::mt19937_64 random(19);
  const Settings settings{
      {"exchange", "messages"}, {"staging_bytes", "64k"}, {"io_ranks", std::to_string((ranks_in() + 1) / 2)}};
  round_trip(grid_layout({71, 61}, shuffled(ranks_in(), random)), settings);
  round_trip(random_layout({71, 61}, ranks_in(), random), settings);
}

TEST(Decompositions, RowsLongerThanAllOfStaging) {
  round_trip(uniform_layout({2 * ranks_in() + 1, 40000}, ranks_in()),
             {{"staging_bytes", "64k"}, {"block_bytes", "4k"}});
  round_trip(grid_layout({3, 40000}, in_order(ranks_in())), {{"staging_bytes", "64k"}});
}

TEST(Decompositions, GroupsWithAShortLastOne) {
  round_trip(uniform_layout({100, 20}, ranks_in()), {{"io_placement", "groups"}, {"group_size", "2"}});
}

}  // namespace
}  // namespace scorpio::api_test
