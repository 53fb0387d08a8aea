// What the plan of many ranks is computed to cost is what real runs count.
#include "api/session.h"
#include "scale/plan_counts.h"

namespace scorpio::scale {
namespace {

using api_test::rank_in;
using api_test::ranks_in;

constexpr uint64_t k_begin = 1u << 20;

TEST(RealRuns, CountWhatIsComputed) {
  const api_test::TemporaryFolder folder;
  for (const int per_node : {2, 4, 8}) {
    SCOPED_TRACE(std::to_string(per_node) + " ranks on each node");
    const PlanCounts computed = counts_of_blocks(ranks_in(), per_node, k_begin);
    const api_test::System system({{"nodes", std::to_string(ranks_in() / per_node)},
                                   {"format", "cdf5"},
                                   {"data_align", "1m"},
                                   {"block_bytes", "1m"}});
    const auto grid = grid_of(ranks_in());
    const int64_t ny = grid[1], nx = grid[2], rank = rank_in();
    const int64_t dims[3] = {grid[0] * k_edge, ny * k_edge, nx * k_edge};
    const int64_t start[3] = {rank / (ny * nx) * k_edge, rank / nx % ny * k_edge, rank % nx * k_edge};
    const int64_t count[3] = {k_edge, k_edge, k_edge};
    const std::vector<double> data(static_cast<size_t>(k_edge * k_edge * k_edge), 1.0);
    scorpio_decomp* decomp = nullptr;
    ASSERT_SUCCESS(scorpio_decomp_block(system.get(), 3, dims, start, count, &decomp));
    scorpio_file* file = nullptr;
    int v = -1;
    const std::string path =
        folder / ("f" + std::to_string(per_node));  // one that is there is opened once more
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 3, dims, &v));
    EXPECT_SUCCESS(scorpio_put_darray(file, v, decomp, 0, SCORPIO_FLOAT64, data.data()));
    EXPECT_SUCCESS(scorpio_file_close(file));
    EXPECT_EQ(computed.messages, system.sum("messages"));
    EXPECT_EQ(computed.crossing, system.sum("message_data_bytes"));
    EXPECT_EQ(computed.bytes, system.sum("bytes_written") - system.sum("metadata_bytes"));
    EXPECT_EQ(computed.opens, system.sum("opens"));
    const auto nodes = static_cast<uint64_t>(ranks_in() / per_node);
    EXPECT_EQ(nodes * computed.staging, system.sum("staging_bytes"));
    EXPECT_SUCCESS(scorpio_decomp_free(decomp));
  }
}

}  // namespace
}  // namespace scorpio::scale
