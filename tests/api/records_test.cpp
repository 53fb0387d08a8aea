// Variables of HDF5 files over an unlimited dimension: records that any ranks put in any order, with
// definitions, synchronisation points and new opens between them, are there for a get, for a get of a fresh
// open, and for HDF5 alone.
#include <algorithm>
#include <array>
#include <map>

#include "accesses.h"
#include "random_draws.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

constexpr int32_t k_fill = -5;

struct Variable {
  std::string name;
  Extents slab;  // extents of a record; {1} where a record is one element
  bool single;   // the variable has no dimension but the unlimited one
  bool filled;
  size_t dimension;  // of the unlimited ones
  std::map<int64_t, Reference<int32_t>> records = {};
  int id = -1;

  int64_t slab_elements() const { return elements_of(slab); }
  int32_t untouched() const { return filled ? k_fill : 0; }
  Reference<int32_t> untouched_record() const {
    Reference<int32_t> record(slab);
    for (int64_t i = 0; i < slab_elements(); ++i) record[i] = untouched();
    return record;
  }
  Reference<int32_t>& record(int64_t number) {
    return records.try_emplace(number, untouched_record()).first->second;
  }
  std::vector<int32_t> all(int64_t length) {
    std::vector<int32_t> elements;
    for (int64_t r = 0; r < length; ++r) {
      const std::vector<int32_t>& one = record(r).elements();
      elements.insert(elements.end(), one.begin(), one.end());
    }
    return elements;
  }
};

class Program {
 public:
  explicit Program(uint64_t seed) : random_(seed) {}

  void run() {
    const TemporaryFolder folder;
    const std::string path = folder / "f.h5";
    const System system(settings());
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    for (Dimension& dimension : dimensions_) {
      ASSERT_SUCCESS(scorpio_dimension_define(file_, dimension.name, SCORPIO_UNLIMITED, &dimension.id));
    }
    for (uint64_t n = 1 + random_() % 3; n > 0; --n) define();
    for (uint64_t calls = 1 + random_() % 8, call = 1; call <= calls; ++call) {
      step(system, call);
      if (random_() % 4 == 0) reopen(system, path);
    }
    EXPECT_SUCCESS(scorpio_file_close(file_));
    expect_in_file(path);
  }

 private:
  Settings settings() {
    Settings settings = random_io_ranks(random_, ranks_in());
    const char* staging[] = {"256k", "1m", "4m"};
    const char* blocks[] = {"4k", "64k", "1m"};
    settings.insert(settings.end(), {{"nodes", std::to_string(1 + random_() % 2 * (ranks_in() > 1 ? 1 : 0))},
                                     {"staging_bytes", staging[random_() % 3]},
                                     {"block_bytes", blocks[random_() % 3]},
                                     {"domains", random_() % 4 == 0 ? "contiguous" : "cyclic"},
                                     {"chunk_bytes", random_() % 2 == 0 ? "64k" : "64m"}});
    if (random_() % 3 == 0) settings.push_back({"asynchronous", "true"});
    netcdf4_ = random_() % 3 == 0;
    if (netcdf4_) settings.push_back({"format", "netcdf4"});
    return settings;
  }

  void define() {
    const std::string name = "v" + std::to_string(variables_.size());
    const bool single = random_() % 4 == 0;
    Variable variable{name, single ? Extents{1} : random_extents(random_, 1, {9000, 90, 20}), single,
                      netcdf4_ || random_() % 2 == 0, random_() % 3 == 0 ? size_t{1} : size_t{0}};
    std::vector<int> dimensions{dimensions_[variable.dimension].id};
    for (size_t d = 0; !single && d < variable.slab.size(); ++d) {
      dimensions.push_back(-1);
      EXPECT_SUCCESS(scorpio_dimension_define(file_, (name + "_" + std::to_string(d)).c_str(),
                                              variable.slab[d], &dimensions.back()));
    }
    EXPECT_SUCCESS(scorpio_variable_define_on(file_, name.c_str(), SCORPIO_INT32,
                                              static_cast<int>(dimensions.size()), dimensions.data(),
                                              &variable.id));
    if (random_() % 2 == 0) define_chunks(variable);
    if (random_() % 2 == 0) {
      const int filters[2] = {2, 1}, parameters[2] = {0, 1};
      EXPECT_SUCCESS(scorpio_variable_define_filters(file_, variable.id, 2, filters, parameters));
    }
    EXPECT_SUCCESS(scorpio_variable_fill_define(file_, variable.id, variable.filled ? 1 : 0,
                                                variable.filled ? &k_fill : nullptr));
    variables_.push_back(std::move(variable));
  }

  void define_chunks(const Variable& variable) {
    Extents chunk{1 + static_cast<int64_t>(random_() % 7)};
    for (size_t d = 0; !variable.single && d < variable.slab.size(); ++d) {
      chunk.push_back(1 + static_cast<int64_t>(random_() % static_cast<uint64_t>(variable.slab[d])));
    }
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, variable.id, chunk.data()));
  }

  void step(const System& system, uint64_t call) {
    if (random_() % 4 == 0) define();
    Variable& variable = variables_[random_() % variables_.size()];
    const auto number = static_cast<int64_t>(random_() % 12);
    switch (random_() % 3) {
      case 0:
        put_by_posts(variable, number, call);
        break;
      default:
        put_by_decomposition(system, variable, number, call);
    }
    if (random_() % 4 == 0) {
      EXPECT_SUCCESS(scorpio_file_sync(file_));
    }
    expect_lengths();
    const int64_t length = dimensions_[variable.dimension].length;
    if (random_() % 3 == 0)
      expect_record(system, variable, static_cast<int64_t>(random_() % static_cast<uint64_t>(length)));
  }

  void put_by_decomposition(const System& system, Variable& variable, int64_t number, uint64_t call) {
    const Layout layout = random_layout(variable.slab, ranks_in(), random_);
    const Decomp parts(system, layout);
    const std::vector<int32_t> data = data_of<int32_t>(layout, rank_in(), call);
    EXPECT_SUCCESS(scorpio_put_darray(file_, variable.id, parts.get(), number, SCORPIO_INT32, data.data()));
    variable.record(number).put(layout, call);
    grow(variable, number + 1);
  }

  // Rank r has two records of its own, every second one.
  void put_by_posts(Variable& variable, int64_t number, uint64_t call) {
    const int64_t slab = variable.slab_elements();
    Extents start{number + 4 * rank_in()}, count{2}, stride{2};
    for (size_t d = 0; !variable.single && d < variable.slab.size(); ++d) {
      start.push_back(0);
      count.push_back(variable.slab[d]);
      stride.push_back(1);
    }
    std::vector<int32_t> data;
    for (int64_t i = 0; i < 2 * slab; ++i) data.push_back(datum<int32_t>(rank_in(), i, call));
    scorpio_access access =
        scorpio_hyperslab(variable.id, start.data(), count.data(), SCORPIO_INT32, data.data());
    access.stride = stride.data();
    EXPECT_SUCCESS(iput(file_, access));
    if (random_() % 2 == 0) post_one_element(call);
    EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    for (int r = 0; r < ranks_in(); ++r) {
      for (int64_t k = 0; k < 2; ++k) {
        Reference<int32_t>& record = variable.record(number + 4 * r + 2 * k);
        for (int64_t i = 0; i < slab; ++i) record[i] = datum<int32_t>(r, k * slab + i, call);
      }
    }
    grow(variable, number + 4 * (ranks_in() - 1) + 3);
  }

  // Of another variable, maybe over another dimension, by the last rank.
  void post_one_element(uint64_t call) {
    Variable& variable = variables_.back();
    const auto number = static_cast<int64_t>(call + 40);
    const Extents start = [&] {
      Extents zeros(variable.single ? 1 : 1 + variable.slab.size());
      zeros[0] = number;
      return zeros;
    }();
    const Extents count(start.size(), 1);
    one_ = static_cast<int32_t>(call);
    if (rank_in() == ranks_in() - 1) {
      EXPECT_SUCCESS(
          iput(file_, scorpio_hyperslab(variable.id, start.data(), count.data(), SCORPIO_INT32, &one_)));
    }
    variable.record(number)[0] = one_;
    grow(variable, number + 1);
  }

  void grow(const Variable& variable, int64_t length) {
    Dimension& dimension = dimensions_[variable.dimension];
    dimension.length = std::max(dimension.length, length);
  }

  void expect_lengths() {
    for (const Dimension& dimension : dimensions_) {
      int64_t length = -1;
      int unlimited = 0;
      EXPECT_SUCCESS(
          scorpio_dimension_inquire(file_, dimension.id, nullptr, 0, nullptr, &length, &unlimited));
      EXPECT_EQ(dimension.length, length) << dimension.name;
      EXPECT_EQ(1, unlimited);
    }
  }

  void expect_record(const System& system, Variable& variable, int64_t number) {
    const Layout layout = uniform_layout(variable.slab, ranks_in());
    const Decomp parts(system, layout);
    const Reference<int32_t>& expected = variable.record(number);
    std::vector<int32_t> got(layout.of(rank_in()).size());
    EXPECT_SUCCESS(scorpio_get_darray(file_, variable.id, parts.get(), number, SCORPIO_INT32, got.data()));
    EXPECT_TRUE(expected.part(layout, rank_in(), 0) == got) << variable.name << " record " << number;
  }

  void reopen(const System& system, const std::string& path) {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    open(system, path, SCORPIO_WRITE);
    expect_lengths();
  }

  void open(const System& system, const std::string& path, scorpio_open_mode mode) {
    ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), mode, nullptr, &file_));
    for (Dimension& dimension : dimensions_) {
      ASSERT_SUCCESS(scorpio_dimension_find(file_, dimension.name, &dimension.id));
    }
    for (Variable& variable : variables_) {
      ASSERT_SUCCESS(scorpio_variable_find(file_, variable.name.c_str(), &variable.id));
    }
  }

  // Behind the last record that was put of it a variable has nothing in the file.
  void expect_by_stock_hdf5(const std::string& path, Variable& variable) {
    std::vector<int32_t> all = variable.all(dimensions_[variable.dimension].length);
    const auto stored = stock_elements<int32_t>(path, variable.name);
    ASSERT_LE(stored.size(), all.size()) << variable.name;
    const auto behind = all.begin() + static_cast<std::ptrdiff_t>(stored.size());
    EXPECT_TRUE(std::all_of(behind, all.end(), [&](int32_t e) { return e == variable.untouched(); }));
    all.erase(behind, all.end());
    EXPECT_TRUE(all == stored) << variable.name;
  }

  void expect_in_file(const std::string& path) {
    const System other;
    open(other, path, SCORPIO_READ);
    expect_lengths();
    for (Variable& variable : variables_) {
      const int64_t length = dimensions_[variable.dimension].length;
      for (int64_t r = 0; r < length && !variable.single; ++r) expect_record(other, variable, r);
    }
    EXPECT_SUCCESS(scorpio_file_close(file_));
    for (Variable& variable : variables_) {
      if (rank_in() == 0) expect_by_stock_hdf5(path, variable);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  std::mt19937_64 random_;
  scorpio_file* file_ = nullptr;
  struct Dimension {
    const char* name;
    int id = -1;
    int64_t length = 0;
  };
  std::array<Dimension, 2> dimensions_{{{"t"}, {"u"}}};
  bool netcdf4_ = false;  // where HDF5 gives no value to what nobody put, if the variable is not filled
  int32_t one_ = 0;
  std::vector<Variable> variables_;
};

TEST(Records, RandomPrograms) {
  const uint64_t programs = ranks_in() > 3 ? 15 : 40;
  for (uint64_t seed = 1; seed <= programs && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program(seed).run();
  }
}

// One variable `v` over the unlimited dimension `t` and 40 x 30 elements.
class OneVariable : public testing::Test {
 protected:
  void create(const System& system) {
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    const int64_t lengths[3] = {SCORPIO_UNLIMITED, 40, 30};
    const char* names[3] = {"t", "y", "x"};
    for (int d = 0; d < 3; ++d) {
      ASSERT_SUCCESS(scorpio_dimension_define(file_, names[d], lengths[d], dimensions_ + d));
    }
    ASSERT_SUCCESS(scorpio_variable_define_on(file_, "v", SCORPIO_INT32, 3, dimensions_, &variable_));
  }
  void close() { EXPECT_SUCCESS(scorpio_file_close(file_)); }
  void put(const Decomp& parts, const Layout& layout, int64_t record) {
    const auto data = data_of<int32_t>(layout, rank_in(), static_cast<uint64_t>(record));
    EXPECT_SUCCESS(scorpio_put_darray(file_, variable_, parts.get(), record, SCORPIO_INT32, data.data()));
  }
  static std::vector<int32_t> records_of(const Layout& layout, int64_t records) {
    std::vector<int32_t> all;
    for (int64_t r = 0; r < records; ++r) {
      Reference<int32_t> one(layout.dims);
      one.put(layout, static_cast<uint64_t>(r));
      all.insert(all.end(), one.elements().begin(), one.elements().end());
    }
    return all;
  }
  Extents chunk() {
    Extents chunk(3);
    int filters = 0;
    EXPECT_SUCCESS(
        scorpio_variable_storage(file_, variable_, nullptr, chunk.data(), 3, nullptr, 0, &filters));
    return chunk;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f.h5";
  scorpio_file* file_ = nullptr;
  int dimensions_[3] = {-1, -1, -1};
  int variable_ = -1;
};

// A chunk of records grows from one sync to the next: each time the file has what was put so far.
TEST_F(OneVariable, RecordsOfOneChunkAreWrittenOverTime) {
  for (const bool filtered : {false, true}) {
    const System system(Settings{{"io_ranks", ranks_in() > 1 ? "2" : "1"}, {"file_name", "sync"}});
    create(system);
    const int64_t chunk[3] = {4, 40, 16};
    const int filters[2] = {2, 1}, parameters[2] = {0, 1};
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, variable_, chunk));
    if (filtered) {
      EXPECT_SUCCESS(scorpio_variable_define_filters(file_, variable_, 2, filters, parameters));
    }
    const Layout layout = grid_layout({40, 30}, in_order(ranks_in()));
    const Decomp parts(system, layout);
    for (int64_t record = 0; record < 6; ++record) {
      put(parts, layout, record);
      EXPECT_SUCCESS(scorpio_file_sync(file_));
      if (rank_in() == 0) {
        EXPECT_TRUE(records_of(layout, record + 1) == stock_elements<int32_t>(path_, "v")) << record;
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
    close();
  }
}

// One record, a part of one of which each I/O rank has four, or several, by their sizes; of one dimension
// 512.
TEST_F(OneVariable, ChunksThatNobodyChose) {
  const System system;
  create(system);
  EXPECT_EQ((Extents{1, 40, 30}), chunk());
  const auto of = [&](std::vector<int64_t> lengths) {
    static int number = 0;
    std::vector<int> dimensions{dimensions_[0]};
    for (const int64_t length : lengths) {
      dimensions.push_back(-1);
      const std::string name = "n" + std::to_string(++number);
      EXPECT_SUCCESS(scorpio_dimension_define(file_, name.c_str(), length, &dimensions.back()));
    }
    EXPECT_SUCCESS(scorpio_variable_define_on(file_, ("w" + std::to_string(++number)).c_str(),
                                              SCORPIO_FLOAT64, static_cast<int>(dimensions.size()),
                                              dimensions.data(), &variable_));
    Extents found = chunk();
    found.resize(dimensions.size());
    return found;
  };
  EXPECT_EQ((Extents{512}), of({}));
  EXPECT_EQ((Extents{51, 10}), of({10}));
  EXPECT_EQ((Extents{512, 1}), of({1}));
  EXPECT_EQ((Extents{1, 250, 1000}), of({1000, 1000}));
  EXPECT_EQ((Extents{1, 1, 500000}), of({9, 1000000}));
  close();
}

TEST_F(OneVariable, RefusalsAndLimits) {
  const System system;
  create(system);
  const int64_t negative[3] = {-1, 40, 30}, large[3] = {1, 41, 30}, many[3] = {1000, 40, 30};
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_variable_define_chunks(file_, variable_, negative));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_variable_define_chunks(file_, variable_, large));
  EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, variable_, many));
  const Layout layout = uniform_layout({40, 30}, ranks_in());
  const Decomp parts(system, layout);
  const auto data = data_of<int32_t>(layout, rank_in(), 0);
  const auto put_record = [&](int64_t record) {
    return scorpio_put_darray(file_, variable_, parts.get(), record, SCORPIO_INT32, data.data());
  };
  EXPECT_EQ(SCORPIO_ERR_LIMIT, put_record(int64_t{1} << 40));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, put_record(-1));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_get_darray(file_, variable_, parts.get(), 0, SCORPIO_INT32,
                                                  const_cast<int32_t*>(data.data())));
  (void)scorpio_file_close(file_);  // whether it tells of the calls that were refused is not the matter here
}

// The unlimited dimension is the last one.
TEST_F(OneVariable, RefusalsAndLimitsOfAnInnerDimension) {
  const System system;
  create(system);
  int id = -1;
  const int reversed[2] = {dimensions_[1], dimensions_[0]};
  ASSERT_SUCCESS(scorpio_variable_define_on(file_, "w", SCORPIO_INT32, 2, reversed, &id));
  const int64_t large[2] = {41, 1}, small[2] = {1, 1};
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_variable_define_chunks(file_, id, large));
  EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, id, small));
  const Layout layout = uniform_layout({7}, ranks_in()), other = uniform_layout({39, 7}, ranks_in());
  const Decomp parts(system, layout), others(system, other);
  auto data = data_of<int32_t>(other, rank_in(), 0);
  data.resize(std::max<size_t>(data.size(), 7));
  const auto put = [&](const Decomp& decomp, int64_t index) {
    return scorpio_put_darray(file_, id, decomp.get(), index, SCORPIO_INT32, data.data());
  };
  EXPECT_EQ(SCORPIO_ERR_SHAPE, put(parts, 40));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, put(parts, -1));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, put(others, 0));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_get_darray(file_, id, parts.get(), 0, SCORPIO_INT32, data.data()));
  scorpio_access filled = scorpio_darray(id, parts.get(), 0, SCORPIO_INT32, data.data());
  filled.fill = &k_fill;
  EXPECT_SUCCESS(scorpio_put(file_, &filled));
  const int64_t start[2] = {0, int64_t{1} << 50}, count[2] = {1, 1};
  scorpio_access far = scorpio_hyperslab(id, start, count, SCORPIO_INT32, data.data());
  far.sharing = SCORPIO_ALL_RANKS;
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_put(file_, &far));
  (void)scorpio_file_close(file_);
}

TEST_F(OneVariable, IsInNoEagerFile) {
  const System system(Settings{{"eager", "true"}});
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_dimension_define(file_, "t", SCORPIO_UNLIMITED, dimensions_));
  close();
}

// The dimension is longer than what was put last of a variable; one that has nothing reads as fill.
TEST_F(OneVariable, AllVariablesHaveTheLengthOfTheDimension) {
  const System system;
  create(system);
  int other = -1;
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "w", SCORPIO_INT32, 1, dimensions_, &other));
  EXPECT_SUCCESS(scorpio_variable_fill_define(file_, other, 1, &k_fill));
  const Layout layout = uniform_layout({40, 30}, ranks_in());
  const Decomp parts(system, layout);
  put(parts, layout, 0);
  put(parts, layout, 1);
  int64_t dims[3] = {};
  int ndims = 0;
  EXPECT_SUCCESS(scorpio_variable_inquire(file_, other, nullptr, nullptr, &ndims, dims, 3));
  EXPECT_EQ(2, dims[0]);
  int32_t got[2] = {};
  const int64_t start[1] = {0}, count[1] = {2};
  const scorpio_access access = scorpio_hyperslab(other, start, count, SCORPIO_INT32, got);
  EXPECT_SUCCESS(scorpio_get(file_, &access));
  EXPECT_EQ(k_fill, got[0]);
  EXPECT_EQ(k_fill, got[1]);
  close();
  if (rank_in() == 0) {
    EXPECT_EQ(size_t{0}, stock_elements<int32_t>(path_, "w").size());  // for others it is fill, too
    EXPECT_EQ(size_t{2400}, stock_elements<int32_t>(path_, "v").size());
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace scorpio::api_test
