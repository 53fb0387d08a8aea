// Puts and gets by a decomposition of all dimensions of a variable with records: they move as many records as
// the decomposition has, in variables of every format, also together with variables that have no records.
#include <algorithm>
#include <string_view>

#include "accesses.h"
#include "random_draws.h"
#include "reference.h"

namespace scorpio::api_test {
namespace {

constexpr int32_t k_fill = -5, k_untouched = -9;

struct Variable {
  std::string name;
  bool records;
  Reference<int32_t> expected;
  int id = -1;
};

// A file whose variables all have the extents `dims`, in some of which the first one counts records.
class Program {
 public:
  Program(uint64_t seed, scorpio_format format) : random_(seed), format_(format) {
    dims_.push_back(2 + static_cast<int64_t>(random_() % 5));
    for (uint64_t n = random_() % 3; n > 0; --n) dims_.push_back(1 + static_cast<int64_t>(random_() % 40));
  }

  void run() {
    const TemporaryFolder folder;
    const std::string path = folder / "f.nc";
    {
      const System system(settings());
      ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), format_, nullptr, &file_));
      define();
      for (uint64_t calls = 1 + random_() % 4, call = 1; call <= calls; ++call) step(system, call);
      expect(system);
      EXPECT_SUCCESS(scorpio_file_close(file_));
    }
    const System other(settings());
    ASSERT_SUCCESS(scorpio_file_open(other.get(), path.c_str(), SCORPIO_READ, nullptr, &file_));
    expect(other);
    EXPECT_SUCCESS(scorpio_file_close(file_));
  }

 private:
  Settings settings() {
    Settings settings = random_io_ranks(random_, ranks_in());
    const char* staging[] = {"256k", "4m"};
    settings.insert(settings.end(), {{"nodes", std::to_string(1 + random_() % 2 * (ranks_in() > 1 ? 1 : 0))},
                                     {"staging_bytes", staging[random_() % 2]},
                                     {"block_bytes", "4k"},
                                     {"domains", random_() % 4 == 0 ? "contiguous" : "cyclic"},
                                     {"asynchronous", random_() % 3 == 0 ? "true" : "false"}});
    return settings;
  }

  void define() {
    std::vector<int> fixed(dims_.size(), -1);
    for (size_t d = 0; d < dims_.size(); ++d)
      EXPECT_SUCCESS(scorpio_dimension_define(file_, ("d" + std::to_string(d)).c_str(), dims_[d], &fixed[d]));
    std::vector<int> growing = fixed;
    EXPECT_SUCCESS(scorpio_dimension_define(file_, "time", SCORPIO_UNLIMITED, &growing[0]));
    for (int i = 0; i < 5; ++i) {
      const bool records = i != 1;
      variables_.push_back({"v" + std::to_string(i), records, Reference<int32_t>(dims_)});
      const std::vector<int>& on = records ? growing : fixed;
      EXPECT_SUCCESS(scorpio_variable_define_on(file_, variables_.back().name.c_str(), SCORPIO_INT32,
                                                static_cast<int>(on.size()), on.data(),
                                                &variables_.back().id));
    }
  }

  // Elements that no rank holds get the fill value.
  void step(const System& system, uint64_t call) {
    const Layout layout = random_layout(dims_, ranks_in(), random_);
    SCOPED_TRACE(layout.name);
    const Decomp decomp(system, layout);
    const std::vector<int32_t> data = data_of<int32_t>(layout, rank_in(), call);
    std::vector<scorpio_access> accesses;
    for (Variable& variable : variables_) {
      accesses.push_back(scorpio_darray(variable.id, decomp.get(), 0, SCORPIO_INT32, data.data()));
      accesses.back().fill = &k_fill;
      for (int64_t i = 0; i < elements_of(dims_); ++i) variable.expected[i] = k_fill;
      variable.expected.put(layout, call);
    }
    if (random_() % 2 == 0) {
      EXPECT_SUCCESS(scorpio_put_n(file_, static_cast<int>(accesses.size()), accesses.data()));
    } else {
      for (const scorpio_access& access : accesses) EXPECT_SUCCESS(scorpio_put(file_, &access));
    }
    if (random_() % 4 == 0) post_all(system, 200 + call);
    if (random_() % 2 == 0) {
      EXPECT_SUCCESS(scorpio_file_sync(file_));
    }
    if (random_() % 2 == 0) put_record(system, 100 + call);
  }

  // All records of each variable by one request, which may leave out elements.
  void post_all(const System& system, uint64_t call) {
    Layout layout = random_layout(dims_, ranks_in(), random_);
    if (has_overlaps(layout)) layout = uniform_layout(dims_, ranks_in());
    SCOPED_TRACE("requests, " + layout.name);
    const Decomp decomp(system, layout);
    std::vector<int32_t> data = data_of<int32_t>(layout, rank_in(), call);
    const bool buffered = random_() % 2 == 0;
    const auto bytes = static_cast<int64_t>(variables_.size() * data.size() * sizeof data[0]);
    if (buffered) {
      EXPECT_SUCCESS(scorpio_buffer_attach(file_, bytes));
    }
    for (Variable& variable : variables_) {
      const scorpio_access access = scorpio_darray(variable.id, decomp.get(), 0, SCORPIO_INT32, data.data());
      EXPECT_SUCCESS(buffered ? bput(file_, access) : iput(file_, access));
      variable.expected.put(layout, call);
    }
    if (buffered) std::ranges::fill(data, k_untouched);
    EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    if (buffered) {
      EXPECT_SUCCESS(scorpio_buffer_detach(file_));
    }
  }

  // One record of the first variable, as it is put otherwise.
  void put_record(const System& system, uint64_t call) {
    const auto record = static_cast<int64_t>(random_() % static_cast<uint64_t>(dims_[0]));
    Extents slab(dims_.begin() + 1, dims_.end());
    if (slab.empty()) slab.push_back(1);
    const Layout layout = uniform_layout(slab, ranks_in());
    const Decomp decomp(system, layout);
    const std::vector<int32_t> data = data_of<int32_t>(layout, rank_in(), call);
    EXPECT_SUCCESS(
        scorpio_put_darray(file_, variables_[0].id, decomp.get(), record, SCORPIO_INT32, data.data()));
    Reference<int32_t> one(slab);
    one.put(layout, call);
    for (int64_t i = 0; i < elements_of(slab); ++i)
      variables_[0].expected[record * elements_of(slab) + i] = one[i];
  }

  // By all records, and by the first ones alone.
  void expect(const System& system) {
    for (const Variable& variable : variables_) {
      SCOPED_TRACE(variable.name);
      const Layout layout = random_layout(dims_, ranks_in(), random_);
      expect_by(system, variable, layout);
      if (!variable.records) continue;
      Extents fewer = dims_;
      --fewer[0];
      const Layout first = random_layout(fewer, ranks_in(), random_);
      expect_by(system, variable, first);
      fewer[0] += 2;
      const Decomp more(system, uniform_layout(fewer, ranks_in()));
      std::vector<int32_t> unused(static_cast<size_t>(elements_of(fewer)));
      EXPECT_EQ(SCORPIO_ERR_SHAPE,
                scorpio_get_darray(file_, variable.id, more.get(), 0, SCORPIO_INT32, unused.data()));
      const scorpio_access access = scorpio_darray(variable.id, more.get(), 0, SCORPIO_INT32, unused.data());
      EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_iget(file_, &access, nullptr));
    }
  }

  void expect_by(const System& system, const Variable& variable, const Layout& layout) {
    SCOPED_TRACE(layout.name);
    const Decomp decomp(system, layout);
    std::vector<int32_t> got(layout.of(rank_in()).size(), k_untouched);
    EXPECT_SUCCESS(scorpio_get_darray(file_, variable.id, decomp.get(), 0, SCORPIO_INT32, got.data()));
    EXPECT_EQ(variable.expected.part(layout, rank_in(), k_untouched), got);
    if (random_() % 5 != 0) return;
    std::ranges::fill(got, k_untouched);
    const scorpio_access access = scorpio_darray(variable.id, decomp.get(), 0, SCORPIO_INT32, got.data());
    scorpio_request request = SCORPIO_REQUEST_NULL;
    EXPECT_SUCCESS(scorpio_iget(file_, &access, &request));
    EXPECT_SUCCESS(scorpio_wait(file_, 1, &request, nullptr));
    EXPECT_EQ(variable.expected.part(layout, rank_in(), k_untouched), got) << "by a request";
    if (variable.records) expect_explained(variable, decomp);
  }

  // The records of chunked variables are read together, in a file that is open for reading.
  void expect_explained(const Variable& variable, const Decomp& decomp) {
    size_t length = 0;
    EXPECT_SUCCESS(scorpio_explain_darray(file_, variable.id, decomp.get(), 0, nullptr, 0, &length));
    std::string text(length + 1, '\0');
    EXPECT_SUCCESS(
        scorpio_explain_darray(file_, variable.id, decomp.get(), 0, text.data(), text.size(), nullptr));
    EXPECT_NE(std::string::npos, text.find("put: ")) << text;
  }

  std::mt19937_64 random_;
  scorpio_format format_;
  Extents dims_;
  std::vector<Variable> variables_;
  scorpio_file* file_ = nullptr;
};

class AllRecords : public testing::TestWithParam<scorpio_format> {};

TEST_P(AllRecords, AreMovedByOneDecomposition) {
  for (uint64_t seed = 1; seed <= 25 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program(seed, GetParam()).run();
  }
}

// A rank without its buffer contributes nothing; the other ranks put theirs.
TEST_P(AllRecords, OfARankWithoutABuffer) {
  const TemporaryFolder folder;
  const System system;
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), (folder / "f.nc").c_str(), GetParam(), nullptr, &file));
  const int64_t ranks = ranks_in();
  int dimensions[2] = {-1, -1}, variable = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(file, "time", SCORPIO_UNLIMITED, &dimensions[0]));
  EXPECT_SUCCESS(scorpio_dimension_define(file, "x", ranks, &dimensions[1]));
  EXPECT_SUCCESS(scorpio_variable_define_on(file, "v", SCORPIO_FLOAT64, 2, dimensions, &variable));
  const int64_t dims[2] = {3, ranks}, start[2] = {0, rank_in()}, count[2] = {3, 1};
  scorpio_decomp* decomp = nullptr;
  ASSERT_SUCCESS(scorpio_decomp_block(system.get(), 2, dims, start, count, &decomp));
  const double values[3] = {1, 2, 3};
  double got[3] = {};
  char text[4096] = "";
  EXPECT_SUCCESS(scorpio_explain_darray(file, variable, decomp, 0, text, sizeof text, nullptr));
  EXPECT_TRUE(std::string_view(text).starts_with("records: 3, one after the other")) << text;
  EXPECT_SUCCESS(scorpio_put_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, values));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT,
            scorpio_get_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, rank_in() == 0 ? nullptr : got));
  const double* const mine = rank_in() == 0 ? nullptr : values;
  EXPECT_EQ(mine == nullptr ? SCORPIO_ERR_ARGUMENT : SCORPIO_OK,
            scorpio_put_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, mine));
  EXPECT_NE(SCORPIO_OK, scorpio_file_close(file));
  EXPECT_SUCCESS(scorpio_decomp_free(decomp));
}

INSTANTIATE_TEST_SUITE_P(Formats, AllRecords,
                         testing::Values(SCORPIO_FORMAT_CDF2, SCORPIO_FORMAT_CDF5, SCORPIO_FORMAT_HDF5,
                                         SCORPIO_FORMAT_NETCDF4),
                         [](const auto& format) { return "number" + std::to_string(format.param); });

}  // namespace
}  // namespace scorpio::api_test
