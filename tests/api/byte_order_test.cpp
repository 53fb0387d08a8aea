// Variables whose numbers are stored in a byte order that the program chooses: puts and gets convert them,
// and HDF5 alone reads the same values.
#include <cmath>

#include "accesses.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

class ByteOrder : public testing::TestWithParam<scorpio_format> {
 protected:
  void create(const Settings& settings = {}) {
    const OptionList options(settings);
    ASSERT_SUCCESS(scorpio_file_create(system_.get(), path_.c_str(), GetParam(), options.get(), &file_));
  }
  void open(scorpio_open_mode mode) {
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), mode, nullptr, &file_));
  }
  void close() const { EXPECT_SUCCESS(scorpio_file_close(file_)); }
  int define(const std::string& name, scorpio_type type, const Extents& dims) const {
    int id = -1;
    EXPECT_SUCCESS(
        scorpio_variable_define(file_, name.c_str(), type, static_cast<int>(dims.size()), dims.data(), &id));
    return id;
  }
  int find(const std::string& name) const {
    int id = -1;
    EXPECT_SUCCESS(scorpio_variable_find(file_, name.c_str(), &id));
    return id;
  }
  int set(int variable, scorpio_endianness order) const {
    return scorpio_variable_define_endianness(file_, variable, order);
  }
  void expect_order(int variable, scorpio_endianness expected) const {
    auto found = static_cast<scorpio_endianness>(7);
    EXPECT_SUCCESS(scorpio_variable_endianness(file_, variable, &found));
    EXPECT_EQ(expected, found);
  }
  void filter(int variable, const Extents& chunk) const {
    const int filters[3] = {2, 1, 3}, parameters[3] = {0, 3, 0};
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, variable, chunk.data()));
    EXPECT_SUCCESS(scorpio_variable_define_filters(file_, variable, 3, filters, parameters));
  }

  // Put in contiguous and in chunked form, from elements of another type, in two parts; the second one after
  // the file was opened again.
  template <typename File, typename Memory>
  void expect_converted(scorpio_endianness order) {
    const Extents dims{11 * ranks_in(), 17};
    const Layout layout = uniform_layout(dims, ranks_in());
    const Decomp decomp(system_, layout);
    const char* const names[2] = {"contiguous", "chunked"};
    create();
    for (const char* name : names) EXPECT_SUCCESS(set(define(name, type_of<File>(), dims), order));
    filter(find(names[1]), {7, 5});
    for (const char* name : names) {
      expect_order(find(name), order);
      EXPECT_SUCCESS(put<Memory>(file_, find(name), decomp, layout, 4, rank_in()));
    }
    close();
    for (const uint64_t call : {uint64_t{4}, uint64_t{5}}) {
      open(SCORPIO_WRITE);
      for (const char* name : names) {
        expect_order(find(name), order);
        if (call > 4) {
          EXPECT_SUCCESS(put<Memory>(file_, find(name), decomp, layout, call, rank_in()));
        }
        Reference<Memory> in_memory(dims);
        in_memory.put(layout, call);
        expect_part(file_, find(name), decomp, layout, in_memory, rank_in());
      }
      close();
      Reference<File> stored(dims);
      stored.put(layout, call);
      if (rank_in() == 0) {
        for (const char* name : names)
          EXPECT_EQ(stored.elements(), stock_elements<File>(path_, name)) << name;
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f.nc";
  const System system_{{{"staging_bytes", "64k"}, {"block_bytes", "512"}}};
  scorpio_file* file_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(InFormats, ByteOrder, testing::Values(SCORPIO_FORMAT_HDF5, SCORPIO_FORMAT_NETCDF4));

TEST_P(ByteOrder, OfEveryType) {
  for (const scorpio_endianness order : {SCORPIO_ENDIAN_BIG, SCORPIO_ENDIAN_LITTLE}) {
    expect_converted<int8_t, int8_t>(order);
    expect_converted<uint8_t, int32_t>(order);
    expect_converted<int16_t, double>(order);
    expect_converted<uint16_t, uint16_t>(order);
    expect_converted<int32_t, int32_t>(order);
    expect_converted<uint32_t, int64_t>(order);
    expect_converted<int64_t, float>(order);
    expect_converted<uint64_t, uint64_t>(order);
    expect_converted<float, double>(order);
    expect_converted<double, double>(order);
  }
}

// The byte order of this machine is that of a variable for which none was chosen.
TEST_P(ByteOrder, TheLastChoiceCounts) {
  create();
  const int v = define("v", SCORPIO_INT32, {4});
  scorpio_endianness native = SCORPIO_ENDIAN_NATIVE;
  EXPECT_SUCCESS(scorpio_variable_endianness(file_, v, &native));
  EXPECT_NE(SCORPIO_ENDIAN_NATIVE, native);
  EXPECT_SUCCESS(set(v, SCORPIO_ENDIAN_BIG));
  expect_order(v, SCORPIO_ENDIAN_BIG);
  EXPECT_SUCCESS(set(v, SCORPIO_ENDIAN_NATIVE));
  expect_order(v, native);
  close();
  open(SCORPIO_READ);
  expect_order(find("v"), native);
  close();
}

// Elements that no rank puts have the fill value: a part of a record variable, of one in chunks, and of one
// whose elements have an address.
TEST_P(ByteOrder, FillValues) {
  constexpr double k_fill = -1.5e300;
  create();
  int time = -1, x = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "time", SCORPIO_UNLIMITED, &time));
  EXPECT_SUCCESS(scorpio_dimension_define(file_, "x", 6, &x));
  const int over[2] = {time, x};
  int records = -1, plain = -1, chunked = -1;
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "records", SCORPIO_FLOAT64, 2, over, &records));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "plain", SCORPIO_FLOAT64, 1, &x, &plain));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "chunked", SCORPIO_FLOAT64, 1, &x, &chunked));
  filter(chunked, {4});
  for (const int v : {records, plain, chunked}) {
    EXPECT_SUCCESS(scorpio_variable_fill_define(file_, v, 1, &k_fill));
    EXPECT_SUCCESS(set(v, SCORPIO_ENDIAN_BIG));
  }
  const double values[2] = {0.25, 7};
  const int64_t start[2] = {1, 2}, count[2] = {1, 2};
  EXPECT_SUCCESS(put_of_all(file_, scorpio_hyperslab(records, start, count, SCORPIO_FLOAT64, values)));
  for (const int v : {plain, chunked})
    EXPECT_SUCCESS(put_of_all(file_, scorpio_hyperslab(v, start + 1, count + 1, SCORPIO_FLOAT64, values)));
  double found = 0;
  EXPECT_SUCCESS(scorpio_variable_fill_inquire(file_, plain, nullptr, &found, sizeof found));
  EXPECT_EQ(k_fill, found);
  close();
  if (rank_in() == 0) {
    const std::vector<double> row{k_fill, k_fill, 0.25, 7, k_fill, k_fill};
    EXPECT_EQ(row, stock_elements<double>(path_, "plain"));
    EXPECT_EQ(row, stock_elements<double>(path_, "chunked"));
    std::vector<double> both(6, k_fill);
    both.insert(both.end(), row.begin(), row.end());
    EXPECT_EQ(both, stock_elements<double>(path_, "records"));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  open(SCORPIO_WRITE);
  expect_order(find("records"), SCORPIO_ENDIAN_BIG);
  const int64_t third[2] = {2, 0};
  EXPECT_SUCCESS(
      put_of_all(file_, scorpio_hyperslab(find("records"), third, count, SCORPIO_FLOAT64, values)));
  double row[6] = {};
  const int64_t one[2] = {1, 6};
  scorpio_access get = scorpio_hyperslab(find("records"), third, one, SCORPIO_FLOAT64, row);
  get.sharing = SCORPIO_ALL_RANKS;
  EXPECT_SUCCESS(scorpio_get(file_, &get));
  EXPECT_EQ(7, row[1]);
  EXPECT_EQ(k_fill, row[2]);
  close();
}

// The numbers are rounded as those in the order of this machine.
TEST_P(ByteOrder, Quantised) {
  constexpr int64_t k_elements = 600;
  const float fill = 1e20F;
  const scorpio_endianness orders[2] = {SCORPIO_ENDIAN_LITTLE, SCORPIO_ENDIAN_BIG};
  const char* const names[2] = {"little", "big"};
  std::vector<float> values;
  for (int64_t i = 0; i < k_elements; ++i)
    values.push_back(
        i % 5 == 0 ? fill : std::sin(static_cast<float>(i)) * std::ldexp(1.0F, static_cast<int>(i % 9)));
  create();
  for (int i = 0; i < 2; ++i) {
    const int v = define(names[i], SCORPIO_FLOAT32, {k_elements});
    filter(v, {250});
    EXPECT_SUCCESS(scorpio_variable_fill_define(file_, v, 1, &fill));
    EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, v, SCORPIO_QUANTIZE_BITGROOM, 3));
    EXPECT_SUCCESS(set(v, orders[i]));
    const int64_t start = 0;
    EXPECT_SUCCESS(
        put_of_all(file_, scorpio_hyperslab(v, &start, &k_elements, SCORPIO_FLOAT32, values.data())));
  }
  close();
  if (rank_in() == 0) {
    const std::vector<float> little = stock_elements<float>(path_, "little");
    EXPECT_NE(values, little);
    EXPECT_EQ(little, stock_elements<float>(path_, "big"));
    EXPECT_EQ(fill, little[5]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(ByteOrder, Refusals) {
  create();
  const int v = define("v", SCORPIO_INT32, {4});
  int text = -1;
  EXPECT_SUCCESS(scorpio_variable_define_sized(file_, "text", SCORPIO_TEXT, 1, 0, nullptr, &text));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, set(99, SCORPIO_ENDIAN_BIG));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, set(v, static_cast<scorpio_endianness>(3)));
  EXPECT_EQ(SCORPIO_ERR_TYPE, set(text, SCORPIO_ENDIAN_BIG));
  expect_order(text, SCORPIO_ENDIAN_NATIVE);
  scorpio_endianness order = SCORPIO_ENDIAN_NATIVE;
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_endianness(file_, 99, &order));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_endianness(file_, v, nullptr));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  EXPECT_EQ(SCORPIO_ERR_STATE, set(v, SCORPIO_ENDIAN_BIG));
  close();
  open(SCORPIO_READ);
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, set(find("v"), SCORPIO_ENDIAN_BIG));
  close();
}

TEST_P(ByteOrder, OfClassicAndEagerFiles) {
  const OptionList eager(Settings{{"eager", "true"}});
  ASSERT_SUCCESS(scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_HDF5, eager.get(), &file_));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, set(define("v", SCORPIO_INT32, {4}), SCORPIO_ENDIAN_BIG));
  close();
  ASSERT_SUCCESS(scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_CDF5, nullptr, &file_));
  const int v = define("v", SCORPIO_INT32, {4});
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, set(v, SCORPIO_ENDIAN_BIG));
  expect_order(v, SCORPIO_ENDIAN_BIG);
  close();
}

// The definitions of ranks differ.
TEST_P(ByteOrder, DiffersBetweenRanks) {
  if (ranks_in() == 1) GTEST_SKIP() << "one rank";
  create();
  EXPECT_SUCCESS(
      set(define("v", SCORPIO_INT32, {4}), rank_in() == 0 ? SCORPIO_ENDIAN_BIG : SCORPIO_ENDIAN_LITTLE));
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_file_close(file_));
}

}  // namespace
}  // namespace scorpio::api_test
