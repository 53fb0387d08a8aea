// Puts with a fill value: the elements that no rank holds get it, in variables of every form, also in calls
// for variables of several forms with and without a fill value.
#include <algorithm>

#include "accesses.h"
#include "random_draws.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

constexpr int32_t k_before = -1;  // what elements have that nobody put

enum class Form { contiguous, chunked, records, inner_unlimited };

struct Variable {
  std::string name;
  Form form;
  int64_t record;
  Reference<int32_t> expected;
  int id = -1;
};

// One file, whose variables all have the extents `dims` in a put.
class Program {
 public:
  explicit Program(uint64_t seed)
      : random_(seed),
        dims_{2 + static_cast<int64_t>(random_() % 60), 2 + static_cast<int64_t>(random_() % 60)} {}

  void run() {
    const TemporaryFolder folder;
    const std::string path = folder / "f.nc";
    const System system(settings());
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    define();
    const uint64_t calls = 1 + random_() % 4;
    for (uint64_t call = 1; call <= calls; ++call) step(system, call);
    expect(system);
    EXPECT_SUCCESS(scorpio_file_close(file_));
    const System other;
    ASSERT_SUCCESS(scorpio_file_open(other.get(), path.c_str(), SCORPIO_READ, nullptr, &file_));
    expect(other);
    EXPECT_SUCCESS(scorpio_file_close(file_));
    for (const Variable& variable : variables_) {
      const bool whole = variable.form == Form::contiguous || variable.form == Form::chunked;
      if (rank_in() == 0 && whole) {
        EXPECT_EQ(variable.expected.elements(), stock_elements<int32_t>(path, variable.name));
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  Settings settings() {
    Settings settings = random_io_ranks(random_, ranks_in());
    const char* staging[] = {"256k", "4m"};
    const char* blocks[] = {"4k", "64k"};
    settings.insert(settings.end(), {{"format", "netcdf4"},
                                     {"nodes", std::to_string(1 + random_() % 2 * (ranks_in() > 1 ? 1 : 0))},
                                     {"staging_bytes", staging[random_() % 2]},
                                     {"block_bytes", blocks[random_() % 2]},
                                     {"domains", random_() % 4 == 0 ? "contiguous" : "cyclic"},
                                     {"asynchronous", random_() % 3 == 0 ? "true" : "false"}});
    return settings;
  }

  int dimension(const std::string& name, int64_t length) {
    int id = -1;
    EXPECT_SUCCESS(scorpio_dimension_define(file_, name.c_str(), length, &id));
    return id;
  }

  void define() {
    const int y = dimension("y", dims_[0]), x = dimension("x", dims_[1]);
    const int t = dimension("t", SCORPIO_UNLIMITED), any = dimension("any", SCORPIO_UNLIMITED);
    const std::vector<std::vector<int>> shapes{{y, x}, {y, x}, {t, y, x}, {y, any}};
    for (size_t i = 0; i < 6; ++i) {
      const auto form = static_cast<Form>(random_() % shapes.size());
      const std::vector<int>& shape = shapes[static_cast<size_t>(form)];
      Variable variable{"v" + std::to_string(i), form, form == Form::records ? 2 : 0,
                        Reference<int32_t>(dims_)};
      EXPECT_SUCCESS(scorpio_variable_define_on(file_, variable.name.c_str(), SCORPIO_INT32,
                                                static_cast<int>(shape.size()), shape.data(), &variable.id));
      EXPECT_SUCCESS(scorpio_variable_fill_define(file_, variable.id, 1, &k_before));
      if (form != Form::contiguous) define_chunks(variable, shape.size());
      for (int64_t g = 0; g < elements_of(dims_); ++g) variable.expected[g] = k_before;
      variables_.push_back(std::move(variable));
    }
  }

  void define_chunks(const Variable& variable, size_t ndims) {
    Extents chunk;
    if (ndims == 3) chunk.push_back(1 + static_cast<int64_t>(random_() % 4));
    for (const int64_t extent : dims_)
      chunk.push_back(1 + static_cast<int64_t>(random_() % static_cast<uint64_t>(extent)));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, variable.id, chunk.data()));
    const int filters[2] = {2, 1}, parameters[2] = {0, 1};
    if (random_() % 2 == 0) {
      EXPECT_SUCCESS(scorpio_variable_define_filters(file_, variable.id, 2, filters, parameters));
    }
  }

  // Some of the variables in one call.
  void step(const System& system, uint64_t call) {
    const Layout layout = random_layout(dims_, ranks_in(), random_);
    const Decomp parts(system, layout);
    const std::vector<int32_t> data = data_of<int32_t>(layout, rank_in(), call);
    std::vector<int32_t> fills;
    for (size_t i = 0; i < variables_.size(); ++i) fills.push_back(static_cast<int32_t>(1000 * call + i));
    const bool all_filled = random_() % 2 == 0;
    std::vector<scorpio_access> accesses;
    for (size_t i = 0; i < variables_.size(); ++i) {
      Variable& variable = variables_[i];
      if (random_() % 4 == 0) continue;
      accesses.push_back(
          scorpio_darray(variable.id, parts.get(), variable.record, SCORPIO_INT32, data.data()));
      if (all_filled || random_() % 2 == 0) {
        accesses.back().fill = &fills[i];
        fill_gaps(variable.expected, layout, fills[i]);
      }
      variable.expected.put(layout, call);
    }
    std::shuffle(accesses.begin(), accesses.end(), random_);
    EXPECT_SUCCESS(scorpio_put_n(file_, static_cast<int>(accesses.size()), accesses.data())) << layout.name;
    if (random_() % 3 == 0) {
      EXPECT_SUCCESS(scorpio_file_sync(file_));
    }
  }

  static void fill_gaps(Reference<int32_t>& expected, const Layout& layout, int32_t value) {
    std::vector<bool> held(expected.elements().size(), false);
    for (const auto& part : layout.index) {
      for (const int64_t g : part) {
        if (g >= 0) held[static_cast<size_t>(g)] = true;
      }
    }
    for (size_t g = 0; g < held.size(); ++g) {
      if (!held[g]) expected[static_cast<int64_t>(g)] = value;
    }
  }

  void expect(const System& system) {
    const Layout all = uniform_layout(dims_, ranks_in());
    const Decomp parts(system, all);
    for (Variable& variable : variables_) {
      ASSERT_SUCCESS(scorpio_variable_find(file_, variable.name.c_str(), &variable.id));
      const auto& elements = variable.expected.elements();
      const bool was_put =
          std::any_of(elements.begin(), elements.end(), [](int32_t e) { return e != k_before; });
      if (!was_put) continue;  // its unlimited dimension can be shorter
      std::vector<int32_t> got(all.of(rank_in()).size());
      EXPECT_SUCCESS(
          scorpio_get_darray(file_, variable.id, parts.get(), variable.record, SCORPIO_INT32, got.data()));
      EXPECT_EQ(variable.expected.part(all, rank_in(), 0), got)
          << variable.name << " of form " << static_cast<int>(variable.form);
    }
  }

  std::mt19937_64 random_;
  Extents dims_;
  scorpio_file* file_ = nullptr;
  std::vector<Variable> variables_;
};

TEST(FilledPuts, RandomPrograms) {
  for (uint64_t seed = 1; seed <= 20 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program(seed).run();
  }
}

// More gaps than the ranks know exactly (65,536).
TEST(FilledPuts, OfEverySecondElement) {
  const System system(Settings{{"format", "netcdf4"}, {"io_ranks", "1"}});
  const TemporaryFolder folder;
  const std::string path = folder / "f.nc";
  const Extents dims{400, 400}, chunk{90, 400};
  scorpio_file* file = nullptr;
  int variable = -1;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  ASSERT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 2, dims.data(), &variable));
  ASSERT_SUCCESS(scorpio_variable_define_chunks(file, variable, chunk.data()));
  std::vector<std::vector<int64_t>> index(static_cast<size_t>(ranks_in()));
  for (int64_t g = 0; g < elements_of(dims); g += 2)
    index[static_cast<size_t>(g) % index.size()].push_back(g);
  const Layout every_second = map_layout(dims, std::move(index));
  const Decomp parts(system, every_second);
  const std::vector<int32_t> data = data_of<int32_t>(every_second, rank_in(), 1);
  const int32_t fill = -9;
  scorpio_access access = scorpio_darray(variable, parts.get(), 0, SCORPIO_INT32, data.data());
  access.fill = &fill;
  EXPECT_SUCCESS(scorpio_put(file, &access));
  EXPECT_SUCCESS(scorpio_file_close(file));
  Reference<int32_t> expected(dims);
  for (int64_t g = 0; g < elements_of(dims); ++g) expected[g] = fill;
  expected.put(every_second, 1);
  if (rank_in() == 0) {
    EXPECT_TRUE(expected.elements() == stock_elements<int32_t>(path, "v"));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// The elements get the nearest value, and no others stay there that the staging memory has by chance.
TEST(FilledPuts, AFillValueThatDoesNotFitIsClipped) {
  const System system(Settings{{"format", "netcdf4"}, {"io_ranks", "1"}});
  const TemporaryFolder folder;
  const Extents dims{40, 50}, chunk{7, 50};
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "f.nc").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  int ids[2] = {-1, -1};
  for (int i = 0; i < 2; ++i)
    ASSERT_SUCCESS(scorpio_variable_define(file, i == 0 ? "a" : "b", SCORPIO_INT8, 2, dims.data(), &ids[i]));
  ASSERT_SUCCESS(scorpio_variable_define_chunks(file, ids[1], chunk.data()));
  std::vector<std::vector<int64_t>> index(static_cast<size_t>(ranks_in()));
  for (int64_t g = 0; g < elements_of(dims); g += 3)
    index[static_cast<size_t>(g) % index.size()].push_back(g);
  const Layout every_third = map_layout(dims, std::move(index)), all = uniform_layout(dims, ranks_in());
  const Decomp parts(system, every_third), uniform(system, all);
  const std::vector<int32_t> data = data_of<int32_t>(every_third, rank_in(), 1);
  const int32_t fill = 300;
  Reference<int32_t> expected(dims);
  for (int64_t g = 0; g < elements_of(dims); ++g) expected[g] = 127;
  expected.put(every_third, 1);
  for (const int id : ids) {
    scorpio_access access = scorpio_darray(id, parts.get(), 0, SCORPIO_INT32, data.data());
    access.fill = &fill;
    EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_put(file, &access));
    EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_file_sync(file));
    expect_part(file, id, uniform, all, expected, rank_in());
  }
  EXPECT_SUCCESS(scorpio_file_close(file));
}

// Of 64 variables in chunks with two gaps each, data and fill values are one operation.
TEST(FilledPuts, AreNoOperationsOfTheirOwn) {
  const System system(Settings{{"format", "netcdf4"}, {"io_ranks", "1"}});
  const TemporaryFolder folder;
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "f.nc").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  int dims[2] = {-1, -1};
  ASSERT_SUCCESS(scorpio_dimension_define(file, "t", SCORPIO_UNLIMITED, &dims[0]));
  ASSERT_SUCCESS(scorpio_dimension_define(file, "x", 1000, &dims[1]));
  const Layout middle = map_layout({1000}, [] {
    std::vector<std::vector<int64_t>> index(static_cast<size_t>(ranks_in()));
    for (int64_t g = 10; g < 990; ++g) index[static_cast<size_t>(g) % index.size()].push_back(g);
    return index;
  }());
  const Decomp parts(system, middle);
  const std::vector<int32_t> data = data_of<int32_t>(middle, rank_in(), 1);
  const int32_t fill = 5;
  std::vector<scorpio_access> accesses;
  for (int i = 0; i < 64; ++i) {
    int id = -1;
    ASSERT_SUCCESS(
        scorpio_variable_define_on(file, ("v" + std::to_string(i)).c_str(), SCORPIO_INT32, 2, dims, &id));
    accesses.push_back(scorpio_darray(id, parts.get(), 0, SCORPIO_INT32, data.data()));
    accesses.back().fill = &fill;
  }
  const uint64_t before = system.counter("operations");
  EXPECT_SUCCESS(scorpio_put_n(file, 64, accesses.data()));
  EXPECT_EQ(before + 1, system.counter("operations"));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

}  // namespace
}  // namespace scorpio::api_test
