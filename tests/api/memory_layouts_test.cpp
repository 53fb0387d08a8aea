// Local arrays with ghost cells or other values between the elements: by all calls that move data, compared
// with arrays in memory; what they cost; and bad input.
#include <memory>

#include "accesses.h"
#include "layout.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

constexpr double k_untouched = 77;

enum class Way { put_darray, put_n, iput, bput };
constexpr Way k_ways[] = {Way::put_darray, Way::put_n, Way::iput, Way::bput};

int put_by(Way way, scorpio_file* file, const scorpio_access& access) {
  switch (way) {
    case Way::put_darray:
      return scorpio_put_darray(file, access.variable, access.decomp, 0, access.type, access.data);
    case Way::put_n:
      return scorpio_put_n(file, 1, &access);
    case Way::iput:
      return iput(file, access);
    case Way::bput:
      return bput(file, access);
  }
  return SCORPIO_ERR_INTERNAL;
}

// Doubles in memory, floats in the file.
class MemoryLayouts : public testing::TestWithParam<const char*> {
 protected:
  MemoryLayouts()
      : system_(Settings{{"format", GetParam()}, {"staging_bytes", "64k"}, {"block_bytes", "512"}}) {}

  void create(const Extents& dims, int variables) {
    ids_.assign(static_cast<size_t>(variables), -1);
    ASSERT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    for (int v = 0; v < variables; ++v) {
      const std::string name = "v" + std::to_string(v);
      ASSERT_SUCCESS(scorpio_variable_define(file_, name.c_str(), SCORPIO_FLOAT32,
                                             static_cast<int>(dims.size()), dims.data(),
                                             &ids_[static_cast<size_t>(v)]));
    }
    ASSERT_SUCCESS(scorpio_define_end(file_));
  }
  void close() { ASSERT_SUCCESS(scorpio_file_close(file_)); }

  // Every element of the array of each rank has a value of its own, ghost cells too.
  void put(int v, Way way, const Layout& layout, const Decomp& decomp) {
    std::vector<double> data = data_of<double>(layout, rank_in(), static_cast<uint64_t>(v));
    const auto bytes = static_cast<int64_t>(data.size() * sizeof(double));
    EXPECT_SUCCESS(scorpio_buffer_attach(file_, bytes));
    EXPECT_SUCCESS(
        put_by(way, file_,
               scorpio_darray(ids_[static_cast<size_t>(v)], decomp.get(), 0, SCORPIO_FLOAT64, data.data())));
    if (way == Way::bput) data.assign(data.size(), -1);
    EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    EXPECT_SUCCESS(scorpio_buffer_detach(file_));
  }

  // Reads by all calls; ghost cells keep their values.
  void expect(int v, const Layout& layout, const Decomp& decomp, const Reference<double>& reference) {
    const int id = ids_[static_cast<size_t>(v)];
    expect_part(file_, id, decomp, layout, reference, rank_in());
    std::vector<double> got(layout.of(rank_in()).size(), k_untouched);
    const scorpio_access access = scorpio_darray(id, decomp.get(), 0, SCORPIO_FLOAT64, got.data());
    EXPECT_SUCCESS(iget(file_, access));
    EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    EXPECT_EQ(reference.part(layout, rank_in(), k_untouched), got) << layout.name;
    got.assign(got.size(), k_untouched);
    EXPECT_SUCCESS(scorpio_get_n(file_, 1, &access));
    EXPECT_EQ(reference.part(layout, rank_in(), k_untouched), got) << layout.name;
  }

  // `shared`: several ranks hold an element. It is undefined whose value requests write.
  void round_trip(const Layout& layout, bool shared = false) {
    const int ways = shared ? 2 : 4;
    create(layout.dims, ways);
    const Decomp decomp(system_, layout);
    const Layout plain = grid_layout(layout.dims, in_order(ranks_in()));
    const Decomp packed(system_, plain);
    for (int v = 0; v < ways; ++v) {
      Reference<double> reference(layout.dims);
      reference.put(layout, static_cast<uint64_t>(v));
      put(v, k_ways[v], layout, decomp);
      expect(v, layout, decomp, reference);
      expect(v, plain, packed, reference);
    }
    close();
    if (std::string(GetParam()) == "hdf5" && rank_in() == 0) {
      for (int v = 0; v < ways; ++v) {
        Reference<float> reference(layout.dims);
        reference.put(layout, static_cast<uint64_t>(v));
        EXPECT_EQ(reference.elements(), stock_elements<float>(path_, "/v" + std::to_string(v)))
            << layout.name;
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "file";
  const System system_;
  scorpio_file* file_ = nullptr;
  std::vector<int> ids_;
};

INSTANTIATE_TEST_SUITE_P(Formats, MemoryLayouts, testing::Values("hdf5", "cdf5"));

TEST_P(MemoryLayouts, GhostCellsAroundBlocks) {
  for (const Extents& dims : {Extents{1009}, Extents{37, 53}, Extents{17, 19, 13}}) {
    round_trip(with_ghosts(grid_layout(dims, in_order(ranks_in())), 2));
  }
}

TEST_P(MemoryLayouts, EqualSharesAndRows) {
  round_trip(with_ghosts(uniform_layout({29, 31}, ranks_in()), 1));
  std::vector<int64_t> rows;
  for (int r = 0; r < ranks_in(); ++r) rows.push_back(3 + r);
  round_trip(with_ghosts(rows_layout({100, 12}, rows), 3));
}

TEST_P(MemoryLayouts, RanksThatHoldNothingHaveAnyArray) {
  std::vector<int64_t> rows(static_cast<size_t>(ranks_in()), 0);
  rows.back() = 5;
  if (ranks_in() > 2) rows[1] = 4;
  const Layout origin = rows_layout({9, 7}, rows);
  round_trip(with_ghosts(origin, 1));
  std::vector<Memory> memory;
  for (const int64_t n : rows) {
    memory.push_back(n == 0 ? Memory{{0, 3}, {4, 4}, {2, 2}} : Memory{{n + 1, 8}, {1, 1}, {1, 1}});
  }
  round_trip(placed_layout(origin, memory));
}

TEST_P(MemoryLayouts, EachSecondElementOfARow) {
  const Layout origin = grid_layout({24, 40}, in_order(ranks_in()));
  std::vector<Memory> memory;
  for (const Extents& shape : origin.shape) memory.push_back({{shape[0], 2 * shape[1]}, {0, 1}, {1, 2}});
  round_trip(placed_layout(origin, memory));
}

TEST_P(MemoryLayouts, AMapInALargerArray) {
  std::vector<std::vector<int64_t>> index(static_cast<size_t>(ranks_in()));
  for (int64_t g = 0; g < 700; ++g) {
    auto& part = index[static_cast<size_t>(g / 3 % ranks_in())];
    if (g % 13 == 0) part.push_back(-1);
    if (g % 5 != 0) part.push_back(g);
  }
  const Layout origin = map_layout({7, 100}, std::move(index));
  std::vector<Memory> memory;
  for (const Extents& shape : origin.shape) memory.push_back({{3 * shape[0] + 9}, {6}, {3}});
  round_trip(placed_layout(origin, memory));
}

TEST_P(MemoryLayouts, AnArrayInALargerOne) {
  round_trip(with_ghosts(with_ghosts(grid_layout({21, 23}, in_order(ranks_in())), 1), 2));
}

TEST_P(MemoryLayouts, OneElementAndNoDimensions) {
  std::vector<int64_t> rows(static_cast<size_t>(ranks_in()), 0);
  rows[0] = 1;
  round_trip(with_ghosts(rows_layout({1}, rows), 2));
  round_trip(with_ghosts(grid_layout({}, in_order(ranks_in())), 2), true);
}

TEST_P(MemoryLayouts, TheHighestRankWinsWhereBlocksOverlap) {
  std::vector<Extents> start, count;
  for (int64_t r = 0; r < ranks_in(); ++r) {
    start.push_back({r * 3, r});
    count.push_back({12, 20});
  }
  const Layout origin = block_layout({12 + 3 * ranks_in(), 40}, start, count);
  round_trip(with_ghosts(origin, 2), true);
  std::vector<Memory> spaced(static_cast<size_t>(ranks_in()), Memory{{30, 45}, {5, 3}, {2, 2}});
  round_trip(placed_layout(origin, spaced), true);
}

TEST_P(MemoryLayouts, OfElementsHeldTwiceTheLaterIsWritten) {
  std::vector<std::vector<int64_t>> index;
  for (int64_t r = 0; r < ranks_in(); ++r) {
    const int64_t g = 4 * r;
    index.push_back({g, g + 1, g + 2, g + 3, -1, g + 1, g + 2, g + 2});
  }
  const Layout origin = map_layout({4 * ranks_in()}, std::move(index));
  round_trip(
      placed_layout(origin, std::vector<Memory>(static_cast<size_t>(ranks_in()), Memory{{40}, {2}, {5}})));
}

// Blocks of a mesh with guard cells, as FLASH keeps them: all variables of a cell lie side by side. One
// decomposition describes each of them, by the address of its first value.
TEST_P(MemoryLayouts, InterleavedVariablesOfMeshBlocks) {
  constexpr int64_t k_side = 16, k_guards = 4, k_values = 24, k_blocks = 2;
  constexpr int64_t k_all = k_side + 2 * k_guards;
  constexpr int k_written = 3;
  const Extents dims{k_blocks * ranks_in(), k_side, k_side, k_side};
  const Layout origin = uniform_layout(dims, ranks_in());
  const Memory mesh{{k_blocks, k_all, k_all, k_all * k_values},
                    {0, k_guards, k_guards, k_guards * k_values},
                    {1, 1, 1, k_values}};
  const Layout layout = placed_layout(origin, std::vector<Memory>(static_cast<size_t>(ranks_in()), mesh));
  create(dims, 2 * k_written);
  {
    const Decomp decomp(system_, layout);
    const std::vector<double> data = data_of<double>(layout, rank_in(), 5);
    std::vector<scorpio_access> accesses;
    for (int v = 0; v < k_written; ++v) {
      accesses.push_back(scorpio_darray(ids_[static_cast<size_t>(v)], decomp.get(), 0, SCORPIO_FLOAT64,
                                        &data[static_cast<size_t>(7 * v)]));
    }
    EXPECT_SUCCESS(put_n(file_, accesses));
    for (int v = 0; v < k_written; ++v) {
      scorpio_access access = accesses[static_cast<size_t>(v)];
      access.variable = ids_[static_cast<size_t>(k_written + v)];
      EXPECT_SUCCESS(iput(file_, access));
    }
    EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  }
  const Decomp packed(system_, origin);
  for (int v = 0; v < 2 * k_written; ++v) {
    std::vector<double> got(origin.of(rank_in()).size());
    const int id = ids_[static_cast<size_t>(v)];
    EXPECT_SUCCESS(scorpio_get_darray(file_, id, packed.get(), 0, SCORPIO_FLOAT64, got.data()));
    size_t wrong = 0;
    for (size_t i = 0, array = 0; array < layout.of(rank_in()).size(); ++array) {
      if (layout.of(rank_in())[array] < 0) continue;
      const int64_t at = static_cast<int64_t>(array) + 7 * (v % k_written);
      if (got[i++] != datum<double>(rank_in(), at, 5)) ++wrong;
    }
    EXPECT_EQ(0u, wrong) << "variable " << v;
  }
  close();
}

// ---- what it costs ----

// Of everything that a put and a get of `layout` do, on all ranks: no times, and no waits, which depend on
// them.
std::vector<std::pair<std::string, uint64_t>> costs_of(const Layout& layout, const std::string& path,
                                                       const std::string& nodes) {
  const System system(
      Settings{{"staging_bytes", "64k"}, {"block_bytes", "512"}, {"nodes", nodes}, {"io_ranks", "1"}});
  const Decomp decomp(system, layout);
  scorpio_file* file = nullptr;
  int variable = -1;
  MPI_Barrier(MPI_COMM_WORLD);
  const_cast<System&>(system).reset();
  EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, static_cast<int>(layout.dims.size()),
                                         layout.dims.data(), &variable));
  EXPECT_SUCCESS(put<double>(file, variable, decomp, layout, 1, rank_in()));
  std::vector<double> got(layout.of(rank_in()).size());
  EXPECT_SUCCESS(scorpio_get_darray(file, variable, decomp.get(), 0, SCORPIO_FLOAT64, got.data()));
  EXPECT_SUCCESS(scorpio_file_close(file));
  std::vector<std::pair<std::string, uint64_t>> costs;
  for (const char* name :
       {"opens", "reads", "writes", "bytes_read", "bytes_written", "bytes_placed", "bytes_fetched",
        "messages", "message_bytes", "agreements", "operations", "rounds"}) {
    costs.emplace_back(name, system.sum(name));
  }
  return costs;
}

TEST(MemoryLayoutCosts, AreThoseOfThePackedBuffer) {
  const TemporaryFolder folder;
  const Layout packed = grid_layout({60, 70}, in_order(ranks_in()));
  for (const std::string nodes : {"0", "2"}) {
    if (std::stoi(nodes) > ranks_in()) continue;
    const auto expected = costs_of(packed, folder / "packed", nodes);
    EXPECT_EQ(expected, costs_of(with_ghosts(packed, 3), folder / "ghosts", nodes)) << "nodes = " << nodes;
  }
}

// ---- bad input ----

class MemoryLayoutErrors : public testing::Test {
 protected:
  MemoryLayoutErrors() { layout_.make(system_.get(), rank_in(), &origin_); }
  ~MemoryLayoutErrors() override { scorpio_decomp_free(origin_); }

  bool culprit() const { return rank_in() == ranks_in() - 1; }
  int make(const Memory& memory, const scorpio_decomp* origin) {
    return scorpio_decomp_memory(system_.get(), origin, static_cast<int>(memory.extents.size()),
                                 memory.extents.data(), memory.start.data(), memory.stride.data(), &placed_);
  }
  // The last rank's is wrong: the same failure on all ranks, and what comes later works.
  void expect_failure(int code, int got, const std::string& words) {
    EXPECT_EQ(code, got) << last_text();
    EXPECT_EQ(nullptr, placed_);
    EXPECT_TRUE(equal_on_all(last_text())) << last_text();
    EXPECT_EQ(ranks_in() - 1, last_origin()) << last_text();
    EXPECT_NE(std::string::npos, last_text().find("scorpio_decomp_memory")) << last_text();
    EXPECT_NE(std::string::npos, last_text().find(words)) << last_text();
    EXPECT_SUCCESS(make(good_, origin_));
    scorpio_decomp_free(std::exchange(placed_, nullptr));
  }
  void expect_refused(int code, const Memory& wrong, const std::string& words) {
    expect_failure(code, make(culprit() ? wrong : good_, origin_), words);
  }

  const System system_;
  const Layout layout_ = uniform_layout({2 * ranks_in(), 5}, ranks_in());
  const Memory good_{{4, 9}, {1, 2}, {1, 1}};
  scorpio_decomp *origin_ = nullptr, *placed_ = nullptr;
};

TEST_F(MemoryLayoutErrors, ArraysThatDoNotHoldTheElements) {
  expect_refused(
      SCORPIO_ERR_SHAPE, {{4, 6}, {1, 2}, {1, 1}},
      "5 elements from start 2 with stride 1 leave dimension 1 of the local array, whose extent is 6");
  expect_refused(SCORPIO_ERR_SHAPE, {{4, 8}, {1, 0}, {1, 2}}, "stride 2 leave dimension 1");
  expect_refused(SCORPIO_ERR_SHAPE, {{10}, {0}, {1}},
                 "the buffer of the decomposition has 2 (extents 2 x 5)");
}

TEST_F(MemoryLayoutErrors, ValuesThatNoLayoutHas) {
  expect_refused(SCORPIO_ERR_ARGUMENT, {{4, -9}, {1, 2}, {1, 1}}, "-9");
  expect_refused(SCORPIO_ERR_ARGUMENT, {{4, 9}, {-1, 2}, {1, 1}}, "start -1 in dimension 0");
  expect_refused(SCORPIO_ERR_ARGUMENT, {{4, 9}, {1, 2}, {1, 0}}, "stride 0 in dimension 1");
  const int64_t huge = int64_t{1} << 40;
  expect_refused(SCORPIO_ERR_LIMIT, {{huge, huge}, {1, 2}, {1, 1}}, "2^63");
}

TEST_F(MemoryLayoutErrors, ArgumentsThatAreNull) {
  expect_failure(SCORPIO_ERR_HANDLE, make(good_, culprit() ? nullptr : origin_), "the decomposition is NULL");
  const int64_t* extents = culprit() ? nullptr : good_.extents.data();
  expect_failure(SCORPIO_ERR_ARGUMENT,
                 scorpio_decomp_memory(system_.get(), origin_, 2, extents, nullptr, nullptr, &placed_),
                 "extents");
  scorpio_decomp** place = culprit() ? nullptr : &placed_;
  expect_failure(
      SCORPIO_ERR_ARGUMENT,
      scorpio_decomp_memory(system_.get(), origin_, 2, good_.extents.data(), nullptr, nullptr, place),
      "placed");
}

TEST_F(MemoryLayoutErrors, DecompositionsThatAreNotOfTheSystem) {
  scorpio_decomp* gone = nullptr;
  ASSERT_SUCCESS(layout_.make(system_.get(), rank_in(), &gone));
  ASSERT_SUCCESS(scorpio_decomp_free(gone));
  expect_failure(SCORPIO_ERR_HANDLE, make(good_, culprit() ? gone : origin_), "decomp");
  const System other;
  const Decomp foreign(other, layout_);
  expect_failure(SCORPIO_ERR_HANDLE, make(good_, culprit() ? foreign.get() : origin_), "another I/O system");
}

TEST_F(MemoryLayoutErrors, AnotherDecompositionOnOneRank) {
  if (ranks_in() == 1) GTEST_SKIP() << "needs two ranks";
  const Decomp twin(system_, layout_);
  expect_failure(SCORPIO_ERR_MISMATCH, make(good_, culprit() ? twin.get() : origin_), "values of 'decomp'");
}

// The elements are those of the other decomposition, but the ranks did not agree on this one.
TEST_F(MemoryLayoutErrors, ThePackedDecompositionOnOneRankOfAGet) {
  if (ranks_in() == 1) GTEST_SKIP() << "needs two ranks";
  const TemporaryFolder folder;
  scorpio_file* file = nullptr;
  int variable = -1;
  ASSERT_SUCCESS(make(good_, origin_));
  ASSERT_SUCCESS(
      scorpio_file_create(system_.get(), (folder / "f").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  ASSERT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 2, layout_.dims.data(), &variable));
  std::vector<int32_t> data(36, 1);
  ASSERT_SUCCESS(scorpio_put_darray(file, variable, placed_, 0, SCORPIO_INT32, data.data()));
  scorpio_decomp* mine = culprit() ? origin_ : placed_;
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_get_darray(file, variable, mine, 0, SCORPIO_INT32, data.data()));
  EXPECT_SUCCESS(scorpio_file_close(file));
  scorpio_decomp_free(placed_);
}

}  // namespace
}  // namespace scorpio::api_test
