// Chunks of one size without filters, of which there are more than I/O ranks keep in memory: most are written
// at once, to regions of one chunk that the I/O ranks take in turn. The file has no unused regions, although
// the I/O ranks have different numbers of chunks.
#include <malloc.h>

#include <algorithm>
#include <filesystem>

#include "accesses.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

constexpr int64_t k_columns = 256, k_block_bytes = 4 << 10;
constexpr int64_t k_held_chunks = 6;

// With and without a thread that writes; the number of rows of a chunk, which is in one slot as a whole, or
// in several.
class ChunkRegions : public testing::TestWithParam<std::tuple<const char*, int64_t>> {
 protected:
  ChunkRegions()
      : system_({{"io_ranks", std::to_string(std::min(ranks_in(), 3))},
                 {"asynchronous", std::get<0>(GetParam())},
                 {"block_bytes", std::to_string(k_block_bytes)},
                 {"staging_bytes", "1m"},
                 {"chunk_bytes", std::to_string(k_held_chunks * chunk_bytes_)}}),
        layout_(uniform_layout({rows_, k_columns}, ranks_in())),
        decomp_(system_, layout_) {
    EXPECT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    EXPECT_SUCCESS(scorpio_dimension_define(file_, "time", SCORPIO_UNLIMITED, dims_));
    EXPECT_SUCCESS(scorpio_dimension_define(file_, "y", rows_, dims_ + 1));
    EXPECT_SUCCESS(scorpio_dimension_define(file_, "x", k_columns, dims_ + 2));
    define("v", rows_);
  }

  void define(const char* name, int64_t rows) {
    const int64_t chunk[3] = {1, rows, k_columns};
    int& variable = variables_.emplace_back();
    EXPECT_SUCCESS(scorpio_variable_define_on(file_, name, SCORPIO_INT32, 3, dims_, &variable));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, variable, chunk));
    expected_.emplace_back();
  }
  void put_record(size_t variable, int64_t record) {
    const auto call = static_cast<uint64_t>(++calls_);
    const std::vector<int32_t> data = data_of<int32_t>(layout_, rank_in(), call);
    EXPECT_SUCCESS(
        scorpio_put_darray(file_, variables_[variable], decomp_.get(), record, SCORPIO_INT32, data.data()));
    auto& elements = expected_[variable];
    const auto begin = static_cast<size_t>(record * chunk_elements_);
    const size_t end = begin + static_cast<size_t>(chunk_elements_);
    if (elements.size() < end) elements.resize(end);
    Reference<int32_t> one({rows_, k_columns});
    one.put(layout_, call);
    std::ranges::copy(one.elements(), elements.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  // The ranks put consecutive parts of the rows [from, to) of the record.
  void put_rows(size_t variable, int64_t record, int64_t from, int64_t to) {
    const auto value = [call = ++calls_](int64_t element) {
      return static_cast<int32_t>(call * 1000000 + element);
    };
    auto& elements = expected_[variable];
    elements.resize(std::max(elements.size(), static_cast<size_t>((record + 1) * chunk_elements_)));
    for (int64_t i = from * k_columns; i < to * k_columns; ++i)
      elements[static_cast<size_t>(record * chunk_elements_ + i)] = value(i);
    const auto row_of = [&](int64_t rank) { return from + (to - from) * rank / ranks_in(); };
    const int64_t start[] = {record, row_of(rank_in()), 0};
    const int64_t count[] = {1, row_of(rank_in() + 1) - start[1], k_columns};
    std::vector<int32_t> data;
    for (int64_t i = 0; i < count[1] * k_columns; ++i) data.push_back(value(start[1] * k_columns + i));
    const scorpio_access access =
        scorpio_hyperslab(variables_[variable], start, count, SCORPIO_INT32, data.data());
    EXPECT_SUCCESS(scorpio_put(file_, &access));
  }
  void expect_record(size_t variable, int64_t record) {
    std::vector<int32_t> got(layout_.of(rank_in()).size());
    EXPECT_SUCCESS(
        scorpio_get_darray(file_, variables_[variable], decomp_.get(), record, SCORPIO_INT32, got.data()));
    const auto first = static_cast<size_t>(record * chunk_elements_);
    std::vector<int32_t> wanted;
    for (const int64_t i : layout_.of(rank_in()))
      wanted.push_back(expected_[variable][first + static_cast<size_t>(i)]);
    EXPECT_TRUE(wanted == got) << "record " << record;
  }
  void open() {
    EXPECT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, nullptr, &file_));
    EXPECT_SUCCESS(scorpio_variable_find(file_, "v", &variables_[0]));
  }
  int64_t close() {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    const char* names[] = {"v", "w"};
    for (size_t i = 0; rank_in() == 0 && i < expected_.size(); ++i)
      EXPECT_TRUE(expected_[i] == stock_elements<int32_t>(path_, names[i])) << names[i];
    const auto bytes = static_cast<int64_t>(std::filesystem::file_size(path_));
    MPI_Barrier(MPI_COMM_WORLD);
    return bytes;
  }
  // Of a file with this number of chunks.
  int64_t most_bytes(int64_t chunks) const {
    constexpr int64_t k_metadata_bytes = 16 << 10;
    return (chunks * chunk_bytes_ + k_metadata_bytes) * 102 / 100 + (system_.io_ranks() + 1) * k_block_bytes;
  }

  const int64_t rows_ = std::get<1>(GetParam());
  const int64_t chunk_elements_ = rows_ * k_columns, chunk_bytes_ = 4 * chunk_elements_;
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f.h5";
  const System system_;
  const Layout layout_;
  const Decomp decomp_;
  scorpio_file* file_ = nullptr;
  int dims_[3] = {-1, -1, -1};
  std::vector<int> variables_;
  std::vector<std::vector<int32_t>> expected_;  // [variables]
  int calls_ = 0;
};

TEST_P(ChunkRegions, HaveAllRecords) {
  for (int64_t record = 0; record < 23; ++record) put_record(0, record);
  expect_record(0, 0);
  expect_record(0, 22);
  const uint64_t written = system_.sum("bytes_written");
  EXPECT_GE(written, static_cast<uint64_t>((23 - k_held_chunks * system_.io_ranks()) * chunk_bytes_))
      << "few chunks are in memory";
  EXPECT_LE(close(), most_bytes(23));
}

// The chunks of an opened file count, too.
TEST_P(ChunkRegions, AreContinued) {
  for (int64_t record = 0; record < 12; ++record) put_record(0, record);
  close();
  open();
  for (int64_t record = 12; record < 31; ++record) put_record(0, record);
  put_record(0, 4);
  for (int64_t record = 0; record < 31; ++record) expect_record(0, record);
  EXPECT_LE(close(), most_bytes(31));
}

// Chunks that are in memory, in a region, and in the file since the last synchronisation point.
TEST_P(ChunkRegions, RecordsArePutAgain) {
  for (int64_t record = 0; record < 14; ++record) put_record(0, record);
  for (const int64_t record : {0, 1, 2, 3, 11, 12, 13, 0}) put_record(0, record);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  for (const int64_t record : {0, 5, 13}) put_record(0, record);
  for (int64_t record = 14; record < 30; ++record) put_record(0, record);
  for (int64_t record = 0; record < 30; ++record) expect_record(0, record);
  EXPECT_LE(close(), most_bytes(30));
}

// Some I/O ranks get many chunks, others none. They have no chunks for regions that they leave unused.
TEST_P(ChunkRegions, OfFewIoRanks) {
  const int64_t step = system_.io_ranks();
  for (int64_t record = 0; record < 8; ++record) put_record(0, step * record);
  auto& elements = expected_[0];
  for (int64_t record = 0; record < 8; ++record) expect_record(0, step * record);
  // HDF5 reads records that were not put as zeros, as they are here.
  EXPECT_EQ(static_cast<size_t>((7 * step + 1) * chunk_elements_), elements.size());
  close();
}

// The regions would not fit the chunks of a variable that is defined later.
TEST_P(ChunkRegions, EndBeforeChunksOfAnotherSize) {
  for (int64_t record = 0; record < 11; ++record) put_record(0, record);
  define("w", rows_ * 3 / 4);
  for (int64_t record = 0; record < 11; ++record) put_record(1, record);
  for (int64_t record = 11; record < 19; ++record) put_record(0, record);
  for (int64_t record = 0; record < 11; ++record) expect_record(1, record);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  for (int64_t record = 0; record < 19; ++record) expect_record(0, record);
  put_record(1, 3);
  close();
}

// Chunks that are read, put again, or synchronised before all of them was put. HDF5 reads elements that were
// not put as zeros.
TEST_P(ChunkRegions, PartsOfRecordsArePut) {
  for (int64_t record = 0; record < 14; ++record) put_record(0, record);
  for (int64_t record = 14; record < 26; ++record) put_rows(0, record, 0, rows_ / 2);
  expect_record(0, 14);
  for (const int64_t record : {14, 15, 25}) put_rows(0, record, rows_ / 2, rows_);
  put_record(0, 16);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  for (const int64_t record : {17, 18}) put_rows(0, record, rows_ / 2, rows_);
  for (int64_t record = 26; record < 40; ++record) put_rows(0, record, rows_ / 4, rows_ * 3 / 4);
  for (int64_t record = 0; record < 40; ++record) expect_record(0, record);
  for (int64_t record = 40; record < 44; ++record) put_rows(0, record, rows_ / 2, rows_);
  EXPECT_LE(close(), most_bytes(44));
}

std::string name_of(const testing::TestParamInfo<ChunkRegions::ParamType>& info) {
  const auto& [asynchronous, rows] = info.param;
  return (asynchronous == std::string("true") ? "ByWorker" : "Inline") + std::to_string(rows) + "Rows";
}

INSTANTIATE_TEST_SUITE_P(OneSlot, ChunkRegions,
                         testing::Combine(testing::Values("false", "true"), testing::Values(256)), name_of);
// Only without rounds do such chunks have their places before all of them was put.
INSTANTIATE_TEST_SUITE_P(SeveralSlots, ChunkRegions,
                         testing::Combine(testing::Values("false"), testing::Values(1024)), name_of);

// The I/O rank keeps 32 bytes for each chunk that it has stored, in blocks, and the metadata rank nothing:
// the index of chunks is in the file.
TEST(CommittedChunks, TakeLittleMemory) {
  constexpr int64_t k_chunks = 10000, k_elements = 4, k_records = 2, k_syncs = 3;
  const TemporaryFolder folder;
  const System system(Settings{{"io_ranks", "1"}});
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "f.nc").c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file));
  int ids[2] = {}, variable = -1;
  const int64_t dims[1] = {k_chunks * k_elements}, chunk[2] = {1, k_elements};
  ASSERT_SUCCESS(scorpio_dimension_define(file, "time", SCORPIO_UNLIMITED, &ids[0]));
  ASSERT_SUCCESS(scorpio_dimension_define(file, "x", dims[0], &ids[1]));
  ASSERT_SUCCESS(scorpio_variable_define_on(file, "v", SCORPIO_INT32, 2, ids, &variable));
  ASSERT_SUCCESS(scorpio_variable_define_chunks(file, variable, chunk));
  const Layout layout = uniform_layout({dims[0]}, ranks_in());
  const Decomp decomp(system, layout);
  const std::vector<int32_t> mine(std::max<size_t>(1, layout.of(rank_in()).size()), 7);
  std::vector<size_t> used;
  for (int64_t record = 0; record < k_records * k_syncs; ++record) {
    ASSERT_SUCCESS(scorpio_put_darray(file, variable, decomp.get(), record, SCORPIO_INT32, mine.data()));
    if ((record + 1) % k_records != 0) continue;
    ASSERT_SUCCESS(scorpio_file_sync(file));
    const struct mallinfo2 heap = mallinfo2();
    used.push_back(heap.uordblks + heap.hblkhd);
  }
  const auto grown = static_cast<double>(used.back()) - static_cast<double>(used.front());
  EXPECT_GT(48 * k_chunks * k_records * (k_syncs - 1), grown) << used.front() << " " << used.back();
  EXPECT_SUCCESS(scorpio_file_close(file));
  if (rank_in() == 0) {
    const auto stored = stock_elements<int32_t>(folder / "f.nc", "v");
    EXPECT_EQ(std::vector<int32_t>(static_cast<size_t>(dims[0] * k_records * k_syncs), 7), stored);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// What HDF5 writes when it closes the file is in the file already.
TEST(CommittedChunks, AreWrittenWithOneWriteOfMetadata) {
  const TemporaryFolder folder;
  const System system(Settings{{"io_ranks", "1"}});
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "f.nc").c_str(), SCORPIO_FORMAT_NETCDF4, nullptr, &file));
  int variable = -1;
  const int64_t dims[2] = {6000, 128}, chunk[2] = {1, 128};
  ASSERT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 2, dims, &variable));
  ASSERT_SUCCESS(scorpio_variable_define_chunks(file, variable, chunk));
  const Layout layout = uniform_layout({dims[0], dims[1]}, ranks_in());
  const Decomp decomp(system, layout);
  const std::vector<int32_t> mine(std::max<size_t>(1, layout.of(rank_in()).size()), 7);
  ASSERT_SUCCESS(scorpio_put_darray(file, variable, decomp.get(), 0, SCORPIO_INT32, mine.data()));
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_EQ(1U, system.sum("metadata_writes"));
}

}  // namespace
}  // namespace scorpio::api_test
