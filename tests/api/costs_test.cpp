// What calls cost, as promised: opens, writes, messages, boundaries, memory, agreements.
#include <algorithm>

#include "accesses.h"
#include "layout.h"
#include "reference.h"

namespace scorpio::api_test {
namespace {

struct Written {
  uint64_t payload;
  uint64_t variables;
};

// Writes `n` variables of `dims` in blocks, one file.
Written write_file(const System& system, const std::string& path, const Extents& dims, int n) {
  const Layout layout = grid_layout(dims, in_order(ranks_in()));
  const Decomp decomp(system, layout);
  scorpio_file* file = nullptr;
  MPI_Barrier(MPI_COMM_WORLD);
  const_cast<System&>(system).reset();
  EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  for (int v = 0; v < n; ++v) {
    int variable = -1;
    const std::string name = "v" + std::to_string(v);
    EXPECT_SUCCESS(scorpio_variable_define(file, name.c_str(), SCORPIO_FLOAT64, static_cast<int>(dims.size()),
                                           dims.data(), &variable));
    EXPECT_SUCCESS(put<double>(file, variable, decomp, layout, static_cast<uint64_t>(v), rank_in()));
  }
  EXPECT_SUCCESS(scorpio_file_close(file));
  return {static_cast<uint64_t>(n) * static_cast<uint64_t>(elements_of(dims)) * 8, static_cast<uint64_t>(n)};
}

uint64_t unit_bytes(const System& system) {
  const std::string text = system.describe();
  const size_t at = text.find(" of ", text.find("collective buffers: "));
  return std::stoull(text.substr(at + 4));
}

class Costs : public testing::Test {
 protected:
  const TemporaryFolder folder_;
};

// A file that is replaced is opened once, to learn whether it is being written.
TEST_F(Costs, OpensAreIoRanks) {
  for (int n = 1; n <= ranks_in(); ++n) {
    for (const bool there : {false, true}) {
      const System system(
          {{"io_ranks", std::to_string(n)}, {"staging_bytes", "256k"}, {"block_bytes", "4k"}});
      write_file(system, folder_ / ("f" + std::to_string(n)), {64, 1024}, 2);
      EXPECT_EQ(static_cast<uint64_t>(there ? n + 1 : n), system.sum("opens"));
      EXPECT_LE(system.most("opens"), there ? 2u : 1u);
      EXPECT_EQ(system.sum("opens"), system.sum("closes"));
    }
  }
}

TEST_F(Costs, IoRanksWithoutDataDoNotOpen) {
  const System system({{"io_ranks", std::to_string(ranks_in())}, {"staging_bytes", "4m"}});
  write_file(system, folder_ / "f", {8}, 3);
  EXPECT_LE(system.sum("opens"), 2u);
}

TEST_F(Costs, GatheredWritesAreAsLargeAsStaging) {
  uint64_t writes[2];
  for (const bool gather : {false, true}) {
    const System system(
        {{"io_ranks", "1"}, {"staging_bytes", "4m"}, {"gather_writes", gather ? "true" : "false"}});
    const Written written = write_file(system, folder_ / "f", {125, 1000}, 1);  // 1 MB: staging holds it
    EXPECT_EQ(written.payload, system.sum("bytes_written") - system.sum("metadata_bytes"));
    writes[gather ? 1 : 0] = system.sum("writes") - system.sum("metadata_writes");
  }
  EXPECT_EQ(1u, writes[1]);
  EXPECT_GT(writes[0], 3u);
}

TEST_F(Costs, GatheredWritesOfMoreThanStagingHolds) {
  const System system(
      {{"io_ranks", "1"}, {"staging_bytes", "1m"}, {"gather_writes", "true"}, {"staging_files", "1"}});
  const Written written = write_file(system, folder_ / "f", {1250, 1000}, 1);
  const uint64_t writes = system.sum("writes") - system.sum("metadata_writes");
  EXPECT_LE(writes, written.payload / (600u << 10));
  EXPECT_LE(system.most("staging_peak_bytes"), (1u << 20) * 105 / 100);
}

TEST_F(Costs, EachByteIsWrittenOnceInFewAlignedWrites) {
  for (const char* domains : {"cyclic", "contiguous"}) {
    for (int n = 1; n <= std::min(ranks_in(), 3); ++n) {
      const System system({{"io_ranks", std::to_string(n)},
                           {"staging_bytes", "1m"},
                           {"block_bytes", "64k"},
                           {"domains", domains}});
      const Written written = write_file(system, folder_ / "f", {125, 1000}, 3);
      EXPECT_EQ(written.payload, system.sum("bytes_written") - system.sum("metadata_bytes"));
      EXPECT_EQ(written.payload, system.sum("bytes_placed"));
      EXPECT_LE(system.sum("metadata_writes"), 3u);
      const uint64_t slot = unit_bytes(system);
      const uint64_t data_writes = system.sum("writes") - system.sum("metadata_writes");
      // One more per variable: it begins somewhere in a slot.
      EXPECT_LE(data_writes, (written.payload + slot - 1) / slot + written.variables + 3);
      // The end of each variable.
      EXPECT_LE(system.sum("unaligned_writes"), static_cast<uint64_t>(written.variables));
      EXPECT_GE(system.sum("aligned_writes"),
                written.payload / slot - static_cast<uint64_t>(written.variables));
      EXPECT_EQ(0u, system.sum("messages"));
      EXPECT_EQ(0u, system.sum("relocated"));
    }
  }
}

TEST_F(Costs, ManySmallVariablesAreFewWrites) {
  const System system(Settings{{"staging_bytes", "4m"}});
  const Written written = write_file(system, folder_ / "f", {100}, 300);
  EXPECT_EQ(written.payload, system.sum("bytes_written") - system.sum("metadata_bytes"));
  EXPECT_LE(system.sum("writes"), 6u);
}

// Of a map of the ocean with ten thousand stretches of land between what ranks hold.
TEST_F(Costs, ManyHolesAreFilledInTheWritesOfTheData) {
  constexpr int64_t k_elements = 20000;
  std::vector<std::vector<int64_t>> index(static_cast<size_t>(ranks_in()));
  for (int64_t i = 0; i < k_elements; i += 2) {
    index[static_cast<size_t>(i * ranks_in() / k_elements)].push_back(i);
  }
  const Layout layout = map_layout({k_elements}, index);
  const System system(Settings{{"io_ranks", "1"}});
  const Decomp decomp(system, layout);
  const std::vector<int32_t> data(index[static_cast<size_t>(rank_in())].size(), 7);
  const void* parts[] = {data.data()};
  const int32_t fill = -1;
  const void* fills[] = {&fill};
  scorpio_file* file = nullptr;
  int v = -1;
  EXPECT_SUCCESS(
      scorpio_file_create(system.get(), (folder_ / "f").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, layout.dims.data(), &v));
  EXPECT_SUCCESS(put_n(file, darrays(1, &v, decomp.get(), nullptr, SCORPIO_INT32, parts, fills)));
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_LE(system.sum("writes"), 3u);
}

TEST_F(Costs, OneMessagePerNodeIoRankAndRound) {
  for (int nodes = 2; nodes <= ranks_in(); ++nodes) {
    const System system({{"nodes", std::to_string(nodes)}, {"staging_bytes", "1m"}, {"block_bytes", "32k"}});
    const Written written = write_file(system, folder_ / "f", {125, 1000}, 2);
    EXPECT_EQ(written.payload, system.sum("bytes_written") - system.sum("metadata_bytes"));
    EXPECT_LE(system.sum("unaligned_writes"), static_cast<uint64_t>(written.variables));
    EXPECT_LE(system.sum("messages"), system.sum("rounds") * static_cast<uint64_t>(nodes - 1));
    // Each byte crosses once, with a short list of what it is.
    EXPECT_LE(system.sum("message_bytes"), written.payload + written.payload / 16);
    EXPECT_EQ(system.sum("planned_messages"), system.sum("messages"));
    EXPECT_GT(system.sum("messages"), 0u);
  }
}

TEST_F(Costs, StagingStaysWithinItsBudget) {
  for (const uint64_t budget : {uint64_t{1} << 20, uint64_t{4} << 20}) {
    for (const char* nodes : {"0", "2"}) {
      const System system({{"staging_bytes", std::to_string(budget)}, {"nodes", nodes}});
      write_file(system, folder_ / "f", {64, 4096}, 3);
      EXPECT_LE(system.most("staging_peak_bytes"), budget + budget / 20) << "nodes = " << nodes;
      EXPECT_GT(system.most("staging_bytes"), budget / 2);
    }
  }
}

TEST_F(Costs, AgreementsBelongToSyncPoints) {
  const System system(Settings{{"staging_bytes", "1m"}});
  const Layout layout = uniform_layout({4096}, ranks_in());
  const Decomp decomp(system, layout);
  scorpio_file* file = nullptr;
  int variable = -1;
  EXPECT_SUCCESS(
      scorpio_file_create(system.get(), (folder_ / "f").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, layout.dims.data(), &variable));
  const_cast<System&>(system).reset();
  for (uint64_t i = 0; i < 20; ++i) {
    EXPECT_SUCCESS(put<int32_t>(file, variable, decomp, layout, i, rank_in()));
  }
  EXPECT_EQ(0u, system.counter("agreements"));
  EXPECT_SUCCESS(scorpio_file_sync(file));
  EXPECT_EQ(2u, system.counter("agreements"));
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_EQ(4u, system.counter("agreements"));
}

TEST_F(Costs, ReadingOpensOncePerIoRankAndReadsEachByteOnce) {
  const Extents dims{125, 1000};
  const System system({{"staging_bytes", "1m"}, {"block_bytes", "64k"}});
  const Written written = write_file(system, folder_ / "f", dims, 1);
  const Layout layout = uniform_layout(dims, ranks_in());
  const Decomp decomp(system, layout);
  scorpio_file* file = nullptr;
  int variable = -1;
  EXPECT_SUCCESS(scorpio_file_open(system.get(), (folder_ / "f").c_str(), SCORPIO_READ, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_find(file, "v0", &variable));
  const uint64_t before = from_rank_zero(system.sum("bytes_read"));
  std::vector<double> data(layout.of(rank_in()).size());
  EXPECT_SUCCESS(scorpio_get_darray(file, variable, decomp.get(), 0, SCORPIO_FLOAT64, data.data()));
  EXPECT_EQ(written.payload, system.sum("bytes_read") - before);
  EXPECT_EQ(written.payload, system.sum("bytes_fetched"));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

struct Reads {
  uint64_t calls, bytes;
};

// Gets `n` elements of the float64 variable "v0", each rank its share of them in turn: the first element of
// each stretch of `stride`.
Reads get_every(const System& system, const std::string& path, int64_t n, int64_t stride, int64_t total) {
  std::vector<int64_t> index;
  for (int64_t i = rank_in(); i < n; i += ranks_in()) index.push_back(i * stride);
  const int64_t dims[] = {total};
  scorpio_decomp* decomp = nullptr;
  EXPECT_SUCCESS(
      scorpio_decomp_map(system.get(), 1, dims, static_cast<int64_t>(index.size()), index.data(), &decomp));
  scorpio_file* file = nullptr;
  int variable = -1;
  EXPECT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_find(file, "v0", &variable));
  const Reads before{from_rank_zero(system.sum("reads")), from_rank_zero(system.sum("bytes_read"))};
  std::vector<double> data(index.size(), -1);
  EXPECT_SUCCESS(scorpio_get_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, data.data()));
  const Reads after{from_rank_zero(system.sum("reads")), from_rank_zero(system.sum("bytes_read"))};
  for (size_t i = 0; i < index.size(); ++i) EXPECT_EQ(static_cast<double>(index[i] % 1000), data[i]);
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_SUCCESS(scorpio_decomp_free(decomp));
  return {after.calls - before.calls, after.bytes - before.bytes};
}

// A variable "v0" of one dimension, of which each element at a multiple of `stride` is its index modulo 1000.
void write_every(const System& system, const std::string& path, int64_t n, int64_t stride, int64_t total) {
  std::vector<int64_t> index;
  std::vector<double> data;
  for (int64_t i = rank_in(); i < n; i += ranks_in()) {
    index.push_back(i * stride);
    data.push_back(static_cast<double>(i * stride % 1000));
  }
  scorpio_decomp* decomp = nullptr;
  EXPECT_SUCCESS(
      scorpio_decomp_map(system.get(), 1, &total, static_cast<int64_t>(index.size()), index.data(), &decomp));
  scorpio_file* file = nullptr;
  int variable = -1;
  EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_define(file, "v0", SCORPIO_FLOAT64, 1, &total, &variable));
  EXPECT_SUCCESS(scorpio_put_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, data.data()));
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_SUCCESS(scorpio_decomp_free(decomp));
}

// Gaps up to an eighth of a unit are read with what is around them.
TEST_F(Costs, LongGapsWithinAUnitAreNotRead) {
  const System system({{"io_ranks", "1"}, {"staging_bytes", "4m"}, {"block_bytes", "256k"}});
  const auto unit = static_cast<int64_t>(unit_bytes(system)) / 8;  // in elements
  ASSERT_GE(unit, 16 << 10);
  const std::string path = folder_ / "f";
  write_every(system, path, 128, unit / 16, 8 * unit);
  const Reads apart = get_every(system, path, 32, unit / 4, 8 * unit);
  EXPECT_EQ(32u, apart.calls);
  EXPECT_EQ(32u * 8, apart.bytes);
  const Reads close = get_every(system, path, 128, unit / 16, 8 * unit);
  EXPECT_LE(close.calls, 9u);
  EXPECT_GE(close.bytes, static_cast<uint64_t>(7 * unit) * 8);
}

}  // namespace
}  // namespace scorpio::api_test
