// The option `filters`: variables are stored in chunks that pass filters although the program does not ask
// for it.
#include <filesystem>

#include "accesses.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

constexpr const char* k_rules = "*.h0.* filters=hidden=none,T*=lossy:9,short=lossless,*=shuffle+deflate:2";
const char* const k_attribute = "_QuantizeBitRoundNumberOfSignificantBits";

struct Stored {
  scorpio_storage form = SCORPIO_STORAGE_UNKNOWN;
  std::vector<int> filters = std::vector<int>(4);
};

class FilterOptions : public testing::Test {
 protected:
  scorpio_file* create(const System& system, const std::string& name, scorpio_format format) const {
    scorpio_file* file = nullptr;
    EXPECT_SUCCESS(scorpio_file_create(system.get(), (folder_ / name).c_str(), format, nullptr, &file));
    return file;
  }
  static int define(scorpio_file* file, const char* name, scorpio_type type,
                    const std::vector<int64_t>& dims) {
    int id = -1;
    EXPECT_SUCCESS(
        scorpio_variable_define(file, name, type, static_cast<int>(dims.size()), dims.data(), &id));
    return id;
  }
  static Stored stored(scorpio_file* file, int id) {
    Stored found;
    int n = 0;
    EXPECT_SUCCESS(scorpio_variable_storage(file, id, &found.form, nullptr, 0, found.filters.data(), 4, &n));
    found.filters.resize(static_cast<size_t>(n));
    return found;
  }
  static bool is_rounded(scorpio_file* file, int id) {
    int32_t bits = 0;
    const int code = scorpio_attribute_get(file, id, k_attribute, SCORPIO_INT32, &bits, sizeof(bits));
    return code == SCORPIO_OK && bits == 9;
  }

  const TemporaryFolder folder_;
};

TEST_F(FilterOptions, VariablesAreChosenByName) {
  const System system(Settings{{"file_options", k_rules}});
  scorpio_file* const file = create(system, "a.h0.nc", SCORPIO_FORMAT_NETCDF4);
  const std::vector<int> shuffle_deflate{2, 1};
  const int t = define(file, "T", SCORPIO_FLOAT32, {30, 100});
  EXPECT_EQ(SCORPIO_STORAGE_CHUNKED, stored(file, t).form);
  EXPECT_EQ(shuffle_deflate, stored(file, t).filters);
  EXPECT_TRUE(is_rounded(file, t));
  const int integers = define(file, "Tcount", SCORPIO_INT32, {30, 100});
  EXPECT_EQ(shuffle_deflate, stored(file, integers).filters);
  EXPECT_FALSE(is_rounded(file, integers));
  EXPECT_EQ(SCORPIO_STORAGE_CONTIGUOUS,
            stored(file, define(file, "hidden", SCORPIO_FLOAT32, {30, 100})).form);
  EXPECT_EQ(SCORPIO_STORAGE_CONTIGUOUS, stored(file, define(file, "few", SCORPIO_FLOAT32, {100})).form);
  EXPECT_EQ(shuffle_deflate, stored(file, define(file, "short", SCORPIO_FLOAT32, {90})).filters);
  EXPECT_EQ(SCORPIO_STORAGE_CONTIGUOUS, stored(file, define(file, "scalar", SCORPIO_FLOAT32, {})).form);
  int dimension = -1, coordinate = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(file, "Tx", 5000, &dimension));
  EXPECT_SUCCESS(scorpio_variable_define_on(file, "Tx", SCORPIO_FLOAT64, 1, &dimension, &coordinate));
  EXPECT_EQ(SCORPIO_STORAGE_CONTIGUOUS, stored(file, coordinate).form);
  EXPECT_SUCCESS(scorpio_file_close(file));
}

// The program that knows better has the last word, and other files are left alone.
TEST_F(FilterOptions, TheProgramAndOtherFiles) {
  const System system(Settings{{"file_options", k_rules}});
  scorpio_file* file = create(system, "a.h0.nc", SCORPIO_FORMAT_NETCDF4);
  const int u = define(file, "U", SCORPIO_FLOAT32, {30, 100});
  const int64_t chunk[2] = {10, 100};
  EXPECT_SUCCESS(scorpio_variable_define_chunks(file, u, chunk));
  EXPECT_SUCCESS(scorpio_variable_define_filters(file, u, 0, nullptr, nullptr));
  EXPECT_TRUE(stored(file, u).filters.empty());
  EXPECT_SUCCESS(scorpio_file_close(file));
  file = create(system, "a.r.nc", SCORPIO_FORMAT_NETCDF4);
  EXPECT_EQ(SCORPIO_STORAGE_CONTIGUOUS, stored(file, define(file, "U", SCORPIO_FLOAT32, {30, 100})).form);
  EXPECT_SUCCESS(scorpio_file_close(file));
  file = create(system, "b.h0.nc", SCORPIO_FORMAT_CDF5);
  define(file, "U", SCORPIO_FLOAT32, {30, 100});
  EXPECT_SUCCESS(scorpio_file_close(file));
}

// As models define files: variables first, then the attributes that say what they are.
TEST_F(FilterOptions, CoordinatesAndBoundsAreNotRoundedByAPattern) {
  const System system(Settings{{"filters", "named_bnds=lossy:9,*=lossy:9"}});
  scorpio_file* const file = create(system, "f.nc", SCORPIO_FORMAT_NETCDF4);
  const std::vector<int> shuffle_deflate{2, 1};
  const auto field = [&](const char* name) { return define(file, name, SCORPIO_FLOAT64, {30, 100}); };
  const auto text = [&](int id, const char* name, const char* value) {
    EXPECT_SUCCESS(scorpio_attribute_put_text(file, id, name, value));
  };
  const int time = field("time"), bounds = field("time_bnds"), named = field("named_bnds"),
            lat = field("lat"), t = field("T"), area = field("area"), error = field("T_error");
  for (const int id : {time, bounds, lat, t, area, error}) EXPECT_TRUE(is_rounded(file, id));
  text(time, "units", "days since 2000-01-01");
  text(time, "bounds", "time_bnds");
  text(lat, "units", "degrees_north");
  text(t, "units", "K");
  text(t, "coordinates", "time lat lon");
  text(t, "cell_measures", "area: area");
  text(t, "ancillary_variables", "T_error");
  text(lat, "bounds", "named_bnds lat_bnds");
  const int lat_bounds = field("lat_bnds"), lon = field("lon");  // after the attributes that name them
  for (const int id : {time, bounds, lat, area, error, lat_bounds, lon}) {
    EXPECT_FALSE(is_rounded(file, id));
    EXPECT_EQ(shuffle_deflate, stored(file, id).filters) << "the lossless filters stay";
    double told = 0;
    EXPECT_EQ(SCORPIO_ERR_NOT_FOUND,
              scorpio_attribute_get(file, id, "lossy_error_absolute", SCORPIO_FLOAT64, &told, sizeof(told)));
  }
  EXPECT_TRUE(is_rounded(file, t));
  EXPECT_TRUE(is_rounded(file, named)) << "its rule has the whole name";
  // The program decides in any case.
  EXPECT_SUCCESS(scorpio_variable_define_quantization(file, area, SCORPIO_QUANTIZE_BITROUND, 9));
  text(t, "cell_measures", "area: area");
  EXPECT_TRUE(is_rounded(file, area));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

// Not by the first variable, which would be half defined then.
TEST_F(FilterOptions, WrongNumbersAreToldWhenAFileIsCreated) {
  for (const char* rules : {"deflate:99", "lossy:0", "x=granular:99"}) {
    const System system(Settings{{"filters", rules}});
    scorpio_file* file = nullptr;
    EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_file_create(system.get(), (folder_ / "f.nc").c_str(),
                                                        SCORPIO_FORMAT_NETCDF4, nullptr, &file))
        << rules;
  }
  const System system(Settings{{"filters", "bitround:30+deflate:1"}});
  scorpio_file* const file = create(system, "f.nc", SCORPIO_FORMAT_NETCDF4);
  EXPECT_EQ(std::vector<int>{1}, stored(file, define(file, "T", SCORPIO_FLOAT32, {30, 100})).filters);
  EXPECT_SUCCESS(scorpio_file_close(file));
}

// Attributes of variables that the file had before name new ones.
TEST_F(FilterOptions, AnOpenedFileProtectsNewVariables) {
  const System system(Settings{{"filters", "*=lossy:9"}});
  scorpio_file* file = create(system, "f.nc", SCORPIO_FORMAT_NETCDF4);
  const int t = define(file, "T", SCORPIO_FLOAT32, {30, 100});
  EXPECT_SUCCESS(scorpio_attribute_put_text(file, t, "coordinates", "lat"));
  EXPECT_SUCCESS(scorpio_file_close(file));
  ASSERT_SUCCESS(scorpio_file_open(system.get(), (folder_ / "f.nc").c_str(), SCORPIO_WRITE, nullptr, &file));
  EXPECT_FALSE(is_rounded(file, define(file, "lat", SCORPIO_FLOAT32, {30, 100})));
  const int u = define(file, "U", SCORPIO_FLOAT32, {30, 100}),
            v = define(file, "V", SCORPIO_FLOAT32, {30, 100});
  EXPECT_TRUE(is_rounded(file, u));
  EXPECT_SUCCESS(scorpio_variable_rename(file, u, "lat2"));
  EXPECT_TRUE(is_rounded(file, u));
  EXPECT_SUCCESS(scorpio_attribute_put_text(file, v, "coordinates", "lon"));
  EXPECT_SUCCESS(scorpio_variable_rename(file, u, "lon"));
  EXPECT_FALSE(is_rounded(file, u));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

TEST_F(FilterOptions, RestartFilesAreExact) {
  const System system(Settings{{"filters", "named=lossy:9,*=lossy:9"}});
  for (const char* name : {"case.r.1.nc", "restart.nc"}) {
    scorpio_file* const file = create(system, name, SCORPIO_FORMAT_NETCDF4);
    const int u = define(file, "U", SCORPIO_FLOAT32, {30, 100});
    EXPECT_FALSE(is_rounded(file, u)) << name;
    EXPECT_EQ((std::vector<int>{2, 1}), stored(file, u).filters);
    EXPECT_TRUE(is_rounded(file, define(file, "named", SCORPIO_FLOAT32, {30, 100})));
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
}

TEST_F(FilterOptions, TheBoundIsTheOneThatWasAskedFor) {
  const System system(Settings{{"filters", "*=zfp-accuracy:0.01"}});
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), (folder_ / "f.nc").c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file));
  const int64_t dims[2] = {30, 100};
  int t = -1;
  const int code = scorpio_variable_define(file, "T", SCORPIO_FLOAT32, 2, dims, &t);
  if (code == SCORPIO_OK) {
    double bound = 0;
    EXPECT_SUCCESS(
        scorpio_attribute_get(file, t, "lossy_bound_absolute", SCORPIO_FLOAT64, &bound, sizeof(bound)));
    EXPECT_EQ(0.01, bound);
    EXPECT_SUCCESS(scorpio_attribute_put_text(file, t, "axis", "X"));
    EXPECT_EQ(SCORPIO_ERR_NOT_FOUND,
              scorpio_attribute_get(file, t, "lossy_bound_absolute", SCORPIO_FLOAT64, &bound, sizeof(bound)));
    EXPECT_TRUE(stored(file, t).filters.empty());
  } else {
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, code) << "zfp is not built in";
  }
  (void)scorpio_file_close(file);
}

TEST_F(FilterOptions, DataComeBack) {
  const System system(Settings{{"filters", "lossless"}, {"io_ranks", ranks_in() > 1 ? "2" : "1"}});
  scorpio_file* const file = create(system, "f.nc", SCORPIO_FORMAT_NETCDF4);
  const Extents dims{60, 70};
  const int v = define(file, "v", SCORPIO_INT32, dims);
  const Layout rows = uniform_layout(dims, ranks_in());
  const Decomp by_rows(system, rows);
  Reference<int32_t> expected(dims);
  EXPECT_SUCCESS(put<int32_t>(file, v, by_rows, rows, 1, rank_in()));
  expected.put(rows, 1);
  EXPECT_SUCCESS(scorpio_file_close(file));
  if (rank_in() == 0) {
    EXPECT_TRUE(expected.elements() == stock_elements<int32_t>(folder_ / "f.nc", "v"));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_F(FilterOptions, ATextThatIsNoRule) {
  const System system(Settings{{"filters", "gzip"}});
  scorpio_file* file = nullptr;
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_file_create(system.get(), (folder_ / "f.nc").c_str(),
                                                      SCORPIO_FORMAT_NETCDF4, nullptr, &file));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "f.nc"));
}

// The first dimension has the number of the first variable.
TEST_F(FilterOptions, ADimensionChangesNoVariable) {
  const System system(Settings{{"filters", "lossless"}});
  scorpio_file* const file = create(system, "f.h5", SCORPIO_FORMAT_HDF5);
  const int v = define(file, "v", SCORPIO_INT32, {60, 70});
  EXPECT_SUCCESS(scorpio_variable_define_filters(file, v, 0, nullptr, nullptr));
  int dimension = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(file, "x", 5, &dimension));
  EXPECT_TRUE(stored(file, v).filters.empty());
  EXPECT_SUCCESS(scorpio_file_close(file));
}

}  // namespace
}  // namespace scorpio::api_test
