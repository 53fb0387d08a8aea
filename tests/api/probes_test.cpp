// How often a rank that waits in a put asks MPI for messages: this program counts the calls of MPI_Iprobe.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <thread>

#include "layout.h"

namespace {

struct Probes {
  bool counts = false;
  uint64_t number = 0;
  std::set<MPI_Comm> comms;
};
Probes g_probes;

}  // namespace

extern "C" int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  if (g_probes.counts) {
    ++g_probes.number;
    g_probes.comms.insert(comm);
  }
  return PMPI_Iprobe(source, tag, comm, flag, status);
}

namespace scorpio::api_test {
namespace {

// Data of each rank for all I/O ranks, and more than staging holds, so that leaders and I/O ranks wait.
TEST(Probes, AWaitingTurnHasOneAtMost) {
  const System system({{"nodes", "2"},
                       {"io_ranks", std::to_string(std::min(2, ranks_in()))},
                       {"staging_bytes", "128k"},
                       {"block_bytes", "4k"}});
  const Layout layout = uniform_layout({30000 * ranks_in()}, ranks_in());
  const Decomp decomp(system, layout);
  const std::vector<int32_t> data(30000, 3);
  const TemporaryFolder folder;
  scorpio_file* file = nullptr;
  int v = -1;
  EXPECT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "f").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, layout.dims.data(), &v));
  g_probes.counts = true;
  EXPECT_SUCCESS(scorpio_put_darray(file, v, decomp.get(), 0, SCORPIO_INT32, data.data()));
  g_probes.counts = false;
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_LE(g_probes.comms.size(), 1u);
  const bool on_two_nodes = ranks_in() > 1;
  EXPECT_EQ(!on_two_nodes, on_all(g_probes.number == 0));
  // Another rank of a node waits for its leader and the I/O ranks.
  const bool leads = rank_in() == 0 || rank_in() == (ranks_in() + 1) / 2;
  int io_ranks = 0, place = -1;
  EXPECT_SUCCESS(scorpio_iosystem_io_ranks(system.get(), &io_ranks, &place));
  if (!leads && place < 0) {
    EXPECT_EQ(0u, g_probes.number);
  }
}

// Rank 0 comes late to an agreement. The others look for messages, the less often the longer it lasts.
TEST(Probes, AnAgreementThatTakesLongIsAwaitedQuietly) {
  const System system(Settings{{"nodes", "2"}});
  const TemporaryFolder folder;
  scorpio_file* file = nullptr;
  EXPECT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "f").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  g_probes = {};
  g_probes.counts = rank_in() != 0 && rank_in() != (ranks_in() + 1) / 2;  // no leader, no I/O rank
  if (rank_in() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_SUCCESS(scorpio_file_sync(file));
  g_probes.counts = false;
  EXPECT_LE(g_probes.number, 1000u);  // every 100 us it would be 4000
  EXPECT_SUCCESS(scorpio_file_close(file));
}

}  // namespace
}  // namespace scorpio::api_test
