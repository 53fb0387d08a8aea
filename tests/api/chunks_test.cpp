// Variables that are stored in chunks: what any ranks put in any order is there for a get, for a get of a
// fresh open, and for HDF5 alone.
#include <filesystem>

#include "accesses.h"
#include "random_draws.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

// A chunk of each extent: whole, or a part of it.
Extents random_chunk(const Extents& dims, std::mt19937_64& random) {
  Extents chunk;
  for (const int64_t extent : dims) {
    chunk.push_back(random() % 3 == 0 ? extent
                                      : 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(extent)));
  }
  return chunk;
}

int define_random_filters(scorpio_file* file, int variable, uint64_t draw) {
  const int shuffle_deflate[2] = {2, 1}, parameters[2] = {0, static_cast<int>(1 + draw % 9)};
  switch (draw % 4) {
    case 0:
      return SCORPIO_OK;
    case 1:
      return scorpio_variable_define_filters(file, variable, 1, shuffle_deflate, parameters);
    case 2:
      return scorpio_variable_define_filters(file, variable, 1, shuffle_deflate + 1, parameters + 1);
    default:
      return scorpio_variable_define_filters(file, variable, 2, shuffle_deflate, parameters);
  }
}

// One file of several variables, some of them contiguous, and the puts of a random program.
class Program {
 public:
  explicit Program(uint64_t seed) : random_(seed) {}

  void run() {
    const TemporaryFolder folder;
    const std::string path = folder / "f.h5";
    Settings settings = random_io_ranks(random_, ranks_in());
    const char* staging[] = {"256k", "1m", "4m"};
    const char* blocks[] = {"4k", "64k", "1m"};
    settings.insert(settings.end(), {{"nodes", std::to_string(1 + random_() % 2 * (ranks_in() > 1 ? 1 : 0))},
                                     {"staging_bytes", staging[random_() % 3]},
                                     {"block_bytes", blocks[random_() % 3]},
                                     {"domains", random_() % 4 == 0 ? "contiguous" : "cyclic"},
                                     {"chunk_bytes", random_() % 2 == 0 ? "64k" : "64m"},
                                     {"asynchronous", random_() % 3 == 0 ? "true" : "false"},
                                     {"close", random_() % 2 == 0 ? "post" : "wait"}});
    const System system(settings);
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    define();
    const uint64_t calls = 1 + random_() % 6;
    for (uint64_t call = 1; call <= calls; ++call) step(system, call);
    EXPECT_SUCCESS(scorpio_file_close(file_));
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
    expect_in_file(path);
  }

 private:
  struct Variable {
    std::string name;
    Extents dims;
    Reference<int32_t> expected;
    int id;
  };

  void define() {
    const size_t n = 1 + random_() % 4;
    for (size_t i = 0; i < n; ++i) define_one();
  }

  void define_one() {
    const size_t i = variables_.size();
    const Extents dims = random_extents(random_, 1, {20000, 150, 30});
    const std::string name = "v" + std::to_string(i);
    int id = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file_, name.c_str(), SCORPIO_INT32, static_cast<int>(dims.size()),
                                           dims.data(), &id));
    variables_.push_back({name, dims, Reference<int32_t>(dims), id});
    if (random_() % 4 == 0) return;
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, id, random_chunk(dims, random_).data()));
    EXPECT_SUCCESS(define_random_filters(file_, id, random_()));
  }

  void step(const System& system, uint64_t call) {
    const bool more = random_() % 3 == 0;
    if (more) define_one();
    Variable& variable = variables_[random_() % variables_.size()];
    const Layout layout = random_layout(variable.dims, ranks_in(), random_);
    const Decomp parts(system, layout);
    if (random_() % 4 == 0) {
      const std::vector<int32_t> data = data_of<int32_t>(layout, rank_in(), call);
      const bool overlaps = has_overlaps(layout);
      if (!overlaps) {
        if (more) {
          EXPECT_SUCCESS(scorpio_file_sync(file_));  // which gives it a place
        }
        EXPECT_SUCCESS(iput(file_, scorpio_darray(variable.id, parts.get(), 0, SCORPIO_INT32, data.data())));
        EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
        variable.expected.put(layout, call);
      }
    } else {
      EXPECT_SUCCESS(put<int32_t>(file_, variable.id, parts, layout, call, rank_in()));
      variable.expected.put(layout, call);
    }
    if (random_() % 4 == 0) {
      EXPECT_SUCCESS(scorpio_file_sync(file_));
    }
    if (random_() % 3 == 0) expect_part(file_, variable.id, parts, layout, variable.expected, rank_in());
  }

  void expect_in_file(const std::string& path) {
    const System other;
    ASSERT_SUCCESS(scorpio_file_open(other.get(), path.c_str(), SCORPIO_READ, nullptr, &file_));
    for (Variable& variable : variables_) {
      const Layout all = uniform_layout(variable.dims, ranks_in());
      const Decomp parts(other, all);
      ASSERT_SUCCESS(scorpio_variable_find(file_, variable.name.c_str(), &variable.id));
      expect_part(file_, variable.id, parts, all, variable.expected, rank_in());
    }
    EXPECT_SUCCESS(scorpio_file_close(file_));
    if (rank_in() == 0) {
      for (const Variable& variable : variables_) {
        EXPECT_EQ(variable.expected.elements(), stock_elements<int32_t>(path, variable.name))
            << variable.name;
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  std::mt19937_64 random_;
  scorpio_file* file_ = nullptr;
  std::vector<Variable> variables_;
};

TEST(Chunks, RandomPrograms) {
  for (uint64_t seed = 1; seed <= 40 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program(seed).run();
  }
}

class OneVariable : public testing::Test {
 protected:
  void create(const System& system, const Extents& dims, const Extents& chunk) {
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    ASSERT_SUCCESS(scorpio_variable_define(file_, "v", SCORPIO_INT32, static_cast<int>(dims.size()),
                                           dims.data(), &variable_));
    ASSERT_SUCCESS(scorpio_variable_define_chunks(file_, variable_, chunk.data()));
  }
  void close() { EXPECT_SUCCESS(scorpio_file_close(file_)); }
  void expect_in_file(const Reference<int32_t>& expected) {
    if (rank_in() == 0) {
      EXPECT_TRUE(expected.elements() == stock_elements<int32_t>(path_, "v"));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f.h5";
  scorpio_file* file_ = nullptr;
  int variable_ = -1;
};

// Chunks of five slots, of which each rank has a part.
TEST_F(OneVariable, ChunksLongerThanASlot) {
  const System system(
      {{"staging_bytes", "256k"}, {"block_bytes", "4k"}, {"io_ranks", ranks_in() > 1 ? "2" : "1"}});
  const Extents dims{700, 900};
  create(system, dims, {300, 800});
  const Layout rows = uniform_layout(dims, ranks_in());
  const Decomp by_rows(system, rows);
  Reference<int32_t> expected(dims);
  EXPECT_SUCCESS(put<int32_t>(file_, variable_, by_rows, rows, 1, rank_in()));
  expected.put(rows, 1);
  expect_part(file_, variable_, by_rows, rows, expected, rank_in());
  close();
  expect_in_file(expected);
}

// One index of the first dimension at a time, of chunks that hold several.
TEST_F(OneVariable, Frames) {
  const System system(
      {{"staging_bytes", "256k"}, {"block_bytes", "4k"}, {"io_ranks", ranks_in() > 1 ? "2" : "1"}});
  const Extents dims{7, 40, 50}, frame{40, 50};
  create(system, dims, {3, 16, 16});
  const Layout grid = grid_layout(frame, in_order(ranks_in()));
  const Decomp blocks(system, grid);
  Reference<int32_t> expected(dims);
  for (int64_t i = 6; i >= 0; --i) {
    const auto data = data_of<int32_t>(grid, rank_in(), static_cast<uint64_t>(i));
    EXPECT_SUCCESS(scorpio_put_darray(file_, variable_, blocks.get(), i, SCORPIO_INT32, data.data()));
    Reference<int32_t> one(frame);
    one.put(grid, static_cast<uint64_t>(i));
    for (int64_t k = 0; k < 2000; ++k) expected[i * 2000 + k] = one[k];
  }
  close();
  expect_in_file(expected);
}

// Elements that no rank wrote, and elements outside the variable, have the fill value.
TEST_F(OneVariable, Fill) {
  const System system(Settings{{"io_ranks", ranks_in() > 1 ? "2" : "1"}});
  const Extents dims{50, 50};
  create(system, dims, {20, 20});
  const int32_t fill = -7;
  EXPECT_SUCCESS(scorpio_variable_fill_define(file_, variable_, 1, &fill));
  Reference<int32_t> expected(dims);
  for (int64_t i = 0; i < 2500; ++i) expected[i] = fill;
  const int64_t start[2] = {rank_in(), 3}, count[2] = {1, 30};
  const std::vector<int32_t> ones(30, 1);
  const scorpio_access access = scorpio_hyperslab(variable_, start, count, SCORPIO_INT32, ones.data());
  EXPECT_SUCCESS(scorpio_put_n(file_, 1, &access));
  for (int64_t r = 0; r < ranks_in(); ++r) {
    for (int64_t i = 0; i < 30; ++i) expected[r * 50 + 3 + i] = 1;
  }
  const Layout rows = uniform_layout(dims, ranks_in());
  const Decomp by_rows(system, rows);
  expect_part(file_, variable_, by_rows, rows, expected, rank_in());
  close();
  expect_in_file(expected);
}

// Data, metadata, and at most a block of each I/O rank.
TEST_F(OneVariable, TheFileIsNoLongerThanWhatItHolds) {
  constexpr int64_t k_block = 64 << 10;
  const System system({{"io_ranks", ranks_in() > 1 ? "2" : "1"}, {"block_bytes", "64k"}});
  const Extents dims{1000, 1000};
  create(system, dims, {100, 100});
  const Layout rows = uniform_layout(dims, ranks_in());
  const Decomp by_rows(system, rows);
  EXPECT_SUCCESS(put<int32_t>(file_, variable_, by_rows, rows, 1, rank_in()));
  close();
  const auto size = static_cast<int64_t>(std::filesystem::file_size(path_));
  EXPECT_LE(size, 4000000 * 102 / 100 + system.io_ranks() * k_block + k_block);
  MPI_Barrier(MPI_COMM_WORLD);
}

// Chunks that are stored already change, by less and by more than they held: those of the last sync stay
// where they were until the next one.
TEST_F(OneVariable, StoredChunksAreReplaced) {
  const System system(Settings{{"io_ranks", ranks_in() > 1 ? "2" : "1"}, {"file_name", "sync"}});
  const Extents dims{60, 60};
  create(system, dims, {20, 60});
  const int filters[2] = {2, 1}, parameters[2] = {0, 1};
  EXPECT_SUCCESS(scorpio_variable_define_filters(file_, variable_, 2, filters, parameters));
  const Layout rows = uniform_layout(dims, ranks_in());
  const Decomp by_rows(system, rows);
  Reference<int32_t> expected(dims);
  for (const bool same : {false, true, false, true, true, false}) {
    std::vector<int32_t> data = data_of<int32_t>(rows, rank_in(), same ? 1 : 2);
    if (same) std::fill(data.begin(), data.end(), 5);
    EXPECT_SUCCESS(scorpio_put_darray(file_, variable_, by_rows.get(), 0, SCORPIO_INT32, data.data()));
    if (same) {
      for (int64_t i = 0; i < 3600; ++i) expected[i] = 5;
    } else {
      expected.put(rows, 2);
    }
    EXPECT_SUCCESS(scorpio_file_sync(file_));
    expect_in_file(expected);
    expect_part(file_, variable_, by_rows, rows, expected, rank_in());
  }
  close();
  expect_in_file(expected);
}

// More than I/O ranks keep in memory is written before it has places; what is defined afterwards does not lie
// in between.
TEST_F(OneVariable, MoreThanMemoryHolds) {
  const System system(
      Settings{{"io_ranks", ranks_in() > 1 ? "2" : "1"}, {"block_bytes", "4k"}, {"chunk_bytes", "256k"}});
  const Extents dims{400, 2000}, few{20, 30};
  create(system, dims, {7, 500});
  const Layout rows = uniform_layout(dims, ranks_in()), small = uniform_layout(few, ranks_in());
  const Decomp by_rows(system, rows), by_few(system, small);
  Reference<int32_t> expected(dims), plain(few);
  EXPECT_SUCCESS(put<int32_t>(file_, variable_, by_rows, rows, 1, rank_in()));
  expected.put(rows, 1);
  int other = -1;
  ASSERT_SUCCESS(scorpio_variable_define(file_, "w", SCORPIO_INT32, 2, few.data(), &other));
  const int64_t start[2] = {0, 0}, count[2] = {1, 1};
  const int32_t one = 1;
  EXPECT_SUCCESS(iput(file_, scorpio_hyperslab(other, start, count, SCORPIO_INT32, &one)));
  EXPECT_SUCCESS(put<int32_t>(file_, other, by_few, small, 2, rank_in()));
  plain.put(small, 2);
  expect_part(file_, variable_, by_rows, rows, expected, rank_in());
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  plain[0] = one;
  EXPECT_SUCCESS(put<int32_t>(file_, variable_, by_rows, rows, 3, rank_in()));
  expected.put(rows, 3);
  expect_part(file_, other, by_few, small, plain, rank_in());
  close();
  expect_in_file(expected);
  if (rank_in() == 0) {
    EXPECT_TRUE(plain.elements() == stock_elements<int32_t>(path_, "w"));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_F(OneVariable, Refusals) {
  const System system;
  const Extents dims{50, 50};
  create(system, dims, {20, 20});
  const int64_t large[2] = {51, 20}, negative[2] = {-1, 20};
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_variable_define_chunks(file_, variable_, large));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_variable_define_chunks(file_, variable_, negative));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_define_chunks(file_, variable_, nullptr));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_define_chunks(file_, 9, dims.data()));
  const int64_t huge_dims[1] = {int64_t{1} << 31};  // chunks of 8 GiB
  int huge = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file_, "huge", SCORPIO_INT32, 1, huge_dims, &huge));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_variable_define_chunks(file_, huge, huge_dims));
  EXPECT_SUCCESS(scorpio_object_remove(file_, "/huge"));
  const int unknown = 77, deflate = 1, level = 10;
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_define_filters(file_, 9, 0, nullptr, nullptr));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_variable_define_filters(file_, variable_, 1, &unknown, &level));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_define_filters(file_, variable_, 1, &deflate, &level));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_define_filters(file_, variable_, -1, &deflate, &level));
  const int twice[3] = {2, 1, 2}, zeros[3] = {0, 0, 0};  // HDF5 could not read what two shuffles make
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_define_filters(file_, variable_, 3, twice, zeros));
  EXPECT_NE(std::string::npos, last_text().find("filter 2 is given more than once"));
  int scalar = -1, plain = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file_, "scalar", SCORPIO_INT32, 0, nullptr, &scalar));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_variable_define_chunks(file_, scalar, dims.data()));
  EXPECT_SUCCESS(scorpio_variable_define(file_, "plain", SCORPIO_INT32, 2, dims.data(), &plain));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_define_filters(file_, plain, 0, nullptr, nullptr));
  const Layout rows = uniform_layout(dims, ranks_in());
  const Decomp by_rows(system, rows);
  EXPECT_SUCCESS(put<int32_t>(file_, variable_, by_rows, rows, 1, rank_in()));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_variable_define_chunks(file_, plain, dims.data()));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_variable_define_filters(file_, variable_, 0, nullptr, nullptr));
  close();
}

// Of a variable of 8 MB the library divides the first dimension, for one I/O rank into four parts.
TEST_F(OneVariable, AnExtentOfZeroIsTheUsualOne) {
  const System system(Settings{{"io_ranks", "1"}});
  const Extents dims{1000, 2000};
  create(system, dims, {0, 0});
  const auto chunk_of = [&] {
    Extents chunk(2, -1);
    scorpio_storage form = SCORPIO_STORAGE_UNKNOWN;
    int filters = 0;
    EXPECT_SUCCESS(scorpio_variable_storage(file_, variable_, &form, chunk.data(), 2, nullptr, 0, &filters));
    return chunk;
  };
  EXPECT_EQ((Extents{250, 2000}), chunk_of());
  const int64_t some[2] = {0, 7};
  EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, variable_, some));
  EXPECT_EQ((Extents{250, 7}), chunk_of());
  close();
}

// Ranks that choose other chunks have made other definitions.
TEST_F(OneVariable, OtherChunksOnAnotherRank) {
  const System system;
  const Extents dims{50, 50};
  create(system, dims, {rank_in() == 0 ? 20 : 10, 20});
  EXPECT_EQ(ranks_in() == 1 ? SCORPIO_OK : SCORPIO_ERR_MISMATCH, scorpio_file_close(file_));
}

TEST_F(OneVariable, InquiryKnowsChunksAndFilters) {
  const System system;
  create(system, {50, 50}, {20, 30});
  const int filters[2] = {2, 1}, parameters[2] = {0, 4};
  EXPECT_SUCCESS(scorpio_variable_define_filters(file_, variable_, 2, filters, parameters));
  const auto expect = [&] {
    scorpio_storage storage;
    int64_t chunk[2];
    int found[2], n = 0;
    EXPECT_SUCCESS(scorpio_variable_storage(file_, variable_, &storage, chunk, 2, found, 2, &n));
    EXPECT_EQ(SCORPIO_STORAGE_CHUNKED, storage);
    EXPECT_EQ(20, chunk[0]);
    EXPECT_EQ(30, chunk[1]);
    EXPECT_EQ(2, n);
    EXPECT_EQ(2, found[0]);
    EXPECT_EQ(1, found[1]);
  };
  const auto expect_writable = [&] {
    int readable = -1, writable = -1;
    EXPECT_SUCCESS(
        scorpio_variable_access_inquire(file_, variable_, &readable, &writable, nullptr, 0, nullptr));
    EXPECT_EQ(1, readable);
    EXPECT_EQ(1, writable);
  };
  expect();
  expect_writable();
  close();
  ASSERT_SUCCESS(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
  ASSERT_SUCCESS(scorpio_variable_find(file_, "v", &variable_));
  expect();
  expect_writable();
  close();
}

TEST(ClassicFile, HasNoChunks) {
  const TemporaryFolder folder;
  const System system;
  scorpio_file* file = nullptr;
  int variable = -1;
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "f.nc").c_str(), SCORPIO_FORMAT_CDF5, nullptr, &file));
  const int64_t dims[1] = {50};
  ASSERT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, dims, &variable));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_variable_define_chunks(file, variable, dims));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

}  // namespace
}  // namespace scorpio::api_test
