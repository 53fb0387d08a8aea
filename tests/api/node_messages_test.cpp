// What the exchange between nodes sends: as many messages as the plan has, each element once, and a short
// list of which elements these are. How often it copies elements for that.
#include "accesses.h"
#include "layout.h"

namespace scorpio::api_test {
namespace {

constexpr int64_t k_elements = 200000;

// Element i belongs to rank i modulo the number of ranks.
Layout dealt_out() {
  std::vector<std::vector<int64_t>> index(static_cast<size_t>(ranks_in()));
  for (int64_t i = 0; i < k_elements; ++i) index[static_cast<size_t>(i % ranks_in())].push_back(i);
  return map_layout({k_elements}, index);
}

template <typename T>
class NodeMessages : public testing::Test {
 protected:
  static constexpr scorpio_type k_type = sizeof(T) == 4 ? SCORPIO_INT32 : SCORPIO_FLOAT64;

  static constexpr uint64_t k_unit = 32768;

  enum class Spread { dealt_out, blocks };

  // On `nodes` nodes, of which the first has `with_io_rank` ranks, one of them the I/O rank.
  void expect_counts(Spread spread, int nodes, int with_io_rank) {
    SCOPED_TRACE(std::to_string(nodes) + " nodes");
    const System system({{"nodes", std::to_string(nodes)},
                         {"io_ranks", "1"},
                         {"staging_bytes", "1m"},
                         {"block_bytes", "32k"}});
    const Layout layout = spread == Spread::blocks ? uniform_layout({k_elements}, ranks_in()) : dealt_out();
    const Decomp decomp(system, layout);
    std::vector<T> data(layout.of(rank_in()).size(), static_cast<T>(rank_in()));
    const_cast<System&>(system).reset();
    const std::string path = folder_ / "f";
    scorpio_file* file = nullptr;
    int v = -1;
    EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", k_type, 1, layout.dims.data(), &v));
    EXPECT_SUCCESS(scorpio_put_darray(file, v, decomp.get(), 0, k_type, data.data()));
    EXPECT_SUCCESS(scorpio_file_close(file));
    uint64_t crossing = 0;
    for (int rank = with_io_rank; rank < ranks_in(); ++rank) crossing += layout.of(rank).size() * sizeof(T);
    expect_sent(system, crossing, nodes);
    // Of the runs of a unit that a node has, the first is sent from its place in the slot, and when they are
    // read the last is received at its place. A unit that has one run of one node is received in its slot, so
    // that of blocks only the units are copied in which two nodes meet.
    expect_copies(system, spread, static_cast<uint64_t>(nodes - 1) * k_unit, crossing);

    const_cast<System&>(system).reset();
    std::fill(data.begin(), data.end(), T{});
    EXPECT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_find(file, "v", &v));
    EXPECT_SUCCESS(scorpio_get_darray(file, v, decomp.get(), 0, k_type, data.data()));
    EXPECT_SUCCESS(scorpio_file_close(file));
    EXPECT_EQ(std::vector<T>(data.size(), static_cast<T>(rank_in())), data);
    expect_sent(system, crossing, nodes);
    expect_copies(system, spread, 0, crossing);
  }

  // `of_blocks`: the most bytes of single runs that an I/O rank copies. It copies all runs of a unit once if
  // there are several, as the leader copies all runs but one.
  static void expect_copies(const System& system, Spread spread, uint64_t of_blocks, uint64_t crossing) {
    const uint64_t copies = system.sum("message_copies");
    if (spread == Spread::blocks) {
      EXPECT_LE(copies, of_blocks);
      EXPECT_LT(of_blocks, crossing) << "the test tells nothing";
    } else {
      EXPECT_LT(copies, 2 * crossing);
      const uint64_t longest_run = static_cast<uint64_t>(ranks_in()) * sizeof(T);
      EXPECT_GE(copies + system.sum("messages") * longest_run, 2 * crossing);
    }
  }

  // One bit per element that a node does or does not have, in whole units; the first and the last unit may
  // hold other things.
  static void expect_sent(const System& system, uint64_t crossing, int nodes) {
    const uint64_t messages = system.sum("messages"), bytes = system.sum("message_bytes");
    const auto others = static_cast<uint64_t>(nodes - 1);
    EXPECT_GT(messages, 0u);
    EXPECT_EQ(system.sum("planned_messages"), messages);
    EXPECT_EQ(crossing, system.sum("message_data_bytes"));
    EXPECT_LE(bytes - crossing, others * (k_elements / 8 + 2 * k_unit / sizeof(T) / 8) + 8 * messages);
  }

  const TemporaryFolder folder_;
};

using Types = testing::Types<int32_t, double>;
TYPED_TEST_SUITE(NodeMessages, Types);

TYPED_TEST(NodeMessages, HaveEachElementOnce) {
  for (const auto spread : {TestFixture::Spread::dealt_out, TestFixture::Spread::blocks}) {
    if (ranks_in() > 1) this->expect_counts(spread, 2, (ranks_in() + 1) / 2);
    if (ranks_in() > 2) this->expect_counts(spread, ranks_in(), 1);
  }
}

// Each node has a row of each plane, which fills a unit. The rows of all nodes are between its first and its
// last one.
TEST(MessagesOfUnits, ComeFromNodesWithElementsOnly) {
  constexpr int64_t k_planes = 6, k_row = 4096;  // 32 KiB
  const TemporaryFolder folder;
  const int64_t ranks = ranks_in(), dims[3] = {k_planes, ranks, k_row};
  const int64_t start[3] = {0, rank_in(), 0}, count[3] = {k_planes, 1, k_row};
  const System system({{"nodes", std::to_string(ranks)},
                       {"io_ranks", "1"},
                       {"staging_bytes", "1m"},
                       {"block_bytes", "32k"},
                       {"format", "cdf5"},
                       {"data_align", "32k"}});
  scorpio_decomp* decomp = nullptr;
  ASSERT_SUCCESS(scorpio_decomp_block(system.get(), 3, dims, start, count, &decomp));
  std::vector<double> data(static_cast<size_t>(k_planes * k_row), 1.0 + rank_in());
  const std::string path = folder / "f";
  scorpio_file* file = nullptr;
  int v = -1;
  EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 3, dims, &v));
  EXPECT_SUCCESS(scorpio_put_darray(file, v, decomp, 0, SCORPIO_FLOAT64, data.data()));
  EXPECT_SUCCESS(scorpio_file_close(file));
  const auto carried = static_cast<uint64_t>(k_planes * (ranks - 1));
  EXPECT_EQ(carried, system.sum("messages"));

  std::fill(data.begin(), data.end(), 0.0);
  EXPECT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_find(file, "v", &v));
  EXPECT_SUCCESS(scorpio_get_darray(file, v, decomp, 0, SCORPIO_FLOAT64, data.data()));
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_EQ(std::vector<double>(data.size(), 1.0 + rank_in()), data);
  EXPECT_EQ(3 * carried, system.sum("messages")) << "a request and a reply for each";
  EXPECT_SUCCESS(scorpio_decomp_free(decomp));
}

}  // namespace
}  // namespace scorpio::api_test
