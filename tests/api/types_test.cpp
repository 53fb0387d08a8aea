// Element types in the file and in memory, conversion between them, values that do not fit.
#include <algorithm>
#include <limits>

#include "layout.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

const char* const k_nodes[] = {"0", "2"};

class Types : public testing::TestWithParam<const char*> {
 protected:
  Types() : system_({{"staging_bytes", "64k"}, {"block_bytes", "512"}, {"nodes", GetParam()}}) {}

  scorpio_file* create() {
    scorpio_file* file = nullptr;
    EXPECT_SUCCESS(scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    return file;
  }
  scorpio_file* open() {
    scorpio_file* file = nullptr;
    EXPECT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &file));
    return file;
  }
  int define(scorpio_file* file, const char* name, scorpio_type type, const Extents& dims) {
    int variable = -1;
    EXPECT_SUCCESS(
        scorpio_variable_define(file, name, type, static_cast<int>(dims.size()), dims.data(), &variable));
    return variable;
  }

  // Written as File from memory elements of type Memory, found by HDF5, read back as Memory.
  template <typename File, typename Memory>
  void convert(scorpio_file* file, int variable, const Layout& layout, const std::string& name) {
    const Decomp decomp(system_, layout);
    EXPECT_SUCCESS(put<Memory>(file, variable, decomp, layout, 4, rank_in()));
    Reference<Memory> in_memory(layout.dims);
    in_memory.put(layout, 4);
    expect_part(file, variable, decomp, layout, in_memory, rank_in());
    EXPECT_SUCCESS(scorpio_file_sync(file));
    if (rank_in() != 0) return;
    Reference<File> stored(layout.dims);
    stored.put(layout, 4);
    EXPECT_EQ(stored.elements(), stock_elements<File>(path_, name)) << name;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "file.h5";
  const System system_;
};

INSTANTIATE_TEST_SUITE_P(OnNodes, Types, testing::ValuesIn(k_nodes));

TEST_P(Types, EveryNumber) {
  const Extents dims{41 * ranks_in(), 17};
  const Layout layout = uniform_layout(dims, ranks_in());
  scorpio_file* file = create();
  convert<int8_t, int8_t>(file, define(file, "i1", SCORPIO_INT8, dims), layout, "/i1");
  convert<uint8_t, int32_t>(file, define(file, "u1", SCORPIO_UINT8, dims), layout, "/u1");
  convert<int16_t, double>(file, define(file, "i2", SCORPIO_INT16, dims), layout, "/i2");
  convert<uint16_t, uint16_t>(file, define(file, "u2", SCORPIO_UINT16, dims), layout, "/u2");
  convert<int32_t, float>(file, define(file, "i4", SCORPIO_INT32, dims), layout, "/i4");
  convert<uint32_t, int64_t>(file, define(file, "u4", SCORPIO_UINT32, dims), layout, "/u4");
  convert<int64_t, int8_t>(file, define(file, "i8", SCORPIO_INT64, dims), layout, "/i8");
  convert<uint64_t, uint64_t>(file, define(file, "u8", SCORPIO_UINT64, dims), layout, "/u8");
  convert<float, double>(file, define(file, "f4", SCORPIO_FLOAT32, dims), layout, "/f4");
  convert<double, float>(file, define(file, "f8", SCORPIO_FLOAT64, dims), layout, "/f8");
  EXPECT_SUCCESS(scorpio_file_close(file));
}

// Lengths that divide neither slots nor blocks: elements lie across units.
TEST_P(Types, TextAndOpaqueOfOddLengths) {
  const Extents dims{500 * ranks_in()};
  std::mt19937_64 random(2);
  const Layout layout = random_layout(dims, ranks_in(), random);
  const Decomp decomp(system_, layout);
  scorpio_file* file = create();
  for (const size_t length : {size_t{13}, size_t{3}, size_t{5000}}) {
    const scorpio_type type = length == 3 ? SCORPIO_OPAQUE : SCORPIO_TEXT;
    const std::string name = "/x" + std::to_string(length);
    const Extents extents{length == 5000 ? ranks_in() : dims[0]};
    const Layout& parts = length == 5000 ? uniform_layout(extents, ranks_in()) : layout;
    const Decomp of_parts(system_, parts);
    int variable = -1;
    ASSERT_SUCCESS(
        scorpio_variable_define_sized(file, name.c_str(), type, length, 1, extents.data(), &variable));
    const auto bytes_of = [&](int rank) {
      std::vector<unsigned char> bytes(parts.of(rank).size() * length);
      for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = datum<uint8_t>(rank, static_cast<int64_t>(i), 1);
      return bytes;
    };
    std::vector<unsigned char> expected(static_cast<size_t>(extents[0]) * length, 0);
    for (int r = 0; r < ranks_in(); ++r) {
      const auto bytes = bytes_of(r);
      for (size_t i = 0; i < parts.of(r).size(); ++i) {
        const int64_t g = parts.of(r)[i];
        if (g >= 0) std::copy_n(&bytes[i * length], length, &expected[static_cast<size_t>(g) * length]);
      }
    }
    EXPECT_SUCCESS(scorpio_put_darray(file, variable, of_parts.get(), 0, type, bytes_of(rank_in()).data()));
    const Layout whole = block_layout(extents, std::vector<Extents>(static_cast<size_t>(ranks_in()), {0}),
                                      std::vector<Extents>(static_cast<size_t>(ranks_in()), extents));
    std::vector<unsigned char> got(expected.size(), 255);
    EXPECT_SUCCESS(scorpio_get_darray(file, variable, Decomp(system_, whole).get(), 0, type, got.data()));
    EXPECT_TRUE(got == expected) << name;
    EXPECT_SUCCESS(scorpio_file_sync(file));
    if (rank_in() == 0) {
      EXPECT_TRUE(stock_bytes(path_, name) == expected) << name;
    }
  }
  EXPECT_SUCCESS(scorpio_file_close(file));
}

TEST_P(Types, ValuesThatDoNotFitAreClippedAndReportedEverywhere) {
  const Extents dims{10 * ranks_in()};
  const Layout layout = uniform_layout(dims, ranks_in());
  const Decomp decomp(system_, layout);
  const int culprit = ranks_in() / 2;
  scorpio_file* file = create();
  const int variable = define(file, "v", SCORPIO_INT8, dims);
  std::vector<int32_t> data(10, 5);
  if (rank_in() == culprit) data[3] = 1000;
  EXPECT_EQ(rank_in() == culprit ? SCORPIO_ERR_RANGE : SCORPIO_OK,
            scorpio_put_darray(file, variable, decomp.get(), 0, SCORPIO_INT32, data.data()));
  EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_file_sync(file));
  EXPECT_EQ(culprit, last_origin());
  EXPECT_TRUE(equal_on_all(last_text()));
  EXPECT_SUCCESS(scorpio_file_sync(file)) << "told once";
  std::vector<int8_t> got(10);
  EXPECT_SUCCESS(scorpio_get_darray(file, variable, decomp.get(), 0, SCORPIO_INT8, got.data()));
  EXPECT_EQ(rank_in() == culprit ? 127 : 5, got[3]);
  EXPECT_SUCCESS(scorpio_file_close(file));
}

TEST_P(Types, ReadingIntoATypeThatIsTooSmall) {
  const Extents dims{10 * ranks_in()};
  const Layout layout = uniform_layout(dims, ranks_in());
  const Decomp decomp(system_, layout);
  scorpio_file* file = create();
  const int variable = define(file, "v", SCORPIO_FLOAT64, dims);
  std::vector<double> data(10, 2.0);
  if (rank_in() == 0) data[0] = -4e9;
  EXPECT_SUCCESS(scorpio_put_darray(file, variable, decomp.get(), 0, SCORPIO_FLOAT64, data.data()));
  std::vector<int32_t> got(10);
  EXPECT_EQ(SCORPIO_ERR_RANGE,
            scorpio_get_darray(file, variable, decomp.get(), 0, SCORPIO_INT32, got.data()));
  EXPECT_EQ(0, last_origin());
  EXPECT_EQ(rank_in() == 0 ? std::numeric_limits<int32_t>::min() : 2, got[0]);
  EXPECT_EQ(2, got[1]);
  EXPECT_SUCCESS(scorpio_get_darray(file, variable, decomp.get(), 0, SCORPIO_FLOAT64, data.data()));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

// ---- files of others ----

constexpr int64_t k_rows = 12, k_columns = 10;

void expect_foreign_matrix(const System& system, scorpio_file* file, const std::string& name,
                           int64_t row_of_lower_half) {
  const Extents dims{k_rows, k_columns};
  Reference<int32_t> reference(dims);
  for (int64_t r = 0; r < k_rows; ++r) {
    const int64_t row = r < k_rows / 2 ? r : r - k_rows / 2 + row_of_lower_half;
    for (int64_t c = 0; c < k_columns; ++c) {
      reference[r * k_columns + c] = static_cast<int32_t>(100 * row + c);
    }
  }
  int variable = -1;
  ASSERT_SUCCESS(scorpio_variable_find(file, name.c_str(), &variable)) << name;
  std::mt19937_64 random(23);
  for (const Layout& layout : {grid_layout(dims, shuffled(ranks_in(), random)),
                               random_layout(dims, ranks_in(), random), uniform_layout(dims, ranks_in())}) {
    SCOPED_TRACE(name);
    expect_part(file, variable, Decomp(system, layout), layout, reference, rank_in());
  }
}

TEST_P(Types, FilesWrittenByOthers) {
  EXPECT_EQ(0, rank_in() == 0 ? run_stock_hdf5({"write", path_}) : 0);
  MPI_Barrier(MPI_COMM_WORLD);
  scorpio_file* file = open();
  ASSERT_NE(nullptr, file);
  for (const char* name : {"plain", "big_endian", "deflated", "compact"}) {
    expect_foreign_matrix(system_, file, name, k_rows / 2);
  }
  expect_foreign_matrix(system_, file, "virtual", 0);
  EXPECT_GT(system_.sum("fallback_reads"), 0u);

  int variable = -1;
  scorpio_type type{};
  size_t bytes = 0;
  ASSERT_SUCCESS(scorpio_variable_find(file, "strings", &variable));
  EXPECT_SUCCESS(scorpio_variable_inquire(file, variable, &type, &bytes, nullptr, nullptr, 0));
  EXPECT_EQ(SCORPIO_TEXT, type);
  EXPECT_EQ(5u, bytes);
  const Layout all = block_layout({3}, std::vector<Extents>(static_cast<size_t>(ranks_in()), {0}),
                                  std::vector<Extents>(static_cast<size_t>(ranks_in()), {3}));
  char text[16] = "";
  EXPECT_SUCCESS(scorpio_get_darray(file, variable, Decomp(system_, all).get(), 0, SCORPIO_TEXT, text));
  EXPECT_EQ(std::string("alphabeta\0c\0\0\0\0", 15), std::string(text, 15));

  double scale = 0;
  EXPECT_SUCCESS(
      scorpio_attribute_get(file, object_of(file, "plain"), "scale", SCORPIO_FLOAT64, &scale, sizeof scale));
  EXPECT_EQ(3.25, scale);
  EXPECT_SUCCESS(scorpio_file_close(file));
}

TEST_P(Types, OthersAppendAndWeReadOn) {
  const Extents dims{k_rows, k_columns};
  const Layout layout = uniform_layout(dims, ranks_in());
  const Decomp decomp(system_, layout);
  scorpio_file* file = create();
  EXPECT_SUCCESS(put<int32_t>(file, define(file, "ours", SCORPIO_INT32, dims), decomp, layout, 6, rank_in()));
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_EQ(0, rank_in() == 0 ? run_stock_hdf5({"append", path_}) : 0);
  MPI_Barrier(MPI_COMM_WORLD);
  file = open();
  ASSERT_NE(nullptr, file);
  expect_foreign_matrix(system_, file, "appended", k_rows / 2);
  Reference<int32_t> reference(dims);
  reference.put(layout, 6);
  int variable = -1;
  ASSERT_SUCCESS(scorpio_variable_find(file, "ours", &variable));
  expect_part(file, variable, decomp, layout, reference, rank_in());
  EXPECT_SUCCESS(scorpio_file_close(file));
}

}  // namespace
}  // namespace scorpio::api_test
